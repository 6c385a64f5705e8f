"""Fine-tuning of embedding models on a library's citations."""
