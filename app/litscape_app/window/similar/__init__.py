"""Papers like the chosen ones, beside them."""
