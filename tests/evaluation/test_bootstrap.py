"""Intervals that mean what they say."""

from __future__ import annotations

import numpy as np
import pytest

from litscape.evaluation.bootstrap import compare, estimate


def test_the_interval_of_a_mean_is_near_the_normal_one() -> None:
    values = np.random.default_rng(1).normal(0.3, 0.2, size=400)
    found = estimate(values)
    half = 1.96 * values.std() / np.sqrt(400)
    assert found.n == 400
    assert found.mean == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - half, abs=0.002)
    assert found.high == pytest.approx(values.mean() + half, abs=0.002)
    assert estimate(values) == found


def test_equal_values_have_no_width() -> None:
    found = estimate(np.full(7, 0.25), resamples=750)
    assert (found.low, found.mean, found.high) == (0.25, 0.25, 0.25)


def test_pairs_see_what_separate_intervals_do_not() -> None:
    rng = np.random.default_rng(2)
    base = rng.random(100)
    better = base + 0.02 + rng.normal(0, 0.01, size=100)
    found = compare(base, better)
    assert found.certain
    assert found.difference.low > 0.01
    assert found.p == pytest.approx(1 / 10_001)
    assert estimate(base).high > estimate(better).low
    backwards = compare(better, base)
    assert backwards.difference.mean == pytest.approx(-found.difference.mean)
    assert (backwards.wins, backwards.losses) == (found.losses, found.wins)


def test_no_change_is_not_certain() -> None:
    values = np.random.default_rng(3).random(50)
    same = compare(values, values)
    assert (same.wins, same.ties, same.losses) == (0, 50, 0)
    assert not same.certain
    assert same.p == 1.0
    noise = compare(values, values + np.random.default_rng(4).normal(0, 0.1, 50), resamples=2000)
    assert not noise.certain
    assert noise.p > 0.05


def test_values_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(ValueError, match="pairs"):
        compare(np.zeros(3), np.zeros(4))
    with pytest.raises(ValueError, match="at least one"):
        estimate(np.zeros(0))
