"""What is cited together with one paper, and what cites the same works, in plain NumPy.

Co-citation: Small (1973); bibliographic coupling: Kessler (1963). Weights: see
:mod:`litscape.graph.weighting`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.weighting import fractional

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.csr import Rows
    from litscape.graph.model import CitationGraph
    from litscape.paper import PaperId

DEFAULT = 50


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Papers near one paper, the strongest first.

    Attributes:
        ids: (k,) int64.
        counts: (k,) int64: how many works bring the two together.
        weights: (k,) float64: the same, each work counted by its size.
    """

    ids: NDArray[np.int64]
    counts: NDArray[np.int64]
    weights: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.ids)


def cocited(graph: CitationGraph, paper: PaperId, k: int | None = DEFAULT) -> Neighbours:
    """The papers most cited together with a paper; all of them where ``k`` is None.

    A citing paper with n references, of which those outside the library are counted, adds
    1 / (n - 1). Of equal weight, those cited together more often come first, then lower ids.
    """
    index = graph.index_of(paper)
    if index is None:
        return _none()
    citing = graph.into.row(index)
    found = _Tally(len(graph))
    found.add(graph.out, citing, fractional(graph.list_lengths[citing]))
    return found.best(graph, index, k)


def coupled(graph: CitationGraph, paper: PaperId, k: int | None = DEFAULT) -> Neighbours:
    """The papers that share most references with a paper, inside the library and outside.

    A work that n papers of the graph cite adds 1 / (n - 1).
    """
    index = graph.index_of(paper)
    if index is None:
        return _none()
    found = _Tally(len(graph))
    for lists, back in ((graph.out, graph.into), (graph.works, graph.works_cited_by)):
        shared = lists.row(index)
        sizes = back.indptr[shared + 1] - back.indptr[shared]
        found.add(back, shared, fractional(sizes))
    return found.best(graph, index, k)


def two_hop(graph: CitationGraph, paper: PaperId, k: int | None = DEFAULT) -> Neighbours:
    """The papers two links away from a paper, in whichever direction, but no nearer.

    A paper between that has n links adds 1 / (n - 1); the counts are of the ways there.
    """
    index = graph.index_of(paper)
    if index is None:
        return _none()
    near = np.union1d(graph.out.row(index), graph.into.row(index)).astype(np.int32)
    found = _Tally(len(graph))
    weights = fractional(graph.out.lengths()[near] + graph.into.lengths()[near])
    found.add(graph.out, near, weights)
    found.add(graph.into, near, weights)
    found.leave(near)
    return found.best(graph, index, k)


class _Tally:
    """Adds up how often, and how strongly, papers come."""

    def __init__(self, papers: int) -> None:
        self._counts = np.zeros(papers, dtype=np.int64)
        self._weights = np.zeros(papers, dtype=np.float64)

    def add(self, lists: Rows, rows: NDArray[np.int32], weights: NDArray[np.float64]) -> None:
        """Count every paper of these rows, each row with its weight."""
        members, lengths = lists.gather(rows)
        if len(members):
            size = len(self._counts)
            self._counts += np.bincount(members, minlength=size)
            self._weights += np.bincount(members, np.repeat(weights, lengths), minlength=size)

    def leave(self, papers: NDArray[np.int32]) -> None:
        """Count some papers no more."""
        self._counts[papers] = 0

    def best(self, graph: CitationGraph, index: int, k: int | None) -> Neighbours:
        self._counts[index] = 0
        there = np.flatnonzero(self._counts)
        if k is not None and len(there) > k:
            # All that weigh as much as the last one that may stay, so that ties are cut by rule.
            least = np.partition(self._weights[there], len(there) - k)[len(there) - k]
            there = there[self._weights[there] >= least]
        order = np.lexsort((there, -self._counts[there], -self._weights[there]))[:k]
        chosen = there[order]
        return Neighbours(graph.ids[chosen], self._counts[chosen], self._weights[chosen])


def _none() -> Neighbours:
    return Neighbours(
        np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64)
    )
