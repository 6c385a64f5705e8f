"""The left column: the places of the library."""
