"""Hues of topics: near ones never share one, however many topics there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from tests.maps.made import make, vectors

from litscape.jobs import null_context
from litscape.maps.colouring import Asked, colouring
from litscape.maps.hues import NEAREST, hues_of, spread_hues
from litscape.outline import read_outline
from litscape.store import edits
from litscape.store.topics import TopicRow, TreeRow, write_tree
from litscape_resources.palettes import HUES

if TYPE_CHECKING:
    from pathlib import Path


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


def test_the_tree_has_the_hues_of_the_newest_map(tmp_path: Path) -> None:
    topics = tuple(
        TopicRow(one + 1, None, 0, f"topic {one}", False, one % 4, (), np.arange(one + 1, 49, 12))
        for one in range(12)
    )
    with make(tmp_path, 48, vectors(48)) as library:
        with library.database.write() as conn:
            recorder = edits.begin(conn, "Find topics")
            rest, when = np.empty(0, np.int64), "2026-01-02T03:04:05Z"
            write_tree(recorder, TreeRow(0, "All papers", "m", "leiden", 0, when, rest, {}, topics))
            recorder.flush()
        outline = read_outline(library.database)
        kept: dict[object, dict[int, int]] = {}
        without = hues_of(library, outline.topics, kept)
        assert [one.colour for one in without] == [one.colour for one in outline.topics]
        layout = library.maps.make(layout="pca")
        listed = hues_of(library, outline.topics, kept)
        asked = Asked("topic", layout.ids, xy=layout.xy)
        entries = colouring(library, asked, null_context()).entries
        assert [(one.name, one.colour) for one in listed] == [
            (one.label, one.number) for one in entries
        ]
        assert len({one.colour for one in listed}) > 4, "near ones got others"
        assert len(kept) == 1
        assert hues_of(library, outline.topics, kept) == listed
