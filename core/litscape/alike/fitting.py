"""Weights of signals from examples of what should stand above what: pairwise logistic regression.

Pairs as in RankNet (Burges et al. 2005) with a linear scorer: each paper that was to be found
against each that was not, of the same query. Weights stay at or above 0 and are drawn towards the
default ones, the more the less the examples say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DRAWN = (0.01, 0.03, 0.1, 0.3, 1.0)
"""How strongly weights may be drawn to the default ones; tried on parts of the queries."""
FOLDS = 5
STEPS = 200
_AGAINST = 60
"""Papers not to be found that make pairs in each query: every n-th by rank. The best ranked alone
would be those that the present weights rank too high, and turn every weight down."""
_LEAST = 0.05
"""A default weight counts as at least that where changes are measured in its terms."""


@dataclass(frozen=True, slots=True)
class Query:
    """One query with its candidates.

    Attributes:
        values: (m, s) what each signal says of each candidate.
        relevant: (m,) which were to be found.
        missed: how many that were to be found are no candidates.
    """

    values: Floats
    relevant: NDArray[np.bool_]
    missed: int = 0


def fit(queries: Sequence[Query], start: Floats) -> Floats:
    """The weights (s,) that rank best, at least 0; how far they may move is found by folds.

    Args:
        queries: what to learn from.
        start: (s,) default weights.
    """
    if len(queries) < 2 * FOLDS:
        return start
    gains = np.zeros(len(DRAWN))
    parts = [np.arange(len(queries)) % FOLDS == fold for fold in range(FOLDS)]
    for part in parts:
        held = [query for query, out in zip(queries, part, strict=True) if out]
        rest = _pairs([q for q, out in zip(queries, part, strict=True) if not out], start)
        for place, strength in enumerate(DRAWN):
            gains[place] += sum(ndcg(held, _descend(*rest, start, strength)))
    # Among nearly equal ones the strongest: what is learned has to earn its place.
    good = np.flatnonzero(gains >= gains.max() - 0.0005 * len(queries))
    return _descend(*_pairs(queries, start), start, DRAWN[int(good[-1])])


def ndcg(queries: Sequence[Query], weights: Floats, k: int = 10) -> list[float]:
    """The nDCG at ``k`` of each query, ranked by the weighted sum."""
    discounts = 1 / np.log2(np.arange(2, k + 2))
    found = []
    for query in queries:
        order = np.argsort(-(query.values @ weights), kind="stable")[:k]
        number = min(k, int(query.relevant.sum()) + query.missed)
        best = discounts[:number].sum()
        gains = query.relevant[order] * discounts[: len(order)]
        found.append(float(gains.sum() / best) if number else 0.0)
    return found


def _pairs(queries: Sequence[Query], start: Floats) -> tuple[Floats, Floats]:
    """Differences (p, s) of what should stand above and below, and what each pair counts.

    All pairs of a query count as one.
    """
    differences, counts = [], []
    for query in queries:
        good = query.values[query.relevant]
        bad = query.values[~query.relevant]
        bad = bad[np.argsort(-(bad @ start), kind="stable")[:: -(-len(bad) // _AGAINST) or 1]]
        if len(good) and len(bad):
            pairs = (good[:, None, :] - bad[None, :, :]).reshape(-1, query.values.shape[1])
            differences.append(pairs)
            counts.append(np.full(len(pairs), 1 / len(pairs)))
    if not differences:
        return np.zeros((0, len(start))), np.zeros(0)
    weights = np.concatenate(counts)
    return np.concatenate(differences), weights / weights.sum()


def _descend(differences: Floats, counts: Floats, start: Floats, strength: float) -> Floats:
    """Projected gradient descent on the logistic loss, in terms of the default weights."""
    if not len(differences):
        return start
    unit = np.maximum(start, _LEAST)
    scaled = differences * unit
    spread = float(np.abs(differences @ start) @ counts) or 1.0
    scaled = scaled / spread
    first = start / unit
    at = first.copy()
    curve = 0.25 * float(np.linalg.norm(scaled * np.sqrt(counts)[:, None], 2) ** 2) + 2 * strength
    for _ in range(STEPS):
        slope = -(scaled.T @ (counts / (1 + np.exp(np.clip(scaled @ at, -50, 50)))))
        at = np.maximum(0.0, at - (slope + 2 * strength * (at - first)) / curve)
    found: Floats = at * unit
    return found
