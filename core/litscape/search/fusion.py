"""Joining what meaning and words say of the same papers into one score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def blend(
    cosines: NDArray[np.float64], words: NDArray[np.float64], weight: float
) -> NDArray[np.float64]:
    """``weight`` of the cosine and the rest of the words' measure, both as they are.

    Neither is stretched over the candidates: a difference counts for what it is, however near to
    each other or far apart the others lie.

    Args:
        cosines: (n,); NaN where a paper has no vector: it is taken to be as near as the middle one.
        words: (n,) 0 … 1.
        weight: 0 … 1; of no effect where no cosine is known.
    """
    known = ~np.isnan(cosines)
    if not known.any():
        return words
    filled = np.where(known, cosines, np.median(cosines[known]))
    return weight * filled + (1 - weight) * words
