"""The page of watched files."""
