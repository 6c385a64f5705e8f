"""Nearest neighbours behind one protocol: exact and HNSW."""
