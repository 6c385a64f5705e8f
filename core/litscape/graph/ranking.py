"""Papers in the order of their PageRank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.measures import pagerank

if TYPE_CHECKING:
    from litscape.graph.model import CitationGraph
    from litscape.paper import PaperId


@dataclass(frozen=True, slots=True)
class RankedPaper:
    """A paper with what its citations make of it.

    Attributes:
        paper: its id.
        pagerank: its PageRank; those of all papers add up to 1.
        cited_by: how many papers of the graph cite it.
        cites: how many papers of the graph it cites.
    """

    paper: PaperId
    pagerank: float
    cited_by: int
    cites: int


def rank_papers(graph: CitationGraph, limit: int | None) -> tuple[RankedPaper, ...]:
    """The papers of a graph by PageRank; of equal rank, lower ids first."""
    rank = pagerank(graph)
    order = np.lexsort((graph.ids, -rank))[:limit]
    columns = (graph.ids, rank, graph.in_degrees(), graph.out_degrees())
    told = zip(*(column[order].tolist() for column in columns), strict=True)
    return tuple(RankedPaper(*one) for one in told)
