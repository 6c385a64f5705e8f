"""Vectors of papers, one file a model version."""

from litscape.vectors.store import VectorSnapshot, VectorStore

__all__ = ["VectorSnapshot", "VectorStore"]
