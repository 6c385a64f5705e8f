"""Measures of the whole graph in plain NumPy: components and PageRank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph

DAMPING = 0.85
_CLOSE = 1e-10
_TURNS = 200


def components(graph: CitationGraph) -> NDArray[np.int32]:
    """The weakly connected component of each paper, (n,): numbered by size, the largest 0.

    Of equal size, that with the lowest id comes first. Labels are handed on along the links and
    then to whom they point (Shiloach & Vishkin 1982), in few rounds whatever the number of papers.
    """
    label = np.arange(len(graph), dtype=np.int32)
    a, b = graph.out.row_numbers(), graph.out.indices
    while True:
        lower = np.minimum(label[a], label[b])
        after = label.copy()
        np.minimum.at(after, label[a], lower)
        np.minimum.at(after, label[b], lower)
        while not np.array_equal(after, after[after]):
            after = after[after]
        if np.array_equal(after, label):
            break
        label = after
    first, member, sizes = np.unique(label, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    place = np.empty(len(first), dtype=np.int32)
    place[order] = np.arange(len(first), dtype=np.int32)
    return place[member]


def pagerank(graph: CitationGraph, damping: float = DAMPING) -> NDArray[np.float64]:
    """PageRank (Brin & Page 1998) of each paper along its citations, (n,), summing to 1.

    Papers that cite none hand their rank to all.
    """
    count = len(graph)
    if not count:
        return np.empty(0, dtype=np.float64)
    degrees = graph.out_degrees()
    citing, cited = graph.out.row_numbers(), graph.out.indices
    share = damping / np.maximum(degrees, 1)
    ends = degrees == 0
    rank = np.full(count, 1 / count)
    for _ in range(_TURNS):
        passed = np.bincount(cited, (rank * share)[citing], minlength=count)
        after = passed + (1 - damping + damping * rank[ends].sum()) / count
        change = float(np.abs(after - rank).sum())
        rank = after
        if change < _CLOSE:
            break
    return rank
