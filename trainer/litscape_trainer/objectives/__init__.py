"""What is made small: one loss a file, over the vectors of one batch."""
