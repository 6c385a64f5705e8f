"""Quick adapt: a small layer on the stored vectors."""
