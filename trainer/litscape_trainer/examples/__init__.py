"""Examples to learn from: pairs and triplets of papers, each with the reason it was chosen."""
