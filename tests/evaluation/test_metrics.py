"""Measures against values worked out by hand, and properties that always hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.evaluation.metrics import (
    MEASURES,
    PRIMARY,
    average_precision,
    ndcg,
    recall,
    reciprocal_rank,
)


def test_ndcg() -> None:
    gain = 1 / math.log2(2) + 1 / math.log2(5)
    best = 1 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg([7, 1, 2, 8, 3], {7, 8, 9}, 10) == pytest.approx(gain / best)
    assert ndcg([7, 1, 2, 8, 3], {7, 8, 9}, 3) == pytest.approx(1 / best)
    assert ndcg([1, 2], {1, 2, 3, 4}, 2) == 1.0
    assert ndcg([], {1}, 10) == 0.0
    assert ndcg([1], set(), 10) == 0.0


def test_recall() -> None:
    assert recall([1, 2, 3, 4], {2, 4, 9}, 3) == pytest.approx(1 / 3)
    assert recall([1, 2, 3, 4], {2, 4, 9}, 20) == pytest.approx(2 / 3)
    assert recall([1], set(), 20) == 0.0


def test_average_precision() -> None:
    assert average_precision([1, 7, 2, 8], {7, 8, 9}) == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert average_precision([1, 7, 2, 8], {7, 8, 9}, 2) == pytest.approx((1 / 2) / 3)
    assert average_precision([], {1}) == 0.0


def test_reciprocal_rank() -> None:
    assert reciprocal_rank([5, 6, 7], {7, 6}) == pytest.approx(1 / 2)
    assert reciprocal_rank([5], {7}) == 0.0
    assert reciprocal_rank([], {7}) == 0.0


@given(st.lists(st.integers(0, 50), unique=True), st.sets(st.integers(0, 50), min_size=1))
def test_every_measure_is_between_0_and_1_and_best_for_the_ideal(
    ranked: list[int], relevant: set[int]
) -> None:
    ideal = [*relevant, *(paper for paper in ranked if paper not in relevant)]
    for name, measure in MEASURES.items():
        value = measure(np.array(ranked, dtype=np.int64), relevant)
        assert 0 <= value <= measure(ideal, relevant) + 1e-12 <= 1 + 1e-9, name


def test_the_primary_measure_is_the_first() -> None:
    assert next(iter(MEASURES)) == PRIMARY == "nDCG@10"
