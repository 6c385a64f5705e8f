"""Nearest neighbours behind one protocol: exact and HNSW."""

from litscape.index.base import VectorIndex
from litscape.index.choice import IndexChoice, choose
from litscape.index.exact import ExactIndex
from litscape.index.hnsw import HnswIndex

__all__ = ["ExactIndex", "HnswIndex", "IndexChoice", "VectorIndex", "choose"]
