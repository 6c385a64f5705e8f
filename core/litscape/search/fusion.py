"""Joining two rankings into one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.paper import PaperId

RRF_K = 60


def reciprocal_ranks(*rankings: Sequence[PaperId], k: int = RRF_K) -> list[tuple[PaperId, float]]:
    """Reciprocal rank fusion: each ranking gives a paper 1 / (k + its rank), ranks from 1.

    Scores are divided by the best possible one, so that 1 is first everywhere. Ties go by id.
    Cormack, Clarke and Büttcher 2009.
    """
    scores: dict[PaperId, float] = {}
    for ranking in rankings:
        for rank, paper in enumerate(ranking, start=1):
            scores[paper] = scores.get(paper, 0.0) + (k + 1) / (k + rank) / len(rankings)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def unit_range(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values (n,) moved and stretched to 0 … 1; all 0 where they are equal; NaN stays."""
    if not len(values) or bool(np.isnan(values).all()):
        return values
    low, high = np.nanmin(values), np.nanmax(values)
    return (values - low) / (high - low) if high > low else values * 0.0


def blend(
    vectors: NDArray[np.float64], words: NDArray[np.float64], weight: float
) -> NDArray[np.float64]:
    """``weight`` of the vectors' similarity and the rest of the words', each on its unit range.

    Where one is unknown (NaN), the other stands for both.
    """
    first, second = unit_range(vectors), unit_range(words)
    first = np.where(np.isnan(first), second, first)
    second = np.where(np.isnan(second), first, second)
    return weight * first + (1 - weight) * second
