"""Two maps over each other: Procrustes, and the papers that moved most.

Schönemann, Psychometrika 31 (1966): the rotation or mirroring that brings two sets of points
nearest is the orthogonal factor of the product of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import UserError
from litscape.maps.records import Aligned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.maps.records import MapLayout

LEAST = 3
"""Any two pairs of points can be laid over each other, which would mean nothing."""


def align(before: MapLayout, after: MapLayout) -> Aligned:
    """Lay the second map over the first, by the papers that both have.

    Raises:
        UserError: they share fewer than three papers.
    """
    ids, in_before, in_after = np.intersect1d(before.ids, after.ids, return_indices=True)
    if len(ids) < LEAST:
        raise UserError(
            f"The maps {before.key} and {after.key} share {len(ids)} papers; to lay one over the "
            f"other takes at least {LEAST}."
        )
    first, _, _ = normed(before.xy[in_before])
    second, _, _ = normed(after.xy[in_after])
    turn, overlap = rotation(second, first)
    laid = second @ turn * overlap
    moved = np.linalg.norm(laid - first, axis=1).astype(np.float32)
    return Aligned(
        ids,
        first.astype(np.float32),
        laid.astype(np.float32),
        moved,
        ids[np.lexsort((ids, -moved))],
        float(max(0.0, 1.0 - overlap**2)),
    )


def normed(
    xy: NDArray[np.floating],
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Places centred and scaled to a mean square of 1 (n, 2), with the centre and the scale."""
    places = xy.astype(np.float64)
    centre = places.mean(axis=0)
    places = places - centre
    scale = float(np.sqrt((places**2).sum(axis=1).mean())) or 1.0
    return places / scale, centre, scale


def rotation(
    moving: NDArray[np.float64], fixed: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """How to turn or mirror normed places so that they come nearest to other normed ones.

    Returns:
        The orthogonal matrix (2, 2) that ``moving`` is to be multiplied by, and the best scale
        after that, 0 to 1.
    """
    left, sizes, right = np.linalg.svd(moving.T @ fixed)
    return left @ right, float(min(1.0, sizes.sum() / len(moving)))


def turned_onto(
    xy: NDArray[np.float32], start: NDArray[np.float32], shared: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Places turned or mirrored, not scaled, to lie like others, by those that are shared."""
    if int(shared.sum()) < LEAST:
        return xy
    moving, centre, _ = normed(xy[shared])
    fixed, _, _ = normed(start[shared])
    turn, _ = rotation(moving, fixed)
    return ((xy - centre) @ turn).astype(np.float32)
