"""Places for papers that came later, without moving a paper that has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext

NEAREST = 8
_SHARPNESS = 0.05
"""Cosine by which a neighbour must be nearer to weigh e times as much."""
_BLOCK = 512
_RIDGE = 1e-6


def by_neighbours(
    vectors: NDArray[np.float32],
    known: NDArray[np.float32],
    xy: NDArray[np.float32],
    ctx: JobContext,
) -> NDArray[np.float32]:
    """Each paper among its nearest ones: the median of their places, each by its nearness.

    A mean of neighbours in two topics would lie between them, where nothing is; the median lies
    with the more and the nearer of them.

    Args:
        vectors: unit vectors of the new papers (m, d).
        known: those of papers that have a place (n, d).
        xy: these places (n, 2).
        ctx: hears of progress.

    Returns:
        Places (m, 2).
    """
    found = np.empty((len(vectors), 2), dtype=np.float32)
    k = min(NEAREST, len(known))
    for begin in range(0, len(vectors), _BLOCK):
        ctx.progress(begin, len(vectors), "Placing new papers")
        cosines = vectors[begin : begin + _BLOCK] @ known.T
        near = np.argpartition(cosines, len(known) - k, axis=1)[:, len(known) - k :]
        values = np.take_along_axis(cosines, near, axis=1)
        weights = np.exp((values - values.max(axis=1, keepdims=True)) / _SHARPNESS)
        for axis in range(2):
            found[begin : begin + _BLOCK, axis] = _median(xy[near, axis], weights)
    return found


def by_plane(
    vectors: NDArray[np.float32], known: NDArray[np.float32], xy: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Places (m, 2) by the linear map that gave the known vectors (n, d) their places (n, 2)."""
    mean, centre = known.mean(axis=0), xy.mean(axis=0)
    part = (known - mean).astype(np.float64)
    square = part.T @ part
    square[np.diag_indices_from(square)] += _RIDGE * max(float(np.trace(square)), _RIDGE)
    axes = np.linalg.solve(square, part.T @ (xy - centre))
    return np.asarray((vectors - mean) @ axes + centre, dtype=np.float32)


def _median(values: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """The weighted median of each row (m, k)."""
    order = np.argsort(values, axis=1, kind="stable")
    values = np.take_along_axis(values, order, axis=1)
    reached = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    at = (reached < reached[:, -1:] / 2).sum(axis=1)
    return np.take_along_axis(values, at[:, None], axis=1)[:, 0]
