"""The Litscape window and command line."""
