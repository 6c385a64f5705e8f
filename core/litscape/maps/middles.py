"""Where the name of some points is to stand: where most of them are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

REACH = 0.08
"""Share of the map's width around a name in which as many of its points as can be are to lie."""
_STARTS, _SAMPLE, _ROUNDS = 200, 2_000, 8


def reach_on(xy: NDArray[np.floating]) -> float:
    """How far around a name its points are counted, on a map of all these points, (n, 2)."""
    wide = np.percentile(xy, 99.5, axis=0) - np.percentile(xy, 0.5, axis=0)
    return max(REACH * float(wide.max()), 1e-9)


def densest(xy: NDArray[np.floating], reach: float) -> tuple[float, float]:
    """Where most of some points are: the place with the most of them around it.

    By mean shift (Fukunaga & Hostetler 1975) with a flat kernel, from the best of some points.

    Args:
        xy: places, (n, 2), at least one.
        reach: how far around is counted; see :func:`reach_on`.
    """
    whole = np.asarray(xy, dtype=np.float64)
    some = whole[:: max(1, len(whole) // _SAMPLE)]
    starts = np.vstack((np.median(some, axis=0), some[:: max(1, len(some) // _STARTS)]))
    around = [_near(some, start, reach).sum() for start in starts]
    best = starts[int(np.argmax(around))]
    most, place = 0, best
    for _round in range(_ROUNDS):
        near = _near(whole, place, reach)
        number = int(near.sum())
        if number <= most:
            break
        most, best = number, place
        place = whole[near].mean(axis=0)
    return float(best[0]), float(best[1])


def _near(xy: NDArray[np.float64], place: NDArray[np.float64], reach: float) -> NDArray[np.bool_]:
    return np.asarray(((xy - place) ** 2).sum(axis=1) <= reach * reach)
