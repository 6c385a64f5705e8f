"""What every signal is measured from: the examples, all papers with their links, and meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.seeds import UNLIKE

if TYPE_CHECKING:
    from collections.abc import Callable

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.alike.links import Links
    from litscape.alike.seeds import Side
    from litscape.index.base import Vectors

    Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ground:
    """What a request is answered from.

    Attributes:
        conn: a connection; signals ask by way of :mod:`litscape.store`.
        links: all papers by number, and the links that may be used.
        liked: what hits should be like.
        unliked: what they should be unlike.
        cosines: (n,) of every paper with the direction sought; NaN where it has no vector.
        together: by pair of papers, how strongly the user's manuscripts cite them together.
    """

    conn: sa.Connection
    links: Links
    liked: Side
    unliked: Side
    cosines: Values
    together: Callable[[], dict[int, list[tuple[int, float]]]]

    def balanced(self, measure: Callable[[Ground, Side], Values]) -> Values:
        """(n,): a measure by the wanted examples less a part of that by the unwanted."""
        found = measure(self, self.liked)
        if self.unliked.size:
            found = found - UNLIKE * measure(self, self.unliked)
        return found

    def nothing(self) -> Values:
        """(n,) zeros."""
        return np.zeros(len(self.links), dtype=np.float64)

    def of_pairs(self, numbers: NDArray[np.int32], values: Values, size: int) -> Values:
        """(n,): values of papers summed over the examples that they come from, at most 1.

        Over s examples a paper that one of them speaks for gets 1 / sqrt(s) of it: a paper that
        several speak for is above it, and many examples do not drown what one says.
        """
        if not len(numbers):
            return self.nothing()
        summed = np.bincount(numbers, values, minlength=len(self.links))
        found: Values = np.minimum(1.0, summed / np.sqrt(max(1, size)))
        return found


def direction(liked: Vectors, unliked: Vectors) -> Vectors | None:
    """The unit vector sought: the mean of the wanted less a part of that of the unwanted.

    Rocchio (1971). On simulated likes and dislikes it did as well as or better than logistic
    regression, ridge regression and discriminants with the library's covariance
    (docs/decisions), and it takes no training.

    Args:
        liked: (p, d) unit vectors.
        unliked: (m, d), or none.

    Returns:
        (d,) float32; None where there is nothing to be like.
    """
    if not len(liked):
        return None
    vector = liked.mean(axis=0)
    if len(unliked):
        vector = vector - UNLIKE * unliked.mean(axis=0)
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length, dtype=np.float32) if length > 1e-6 else None
