"""Topics in queries, facets and completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.topics.support import add_papers
from tests.topics.test_tree import TREE

from litscape.facets import FacetRequest
from litscape.library import Library
from litscape.paper import LibraryChanges
from litscape.search.completion import begun, values
from litscape.store import edits
from litscape.store.saved import list_saved
from litscape.store.topics import write_tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "lib") as made:
        add_papers(made, [f"Paper {n}" for n in range(10)])
        with made.database.write() as conn:
            recorder = edits.begin(conn, "Find topics")
            write_tree(recorder, TREE)
            assert isinstance(recorder.flush(), LibraryChanges)
        yield made


def found(library: Library, query: str) -> list[int]:
    return sorted(hit.paper_id for hit in library.search(query, mode="lexical", k=50))


def test_a_query_asks_for_a_topic_with_its_parts(library: Library) -> None:
    assert found(library, "topic:Rivers") == [1, 2, 3, 4, 8]
    assert found(library, "topic:floods") == [1, 2, 3]
    assert found(library, "topic:floods OR cluster:lakes") == [1, 2, 3, 5, 6, 7]
    assert found(library, "paper -topic:rivers") == [5, 6, 7, 9, 10]
    library.edit.trash(2)
    assert found(library, "topic:floods") == [1, 3]


def test_what_is_no_topic_is_told(library: Library) -> None:
    assert found(library, "topic:flods ") == []
    assert "floods" in " ".join(library.search("topic:flods ", mode="lexical").notes)
    tree = library.topics.current()
    assert tree is not None
    library.topics.remove(tree.key)
    assert "no topics yet" in " ".join(library.search("topic:x ", mode="lexical").notes)


def test_facets_count_topics_and_completion_offers_them(library: Library) -> None:
    report = library.facets.count(FacetRequest(names=("topic",)))
    assert report is not None
    counts = {one.value: one.papers for one in report["topic"].values}
    assert counts == {"rivers": 5, "lakes": 3, "floods": 3, "fish": 1}
    now = begun("topic:fl", 8)
    assert now is not None
    (choice,) = values(library.database, library.facets, now)
    assert (choice.text, choice.papers) == ("topic:floods ", 3)
    library.topics.rename("floods", "high water")
    now = begun("topic:", 6)
    assert now is not None
    shown = {one.shown for one in values(library.database, library.facets, now)}
    assert "high water" in shown


@pytest.mark.parametrize(
    ("query", "renamed"),
    [
        ("topic:Floods -mud", 'topic:"high water" -mud'),
        ("(mud OR topics:(floods|lakes))", '(mud OR topics:("high water"|lakes))'),
        ("floods topic:rivers", "floods topic:rivers"),
    ],
)
def test_a_topic_takes_its_saved_searches_along(library: Library, query: str, renamed: str) -> None:
    def saved() -> list[str]:
        with library.database.read() as conn:
            return [one.query for one in list_saved(conn)]

    library.edit.save_search("Fav", query, "lexical")
    before = found(library, query)
    library.topics.rename("floods", "high water")
    assert saved() == [renamed]
    assert found(library, renamed) == before
    library.history.undo()
    assert saved() == [query]
    library.history.redo()
    assert saved() == [renamed]
    library.topics.merge(["high water", "fish"], "Wet things")
    assert saved() == [renamed.replace("high water", "Wet things")]
    library.history.undo()
    assert saved() == [renamed]
