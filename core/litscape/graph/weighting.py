"""How much one work that brings others together counts.

Fractional counting of Perianes-Rodriguez, Waltman and van Eck (2016), "Constructing bibliometric
networks: A comparison between full and fractional counting", Journal of Informetrics 10(4),
1178-1195: a work that brings n others together links each pair of them by 1 / (n - 1), so that
each of the n gets a total of one from it, and a survey with hundreds of references no more than a
letter with five. It follows Small and Sweeney (1985), Scientometrics 7, 391-409, who counted
citations fractionally before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def fractional(sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 / (n - 1) for each n; 0 where nothing is brought together (n < 2)."""
    found: NDArray[np.float64] = np.where(sizes > 1, 1.0 / np.maximum(sizes - 1, 1), 0.0)
    return found
