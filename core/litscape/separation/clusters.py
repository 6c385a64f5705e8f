"""Clusters of vectors to hold against labels: a method is a function and a line.

Loads scikit-learn and graspologic: for a process of its own (:mod:`litscape.apart`).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from litscape.maps.records import NeighbourGraph

    Codes = NDArray[np.int64]

NONE = -1
"""The cluster of a paper that a method leaves without one."""
_TRIES = 10
_COMPONENTS = 10
"""Distances in hundreds of dimensions hardly differ."""
LEAST_CLUSTER = 20
MOST_BY_DENSITY = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What clusters are made of.

    Attributes:
        matrix: unit vectors (n, d).
        graph: the nearest others of each.
        labels: how many labels there are; the number of clusters is to be comparable.
    """

    matrix: NDArray[np.float32]
    graph: NeighbourGraph
    labels: int


@dataclass(frozen=True, slots=True)
class Method:
    """One way to make clusters.

    Attributes:
        name: as reports call it.
        title: for people.
        start: prepares for a ground; what it returns makes the clusters (n,) of a seed.
        draws: whether a seed matters; one that does not draw is run once.
        leaves_out: whether it leaves papers without a cluster.
        note: what a reader should know of it.
    """

    name: str
    title: str
    start: Callable[[Ground], Callable[[int], Codes]]
    draws: bool = True
    leaves_out: bool = False
    note: str = ""


def kmeans(ground: Ground) -> Callable[[int], Codes]:
    """k-means on the unit vectors, with as many clusters as there are labels."""
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    def run(seed: int) -> Codes:
        # In several threads sums come in another order each time, and so may the clusters.
        with threadpool_limits(1, "openmp"), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct vectors than k
            made = KMeans(ground.labels, n_init=1, random_state=seed).fit(ground.matrix)
        return np.asarray(made.labels_, dtype=np.int64)

    return run


def leiden(ground: Ground) -> Callable[[int], Codes]:
    """Leiden on the neighbour graph, as fine as gives about as many clusters as labels."""
    from litscape.topics.leiden import communities, weighted

    links = weighted(ground.graph)
    resolution = _as_many(lambda fine: int(communities(links, fine, 0).max()) + 1, ground.labels)
    return lambda seed: communities(links, resolution, seed)


def _as_many(number: Callable[[float], int], wanted: int) -> float:
    """The resolution whose number of clusters comes nearest to what is wanted."""
    low, high, best = 0.02, 20.0, (np.inf, 1.0)
    for _try in range(_TRIES):
        middle = float(np.sqrt(low * high))
        found = number(middle)
        best = min(best, (abs(found - wanted), middle))
        if found == wanted:
            break
        low, high = (middle, high) if found < wanted else (low, middle)
    return best[1]


def hdbscan(ground: Ground) -> Callable[[int], Codes]:
    """HDBSCAN on the first principal components of the vectors.

    Its time grows with the square of the papers: of many some are drawn, and each other one goes
    where the drawn one nearest to it went.
    """
    from sklearn.cluster import HDBSCAN
    from sklearn.decomposition import PCA
    from sklearn.neighbors import NearestNeighbors

    size = min(_COMPONENTS, *ground.matrix.shape)
    reduced = PCA(size, svd_solver="covariance_eigh").fit_transform(ground.matrix)
    drawn = np.arange(len(reduced))
    if len(drawn) > MOST_BY_DENSITY:
        drawn = np.sort(np.random.default_rng(0).permutation(drawn)[:MOST_BY_DENSITY])
    least = max(5, min(LEAST_CLUSTER, len(drawn) // 20))
    found = HDBSCAN(min_cluster_size=least, min_samples=5, copy=True).fit(reduced[drawn])
    codes = np.asarray(found.labels_, dtype=np.int64)
    if len(drawn) < len(reduced):
        near = NearestNeighbors(n_neighbors=1).fit(reduced[drawn])
        codes = codes[near.kneighbors(reduced, return_distance=False)[:, 0]]
    return lambda _seed: codes


METHODS = (
    Method(
        "kmeans",
        "k-means",
        kmeans,
        note="As many clusters as labels.",
    ),
    Method(
        "leiden",
        "Leiden",
        leiden,
        note="On the graph of nearest neighbours, as fine as gives about as many clusters as "
        "labels.",
    ),
    Method(
        "hdbscan",
        "HDBSCAN",
        hdbscan,
        draws=False,
        leaves_out=True,
        note="Does not draw, so seeds change nothing; papers that it leaves without a cluster "
        "count as one more cluster. Of more than 10,000 papers so many are drawn; the others go "
        "where the nearest of these went.",
    ),
)
