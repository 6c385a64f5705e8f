"""Fine-tuning the model on the library, step by step; one step a file."""
