"""Measures of one ranking against the papers that are relevant, each between 0 and 1.

Relevance is yes or no, or a grade by paper (more than 0: relevant). Definitions are those of
trec_eval, so that figures can be compared: gains are the grades as they are, and a query without
any relevant paper counts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    Ranked = Sequence[int] | NDArray[np.int64]
    Relevant = Collection[int] | Mapping[int, int]
    Measure = Callable[[Ranked, Relevant], float]

MAP_DEPTH = 200
"""Average precision looks no deeper; below it a ranking is not read."""


def ndcg(ranked: Ranked, relevant: Relevant, k: int | None) -> float:
    """Discounted cumulative gain of the first ``k`` (all: None), as a share of the best possible.

    Discount 1 / log2(rank + 1); 0 where nothing is relevant.
    """
    gains = _gains(ranked, relevant, k)
    best = np.sort(np.fromiter(_grades(relevant).values(), dtype=np.float64))[::-1][:k]
    ideal = _discounted(best)
    return _discounted(gains) / ideal if ideal else 0.0


def recall(ranked: Ranked, relevant: Relevant, k: int) -> float:
    """Share of the relevant papers that are among the first ``k``."""
    number = len(_grades(relevant))
    return float(_hits(ranked, relevant, k).sum() / number) if number else 0.0


def average_precision(ranked: Ranked, relevant: Relevant, k: int | None = MAP_DEPTH) -> float:
    """Mean over the relevant papers of the precision at their rank; 0 for those below ``k``."""
    hits = _hits(ranked, relevant, k)
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    number = len(_grades(relevant))
    return float((precision * hits).sum() / number) if number else 0.0


def reciprocal_rank(ranked: Ranked, relevant: Relevant) -> float:
    """One over the rank of the first relevant paper; 0 where none is ranked."""
    found = np.flatnonzero(_hits(ranked, relevant, None))
    return float(1 / (found[0] + 1)) if len(found) else 0.0


def trec_order(scores: Mapping[str, float]) -> list[str]:
    """Documents in the order in which trec_eval reads a run: best score first.

    Scores are compared in single precision, and equal ones go by name, last first.
    """
    names = sorted(scores, reverse=True)
    values = np.array([scores[name] for name in names], dtype=np.float32)
    return [names[i] for i in np.argsort(-values, kind="stable").tolist()]


def _grades(relevant: Relevant) -> Mapping[int, int]:
    if isinstance(relevant, Mapping):
        return {paper: grade for paper, grade in relevant.items() if grade > 0}
    return dict.fromkeys(relevant, 1)


def _gains(ranked: Ranked, relevant: Relevant, k: int | None) -> NDArray[np.float64]:
    grades = _grades(relevant)
    return np.array([grades.get(int(paper), 0) for paper in ranked[:k]], dtype=np.float64)


def _discounted(gains: NDArray[np.float64]) -> float:
    return float((gains / np.log2(np.arange(2, len(gains) + 2))).sum())


def _hits(ranked: Ranked, relevant: Relevant, k: int | None) -> NDArray[np.float64]:
    return np.minimum(_gains(ranked, relevant, k), 1.0)


MEASURES: Mapping[str, Measure] = {
    "nDCG@10": lambda ranked, relevant: ndcg(ranked, relevant, 10),
    "Recall@20": lambda ranked, relevant: recall(ranked, relevant, 20),
    "MAP": average_precision,
    "MRR": reciprocal_rank,
}
"""What is reported; the first is the primary one."""
PRIMARY = "nDCG@10"
