"""Cited together with an example in the user's own manuscripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal

if TYPE_CHECKING:
    from litscape.alike.ground import Ground, Values
    from litscape.alike.seeds import Side


def measure(ground: Ground) -> Values:
    """(n,)."""
    return ground.balanced(_of)


def _of(ground: Ground, side: Side) -> Values:
    if not len(side.numbers):
        return ground.nothing()
    together = ground.together()
    pairs = [
        pair
        for paper in ground.links.ids[side.numbers].tolist()
        for pair in together.get(paper, ())
    ]
    others = np.array([paper for paper, _weight in pairs], dtype=np.int64)
    weights = np.array([weight / (1 + weight) for _paper, weight in pairs], dtype=np.float64)
    there = np.isin(others, ground.links.ids)
    return ground.of_pairs(ground.links.numbers_of(others), weights[there], side.size)


SIGNAL = Signal("manuscripts", "cited together in your manuscripts", 0.2, measure)
