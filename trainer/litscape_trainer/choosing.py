"""Whether the weights that measured best on the development queries are better than the base's.

The best of several looks is the largest of several noisy figures, so it lies above the base model
even where nothing was learnt: in a small library by a fifth of a point, and the test then fell by
2.5. Each query is answered by both, so what remains of that noise is the standard error of the
paired differences; a gain within it is none, and the base model's weights stay.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NOT_BETTER = (
    "On the development papers nothing was measurably better than the base model, so its weights "
    "stay."
)


def measurably_better(
    base: NDArray[np.float64] | Sequence[float], best: NDArray[np.float64] | Sequence[float]
) -> bool:
    """Whether the mean paired gain exceeds one standard error of the paired differences.

    Args:
        base: the base model's figure of each query, (q,).
        best: those of the weights that measured best, of the same queries.
    """
    gain = np.asarray(best, dtype=np.float64) - np.asarray(base, dtype=np.float64)
    if len(gain) < 2:  # one query tells nothing of how much it varies
        return False
    return float(gain.mean()) > float(gain.std(ddof=1)) / math.sqrt(len(gain))
