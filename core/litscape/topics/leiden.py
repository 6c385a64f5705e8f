"""Communities of a neighbour graph by Leiden, at levels that lie within each other.

Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities",
Scientific Reports 9, 5233 (2019), with modularity, by graspologic-native.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.maps.records import NeighbourGraph

MOST_COARSE = 20
"""Topics of the coarsest level that a person can look over."""
LEAST = 5
"""Papers of the smallest topic."""
_ROUNDS = 2
_AIM = 15
"""Parts that the next try should find."""
_LOOSER, _LOOSEST = 0.7, 0.35
"""By what the resolution changes from one try to the next, by how many parts were too many."""
_TRIES = 8
_PART = 40
"""Papers from which on a topic is parted further; about five times the smallest part that tells."""
_THIRD_LEVEL = 20_000
"""Papers of a library from which on there is a third level."""


def neighbours_for(n: int) -> int:
    """How many neighbours of each paper the graph should have, for ``n`` papers."""
    return int(min(15, max(4, round(n**0.5))))


def weighted(graph: NeighbourGraph) -> Any:
    """The graph with each link in both directions, as a sparse matrix (n, n) of float64.

    A link weighs what share of the neighbours of its two ends is common (Jaccard), which tells
    papers between two topics from papers in the middle of one better than the cosine does, plus a
    little, so that every link counts.
    """
    from scipy.sparse import csr_matrix

    n, k = graph.indices.shape
    ends = (np.repeat(np.arange(n), k), graph.indices.ravel().astype(np.int64))
    near = csr_matrix((np.ones(n * k), ends), shape=(n, n))
    near.setdiag(1.0)
    links = near.maximum(near.T).tocsr()
    links.setdiag(0.0)
    links.eliminate_zeros()
    links.sort_indices()
    starts = np.repeat(np.arange(n), np.diff(links.indptr))
    common = _common(near.tocsr(), starts, links.indices)
    links.data = common / (2.0 * (k + 1) - common) + 1e-3
    return links


def _common(near: Any, starts: NDArray[np.int64], stops: NDArray[np.int32]) -> NDArray[np.float64]:
    """How many neighbours the two ends of each link share."""
    found = np.empty(len(starts))
    step = 200_000
    for first in range(0, len(starts), step):
        part = slice(first, first + step)
        product = near[starts[part]].multiply(near[stops[part]])
        found[part] = np.asarray(product.sum(axis=1)).ravel()
    return found


def communities(links: Any, resolution: float, seed: int) -> NDArray[np.int64]:
    """Parts of a graph, int64 (n,), numbered from the largest; equal for equal seeds."""
    from graspologic_native import leiden_csr

    n = links.shape[0]
    _quality, found = leiden_csr(
        links.indptr.astype(np.int64),
        links.indices.astype(np.int32),
        links.data.astype(np.float64),
        n,
        resolution=resolution,
        seed=seed,
        iterations=_ROUNDS,
    )
    labels = np.array([found.get(node, -1 - node) for node in range(n)], np.int64)
    return by_size(labels)


def by_size(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Labels numbered anew, from the largest; among equals from the first."""
    _known, first, places, counts = np.unique(
        labels, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((first, -counts))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks[places]


def levels(graph: NeighbourGraph, seed: int, ctx: JobContext) -> list[NDArray[np.int64]]:
    """The part of each paper at each level, coarsest first, int64 (n,); -1 where it has none.

    Every part of a level lies within one of the level above. Parts of fewer than :data:`LEAST`
    papers join the part of the same topic to which most of their links lead; where none do (near
    copies that know only each other) their papers have no topic.

    Raises:
        JobCancelledError: ``ctx`` was cancelled.
    """
    text = "Finding topics"
    ctx.progress(0, 3, text)
    links = weighted(graph)
    ctx.progress(1, 3, text)
    found = [_settled(links, _coarse(links, seed))]
    depth = 3 if len(graph) >= _THIRD_LEVEL else 2
    while len(found) < depth:
        ctx.progress(len(found) + 1, depth + 1, text)
        finer = _parted(links, found[-1], seed)
        if finer.max(initial=-1) == found[-1].max(initial=-1):
            break
        found.append(finer)
    return found


def _coarse(links: Any, seed: int) -> NDArray[np.int64]:
    """Parts of the whole, few enough to look over."""
    resolution = 1.0
    for _try in range(_TRIES):
        labels = communities(links, resolution, seed)
        parts = np.count_nonzero(np.bincount(labels) >= LEAST)
        if parts <= MOST_COARSE:
            break
        resolution *= min(_LOOSER, max(_LOOSEST, _AIM / parts))
    return labels


def parts_of(links: Any, seed: int, resolution: float = 1.0) -> NDArray[np.int64]:
    """The parts of one topic, int64 (m,), none smaller than :data:`LEAST`.

    Args:
        links: of its papers among each other (m, m).
        seed: of the draws.
        resolution: the higher, the more parts.
    """
    labels = _settled(links, communities(links, resolution, seed))
    if (labels < 0).any():  # within a topic nothing is left over
        labels = np.where(labels < 0, 0, labels)
    return by_size(labels)


def _parted(links: Any, above: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Each part of a level parted further where it is large enough."""
    found = np.full(len(above), -1, np.int64)
    number = 0
    for part in range(int(above.max(initial=-1)) + 1):
        inside = np.flatnonzero(above == part)
        labels = np.zeros(len(inside), np.int64)
        if len(inside) >= _PART:
            labels = parts_of(links[inside][:, inside].tocsr(), seed)
        found[inside] = number + labels
        number += int(labels.max()) + 1
    return found


def _settled(links: Any, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Labels without parts that are too small: these join another, or are -1."""
    labels = by_size(labels)
    counts = np.bincount(labels)
    large = np.flatnonzero(counts >= LEAST)
    if len(large) == len(counts):
        return labels
    kept = np.where(np.isin(labels, large), labels, -1)
    n = len(labels)
    from scipy.sparse import csr_matrix

    inside = np.flatnonzero(kept >= 0)
    width = max(1, len(large))
    member = csr_matrix((np.ones(len(inside)), (inside, kept[inside])), shape=(n, width))
    small = np.flatnonzero(kept < 0)
    parts, places = np.unique(labels[small], return_inverse=True)
    groups = csr_matrix((np.ones(len(small)), (places, small)), shape=(len(parts), n))
    weights = np.asarray((groups @ links @ member).todense())
    best = np.where(weights.max(axis=1) > 0, weights.argmax(axis=1), -1)
    kept[small] = best[places]
    return by_size_known(kept)


def by_size_known(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """As :func:`by_size`, with -1 staying -1."""
    known = labels >= 0
    result = labels.copy()
    result[known] = by_size(labels[known])
    return result
