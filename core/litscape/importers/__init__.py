"""Readers of library files; one file a format and one registry line."""
