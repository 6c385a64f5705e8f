"""Measures of one ranking against the papers that are relevant, each between 0 and 1.

Relevance is yes or no. Definitions are those of trec_eval, so that figures can be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    Measure = Callable[["Sequence[int] | NDArray[np.int64]", Collection[int]], float]

MAP_DEPTH = 200
"""Average precision looks no deeper; below it a ranking is not read."""


def ndcg(ranked: Sequence[int] | NDArray[np.int64], relevant: Collection[int], k: int) -> float:
    """Discounted cumulative gain of the first ``k``, as a share of the best possible.

    Discount 1 / log2(rank + 1); 0 where nothing is relevant.
    """
    gains = _hits(ranked, relevant, k)
    discounts = 1 / np.log2(np.arange(2, k + 2))
    best = discounts[: min(k, len(relevant))].sum()
    return float((gains * discounts[: len(gains)]).sum() / best) if best else 0.0


def recall(ranked: Sequence[int] | NDArray[np.int64], relevant: Collection[int], k: int) -> float:
    """Share of the relevant papers that are among the first ``k``."""
    return float(_hits(ranked, relevant, k).sum() / len(relevant)) if relevant else 0.0


def average_precision(
    ranked: Sequence[int] | NDArray[np.int64], relevant: Collection[int], k: int = MAP_DEPTH
) -> float:
    """Mean over the relevant papers of the precision at their rank; 0 for those below ``k``."""
    hits = _hits(ranked, relevant, k)
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float((precision * hits).sum() / len(relevant)) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[int] | NDArray[np.int64], relevant: Collection[int]) -> float:
    """One over the rank of the first relevant paper; 0 where none is ranked."""
    found = np.flatnonzero(_hits(ranked, relevant, len(ranked)))
    return float(1 / (found[0] + 1)) if len(found) else 0.0


def _hits(
    ranked: Sequence[int] | NDArray[np.int64], relevant: Collection[int], k: int
) -> NDArray[np.float64]:
    head = np.asarray(ranked[:k], dtype=np.int64)
    return np.isin(head, np.fromiter(relevant, dtype=np.int64)).astype(np.float64)


MEASURES: Mapping[str, Measure] = {
    "nDCG@10": lambda ranked, relevant: ndcg(ranked, relevant, 10),
    "Recall@20": lambda ranked, relevant: recall(ranked, relevant, 20),
    "MAP": average_precision,
    "MRR": reciprocal_rank,
}
"""What is reported; the first is the primary one."""
PRIMARY = "nDCG@10"
