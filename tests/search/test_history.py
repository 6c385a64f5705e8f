"""Queries are remembered by library, beside the library, until they are forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.search.history import MOST, SearchHistory

if TYPE_CHECKING:
    from pathlib import Path


def test_newest_first_and_by_library(tmp_path: Path) -> None:
    history = SearchHistory(tmp_path / "made" / "searches.json")
    one, other = tmp_path / "one", tmp_path / "other"
    for query in ("graph", "net", "graph", "  two  words ", "", "x" * 1000):
        history.remember(one, query)
    history.remember(other, "alone")
    assert history.recent(one) == ("two words", "graph", "net")
    assert history.recent(one, "R") == ("two words", "graph")
    assert history.recent(one, "gr") == ("graph",)
    assert SearchHistory(tmp_path / "made" / "searches.json").recent(other) == ("alone",)
    assert history.forget(one, "graph") == 1
    assert history.recent(one) == ("two words", "net")
    assert history.forget(one) == 2
    assert (history.recent(one), history.recent(other)) == ((), ("alone",))


def test_what_went_on_is_one_query_and_there_are_not_too_many(tmp_path: Path) -> None:
    history = SearchHistory(tmp_path / "searches.json")
    for query in ("gra", "graph", "graph nets"):
        history.remember(tmp_path, query)
    assert history.recent(tmp_path) == ("graph nets",)
    for number in range(MOST + 5):
        history.remember(tmp_path, f"{number} query")
    assert len(history.recent(tmp_path)) == MOST


def test_a_file_that_is_no_history_is_none(tmp_path: Path) -> None:
    file = tmp_path / "searches.json"
    for text in ("no json", "[1]", '{"a": 1}'):
        file.write_text(text, encoding="utf-8")
        history = SearchHistory(file)
        assert history.recent(tmp_path) == ()
        history.remember(tmp_path, "graph")
        assert history.recent(tmp_path) == ("graph",)
    SearchHistory(tmp_path / "searches.json" / "no folder").remember(tmp_path, "lost")
