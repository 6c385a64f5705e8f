"""Lexical, semantic and hybrid search, and papers similar to papers."""
