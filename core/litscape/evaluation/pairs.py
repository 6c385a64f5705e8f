"""Pairs to be told apart by their scores: the area under the ROC curve, with its uncertainty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from litscape.evaluation.systems.base import Scores, System
    from litscape.evaluation.tasks.base import Pair

AREA = "pair AUC"


def tell_apart(
    system: System, pairs: Sequence[Pair], step: Callable[[], None]
) -> NDArray[np.float64]:
    """How much each pair adds to the area under the curve, (n,): their mean is that area."""
    known: dict[int, Scores] = {}
    positive, negative = np.empty(len(pairs)), np.empty(len(pairs))
    for i, pair in enumerate(pairs):
        question = pair.question
        if id(question) not in known:
            step()
            known[id(question)] = system.score(question, len(question.candidates))
        scores = known[id(question)]
        positive[i] = scores.get(pair.positive, -np.inf)
        negative[i] = scores.get(pair.negative, -np.inf)
    return shares(positive, negative)


def shares(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each pair of scores (n,) adds: the mean is the area, the spread its uncertainty.

    A pair's positive score is held against all negative ones and the other way round (the
    structural components of DeLong, DeLong and Clarke-Pearson 1988), so that resampling pairs
    gives the interval of the area, though every score meets every other.
    """
    above = _share_below(positive, negative)
    below = 1 - _share_below(negative, positive)
    found: NDArray[np.float64] = above + below - above.mean()
    return found


def _share_below(values: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the others that each value is above; a tie counts half."""
    ordered = np.sort(others)
    left = np.searchsorted(ordered, values, side="left")
    right = np.searchsorted(ordered, values, side="right")
    share: NDArray[np.float64] = (left + right) / (2 * len(others))
    return share
