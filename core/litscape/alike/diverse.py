"""Hits that differ from each other: maximal marginal relevance (Carbonell and Goldstein 1998)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.alike.ground import Values
    from litscape.index.base import Vectors

POOL = 150
"""Of the best so many papers hits are chosen, however many are wanted; the others follow."""


def chosen(scores: Values, vectors: Vectors, k: int, diversity: float) -> NDArray[np.int64]:
    """Places of ``k`` candidates, each the best by its score less its likeness to those before.

    Args:
        scores: (m,) descending.
        vectors: (m, d) unit vectors; a row of zeros is like nothing.
        k: how many.
        diversity: 0 (the order given) … 1 (as different as can be).
    """
    m = len(scores)
    k = min(k, m)
    if not k:
        return np.empty(0, dtype=np.int64)
    span = float(scores[0] - scores[-1]) or 1.0
    gain = (1 - diversity) * (scores - scores[-1]) / span
    near = np.full(m, -1.0)
    taken = np.zeros(m, dtype=bool)
    order = [0]
    while len(order) < k:
        taken[order[-1]] = True
        near = np.maximum(near, vectors @ vectors[order[-1]])
        order.append(int(np.argmax(np.where(taken, -np.inf, gain - diversity * near))))
    return np.array(order, dtype=np.int64)
