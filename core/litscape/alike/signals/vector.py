"""Meaning: the cosine of a paper's vector with the direction sought."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal

if TYPE_CHECKING:
    from litscape.alike.ground import Ground, Values


def measure(ground: Ground) -> Values:
    """(n,); a paper without a vector counts as being as near as the middle one."""
    known = ~np.isnan(ground.cosines)
    if known.all():
        return ground.cosines
    middle = np.median(ground.cosines[known]) if known.any() else 0.0
    found: Values = np.where(known, ground.cosines, middle)
    return found


SIGNAL = Signal("vector", "meaning", 0.4, measure, of_links=False)
