"""Co-citation of the whole library at once, by sparse matrix products. Loads SciPy.

Not for the window's process; one paper's neighbours are in :mod:`litscape.graph.neighbours`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.graph.neighbours import DEFAULT, Neighbours
from litscape.graph.weighting import fractional
from litscape.jobs import null_context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph
    from litscape.jobs import JobContext
    from litscape.paper import PaperId

_PRODUCTS = 20_000_000
"""Multiplications of one step: bounds its memory to some hundred MB."""


@dataclass(frozen=True, slots=True)
class NeighbourLists:
    """The strongest neighbours of every paper.

    Attributes:
        ids: (n,) int64, the papers, ascending.
        indptr: (n + 1,) int64: paper i's neighbours lie at ``indptr[i]:indptr[i + 1]``.
        others: (m,) int64 ids, each paper's strongest first.
        counts: (m,) int64: works that cite both.
        weights: (m,) float64: the same, weighted.
    """

    ids: NDArray[np.int64]
    indptr: NDArray[np.int64]
    others: NDArray[np.int64]
    counts: NDArray[np.int64]
    weights: NDArray[np.float64]

    def of(self, paper: PaperId) -> Neighbours:
        """One paper's neighbours; none for a paper that is not there."""
        place = int(np.searchsorted(self.ids, paper))
        there = place < len(self.ids) and self.ids[place] == paper
        part = slice(*self.indptr[place : place + 2]) if there else slice(0, 0)
        return Neighbours(self.others[part], self.counts[part], self.weights[part])


def all_cocited(
    graph: CitationGraph, k: int = DEFAULT, ctx: JobContext | None = None
) -> NeighbourLists:
    """The ``k`` papers most cited together with each paper, as :func:`~.neighbours.cocited` has it.

    Raises:
        JobCancelled: the job was cancelled.
    """
    from scipy.sparse import csr_matrix

    ctx = ctx or null_context()
    size = (len(graph), len(graph))
    # No zeros, which a product could leave out: a list of one brings nothing together anyway.
    weights = fractional(np.maximum(graph.list_lengths, 2))
    out, into = graph.out, graph.into
    ones = np.ones(graph.edge_count)
    cites = csr_matrix((ones, out.indices, out.indptr), shape=size)
    cited_by = csr_matrix((ones, into.indices, into.indptr), shape=size)
    weighted = csr_matrix((weights[into.indices], into.indices, into.indptr), shape=size)
    counts: list[NDArray[np.int64]] = []
    parts: list[tuple[NDArray[Any], ...]] = []
    for start, stop in _steps(graph):
        ctx.progress(start, len(graph), "Counting what is cited together")
        # Both products have one pattern of entries, since SciPy's depends on the patterns alone.
        number = cited_by[start:stop] @ cites
        strength = weighted[start:stop] @ cites
        lengths, *part = _best(number, strength, start, k)
        counts.append(lengths)
        parts.append((graph.ids[part[0]], *part[1:]))
    ctx.progress(len(graph), len(graph), "Counting what is cited together")
    indptr = np.concatenate(([0], np.cumsum(np.concatenate(counts) if counts else [])))
    others, number, strength = (
        np.concatenate([part[n] for part in parts]) if parts else np.empty(0) for n in range(3)
    )
    return NeighbourLists(
        graph.ids,
        indptr.astype(np.int64),
        others.astype(np.int64),
        number.astype(np.int64),
        strength.astype(np.float64),
    )


def _steps(graph: CitationGraph) -> Iterator[tuple[int, int]]:
    """Ranges of papers that need about as many multiplications each."""
    lengths = graph.out.lengths()
    work = np.zeros(len(graph), dtype=np.int64)
    np.add.at(work, graph.into.row_numbers(), lengths[graph.into.indices])
    done = np.cumsum(work)
    start = 0
    while start < len(graph):
        before = done[start - 1] if start else 0
        stop = int(np.searchsorted(done, before + _PRODUCTS, side="right"))
        stop = max(stop, start + 1)
        yield start, min(stop, len(graph))
        start = stop


def _best(number: Any, strength: Any, start: int, k: int) -> tuple[NDArray[Any], ...]:
    """Of each row the ``k`` strongest: how many, and their columns, counts and weights."""
    rows = np.repeat(np.arange(number.shape[0]), np.diff(number.indptr))
    columns, counts, weights = number.indices, number.data, strength.data
    other = columns != rows + start
    rows, columns = rows[other], columns[other]
    counts, weights = counts[other], weights[other]
    order = np.lexsort((columns, -counts, -weights, rows))
    rows = rows[order]
    lengths = np.bincount(rows, minlength=number.shape[0])
    place = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    order = order[place < k]
    return np.minimum(lengths, k), columns[order], counts[order], weights[order]
