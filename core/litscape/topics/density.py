"""Topics by density: HDBSCAN on the vectors, brought to fewer dimensions by PCA.

Campello, Moulavi, Sander, "Density-based clustering based on hierarchical density estimates"
(PAKDD 2013), by scikit-learn. Papers that lie between the dense places have no topic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.topics.leiden import LEAST, by_size_known

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext

_DIMENSIONS = 10
"""Distances in 384 dimensions hardly differ, and take 70 times as long."""
_SHARE = 400


def levels(matrix: NDArray[np.float32], seed: int, ctx: JobContext) -> list[NDArray[np.int64]]:
    """The dense part of each paper, coarse and fine, int64 (n,); -1 where it lies in none.

    Both levels come from the same tree of densities: the fine ones are its leaves, each of which
    lies within a coarse one.

    Args:
        matrix: unit vectors (n, d).
        seed: of the draws of PCA.
        ctx: hears of progress.

    Raises:
        JobCancelledError: ``ctx`` was cancelled.
    """
    from sklearn.cluster import HDBSCAN
    from sklearn.decomposition import PCA

    ctx.progress(0, 3, "Finding topics")
    width = min(_DIMENSIONS, *matrix.shape)
    points = PCA(width, random_state=seed).fit_transform(matrix.astype(np.float64))
    least = max(LEAST, len(matrix) // _SHARE)
    found = []
    for step, method in enumerate(("eom", "leaf"), start=1):
        ctx.progress(step, 3, "Finding topics")
        model = HDBSCAN(min_cluster_size=least, cluster_selection_method=method, copy=True)
        found.append(by_size_known(model.fit_predict(points).astype(np.int64)))
    coarse, fine = found
    return [coarse, by_size_known(_within(fine, coarse))]


def _within(fine: NDArray[np.int64], coarse: NDArray[np.int64]) -> NDArray[np.int64]:
    """Fine parts without what does not lie in the coarse part that most of theirs do."""
    kept = fine.copy()
    for part in range(int(fine.max(initial=-1)) + 1):
        inside = np.flatnonzero(fine == part)
        home = np.bincount(coarse[inside] + 1).argmax() - 1
        kept[inside[(coarse[inside] != home) | (home < 0)]] = -1
    return kept
