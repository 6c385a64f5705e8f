"""Lexical, semantic and hybrid search, and papers similar to papers."""

from litscape.search.hits import MODES, SearchHit, SearchResult
from litscape.search.searcher import Searcher

__all__ = ["MODES", "SearchHit", "SearchResult", "Searcher"]
