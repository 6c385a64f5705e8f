"""Facets: how many papers of a result have which year, venue, author, tag and so on."""

from litscape.facets.counting import (
    FACETS,
    FacetCounts,
    FacetReport,
    FacetRequest,
    Facets,
    FacetValue,
)

__all__ = ["FACETS", "FacetCounts", "FacetReport", "FacetRequest", "FacetValue", "Facets"]
