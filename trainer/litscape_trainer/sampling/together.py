"""Pairs that others bring together: cited together, or sharing references. Loads SciPy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.csr import Rows
from litscape.graph.whole import all_cocited

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph
    from litscape.graph.whole import NeighbourLists
    from litscape.jobs import JobContext

STRONGEST = 50
"""Neighbours kept of each paper."""


def cited_together(
    graph: CitationGraph, longest: int, ctx: JobContext | None = None
) -> NeighbourLists:
    """What is cited together with each paper, lists of more than ``longest`` left out.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    return all_cocited(_without(graph, graph.list_lengths > longest), STRONGEST, ctx)


def sharing(graph: CitationGraph, most: int, ctx: JobContext | None = None) -> NeighbourLists:
    """What shares references with each paper, works cited by more than ``most`` left out.

    Bibliographic coupling is co-citation in the graph whose arrows are turned round: a work stands
    there for the list of those that cite it. Works outside the library are further lists.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    papers, works = len(graph), len(graph.work_keys)
    into, outside = graph.into, graph.works_cited_by
    turned = Rows(
        np.concatenate((into.indptr, outside.indptr[1:] + into.indptr[-1])),
        np.concatenate((into.indices, outside.indices)),
    )
    everything = replace(
        graph,
        ids=np.concatenate((graph.ids, graph.ids[-1:] + 1 + np.arange(works)))
        if papers
        else graph.ids,
        years=np.concatenate((graph.years, graph.work_years)),
        out=turned,
        list_lengths=turned.lengths(),
    )
    return all_cocited(_without(everything, everything.list_lengths > most), STRONGEST, ctx)


def _without(graph: CitationGraph, long: NDArray[np.bool_]) -> CitationGraph:
    """The graph without the lists of some papers."""
    everyone = np.ones(len(graph), dtype=np.bool_)
    stay = ~long[graph.out.row_numbers()]
    rows = graph.out.row_numbers()[stay]
    return replace(graph, out=Rows.of_sorted(rows, graph.out.indices[stay], len(everyone)))
