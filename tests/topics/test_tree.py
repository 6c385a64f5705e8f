"""Trees of topics: read, renamed, removed, and all of it undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.topics.support import add_papers

from litscape.errors import UserError
from litscape.library import Library
from litscape.store import edits
from litscape.store.integrity import check
from litscape.store.topics import TopicRow, TreeRow, write_tree

if TYPE_CHECKING:
    from pathlib import Path


def row(key: int, level: int, parent: int | None, name: str, members: list[int]) -> TopicRow:
    return TopicRow(key, parent, level, name, False, key, (name,), np.array(members, np.int64))


TREE = TreeRow(
    0,
    "All papers",
    "m",
    "leiden",
    0,
    "2026-01-02T03:04:05Z",
    np.array([9, 10], np.int64),
    {"sentence": "2 of 10 papers have no topic."},
    (
        row(1, 0, None, "rivers", [8]),
        row(2, 0, None, "lakes", [5, 6, 7]),
        row(3, 1, 1, "floods", [1, 2, 3]),
        row(4, 1, 1, "fish", [4]),
    ),
)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    made = Library.open(tmp_path / "lib")
    add_papers(made, [f"Paper {n}" for n in range(10)])
    with made.database.write() as conn:
        recorder = edits.begin(conn, "Find topics")
        write_tree(recorder, TREE)
        recorder.flush()
    return made


def test_a_tree_says_what_belongs_where(library: Library) -> None:
    with library:
        tree = library.topics.current()
        assert tree is not None
        assert [(t.name, t.size) for t in tree.topics] == [
            ("rivers", 5),
            ("lakes", 3),
            ("floods", 3),
            ("fish", 1),
        ]
        rivers = tree.topic("Rivers")
        assert [t.name for t in tree.below(rivers)] == ["floods", "fish"]
        assert library.topics.papers_of("rivers").tolist() == [1, 2, 3, 4, 8]
        assert tree.labels(1).tolist()[7] == -1  # of rivers, of nothing finer
        assert tree.unassigned(0) == pytest.approx(0.2)
        assert tree.labels(1).tolist()[4] == tree.topic("lakes").id  # which has no parts
        assert tree.unassigned(1) == pytest.approx(0.3)


def test_the_trash_counts_nowhere(library: Library) -> None:
    with library:
        library.edit.trash([1, 9])
        tree = library.topics.current()
        assert tree is not None
        assert tree.topic("floods").size == 2
        assert tree.topic("rivers").size == 4
        assert tree.unassigned() == pytest.approx(1 / 8)


def test_a_name_is_kept_and_undone(library: Library) -> None:
    with library:
        assert library.topics.rename("floods", "  High water ").structure
        tree = library.topics.current()
        assert tree is not None
        assert tree.topic("high water").edited
        with pytest.raises(UserError, match="already"):
            library.topics.rename("lakes", "RIVERS")
        library.history.undo()
        again = library.topics.current()
        assert again is not None
        assert not again.topic("floods").edited
        for odd in ("two\nlines", "a \x1b[31mred one", "one\u2028other"):
            with pytest.raises(UserError, match="one line, without control"):
                library.topics.rename("floods", odd)
        with pytest.raises(UserError, match=r"at most 80 characters; this one has 1,000"):
            library.topics.rename("floods", "x" * 1000)
        assert library.topics.rename("floods", "é" * 80).structure
        library.history.undo()
        with pytest.raises(UserError, match="flods"):
            again.topic("flods")


def test_what_a_person_named_and_merged_is_known_and_told_when_it_is_gone(
    library: Library,
) -> None:
    with library:
        before = library.topics.current()
        assert before is not None
        assert before.worked_on == ()
        assert before.lost_in(before) == ()
        library.topics.rename("lakes", "Still water")
        merging = library.topics.merge(["floods", "fish"])
        merged = library.topics.current()
        assert merged is not None
        assert [one.name for one in merged.worked_on] == ["Still water", "floods, fish"]
        assert merged.worked_on[1].edited is False, "nobody gave the name"
        assert merged.lost_in(before) == ("Still water", "floods, fish")
        assert merged.lost_in(merged) == ()
        assert merging.change_id is not None
        library.history.undo()
        undone = library.topics.current()
        assert undone is not None
        assert [one.name for one in undone.worked_on] == ["Still water"]


def test_a_tree_goes_and_comes_back_whole(library: Library) -> None:
    with library:
        before = library.topics.current()
        assert before is not None
        library.topics.remove(before.key)
        assert library.topics.current() is None
        library.history.undo()
        back = library.topics.current()
        assert back is not None
        assert back.topics == before.topics
        assert back.finest.tolist() == before.finest.tolist()
        library.history.redo()
        assert library.topics.current() is None
        assert check(library.database) == []


def test_a_topic_becomes_a_collection_and_a_tag(library: Library) -> None:
    with library:
        library.topics.to_collection("rivers")
        library.topics.to_tag("lakes", "still water")
        assert library.papers.get(8).collections == (("rivers",),)
        assert library.papers.get(5).tags == ("still water",)
        library.history.undo()
        library.history.undo()
        assert library.papers.get(8).collections == ()
        assert library.papers.get(5).tags == ()
        library.topics.to_collection("rivers", ("in/out",))
        assert library.papers.get(8).collections == (("in/out",),)
        library.topics.rename("lakes", "up/down")
        library.topics.to_collection("up/down")
        assert library.papers.get(5).collections == (("up/down",),)
