"""Joining what meaning and words say of the same papers into one score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Fusion = Literal["scores", "ranks"]
FUSIONS: tuple[Fusion, ...] = ("scores", "ranks")
"""How hybrid search joins its two rankings: by both measures, or by reciprocal ranks."""
RANK_CONSTANT = 60
"""``k`` of reciprocal rank fusion, as its authors (Cormack, Clarke and Büttcher, 2009) set it."""


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


def reciprocal_ranks(
    rankings: Sequence[Sequence[int]], ids: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Reciprocal rank fusion: the sum of 1 / (60 + rank) over the rankings that have the paper.

    Args:
        rankings: papers, best first.
        ids: (n,) the papers to score.

    Returns:
        (n,) scores, 0 where no ranking has the paper.
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, paper in enumerate(ranking, start=1):
            scores[paper] = scores.get(paper, 0.0) + 1 / (RANK_CONSTANT + rank)
    return np.array([scores.get(paper, 0.0) for paper in ids.tolist()], dtype=np.float64)
