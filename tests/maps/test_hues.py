"""Hues of topics: near ones never share one, however many topics there are."""

from __future__ import annotations

import numpy as np

from litscape.maps.hues import NEAREST, spread_hues
from litscape_resources.palettes import HUES


def heaps(
    places: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> tuple[
    np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int, int], np.dtype[np.float64]]
]:
    """Thirty papers around each place."""
    rng = np.random.default_rng(0)
    of = np.repeat(np.arange(len(places)), 30)
    return of, places[of] + rng.normal(0, 0.05, (len(of), 2))


def test_near_topics_never_share_a_hue_and_the_same_ones_come_again() -> None:
    places = np.random.default_rng(3).uniform(0, 6, (24, 2))
    of, xy = heaps(places)
    wished = [number % 3 for number in range(24)]
    found = spread_hues(wished, of, xy)
    assert found == spread_hues(wished, of, xy)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    for one, row in enumerate(apart):
        for other in np.argsort(row)[1:NEAREST]:
            assert found[one] != found[other]
    assert max(found) < HUES


def test_a_topic_keeps_its_own_hue_where_no_near_one_has_it() -> None:
    places = np.stack((np.arange(24.0), np.zeros(24)), axis=1)
    of, xy = heaps(places)
    wished = [number % HUES for number in range(24)]
    assert spread_hues(wished, of, xy) == wished


def test_as_many_topics_as_hues_all_differ_and_absent_ones_do_no_harm() -> None:
    places = np.stack((np.arange(float(HUES)), np.zeros(HUES)), axis=1)
    of, xy = heaps(places)
    assert sorted(spread_hues([4] * HUES, of, xy)) == list(range(HUES))
    assert spread_hues([4, 14, 2], np.array([0, 0, -1]), np.zeros((3, 2))) == [4, 4, 2]
    assert spread_hues([1], np.empty(0, np.int64), np.empty((0, 2))) == [1]
