"""Saved searches follow the tags and collections that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.library import Library
from litscape.paper import PaperDraft
from litscape.store.collections import find_collection
from litscape.store.saved import list_saved

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Papers 1 and 2, in collections and with tags."""
    with Library.open(tmp_path / "library") as opened:
        first = opened.edit.add(PaperDraft(title="Mud")).added
        second = opened.edit.add(PaperDraft(title="Sand")).added
        opened.edit.tag(sorted(first), "to read")
        opened.edit.add_to_collection(sorted(first), "Thesis/Chapter 1")
        opened.edit.add_to_collection(sorted(second), "Talks/Thesis notes")
        yield opened


def _queries(library: Library) -> list[str]:
    with library.database.read() as conn:
        return [one.query for one in list_saved(conn)]


def _node(library: Library, *path: str) -> int:
    with library.database.read() as conn:
        found = find_collection(conn, path)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("query", "renamed"),
    [
        ('tag:"To Read" mud', "tag:later mud"),
        ('-tag:"to read"', "-tag:later"),
        ('(mud OR tags:("to read"|other))', "(mud OR tags:(later|other))"),
        ('tag:“to read”|"a b"', 'tag:later|"a b"'),
        ("read tag:to", "read tag:to"),
    ],
)
def test_a_tag_takes_its_saved_searches_along(library: Library, query: str, renamed: str) -> None:
    library.edit.save_search("Fav", query, "lexical")
    found = {hit.paper_id for hit in library.search(query, "lexical")}
    library.edit.rename_tag("to read", "later")
    assert _queries(library) == [renamed]
    assert {hit.paper_id for hit in library.search(renamed, "lexical")} == found
    library.history.undo()
    assert _queries(library) == [query]
    library.history.redo()
    assert _queries(library) == [renamed]


@pytest.mark.parametrize(
    ("query", "renamed"),
    [
        ("collection:Thesis mud", "collection:Diss mud"),
        ("in:thesis", "in:Diss"),
        ('collection:"Thesis/Chapter 1"', 'collection:"Diss/Chapter 1"'),
        ('collection:"Chapter 1"', 'collection:"Chapter 1"'),
        ("in:list -collection:Thesis|Talks", "in:list -collection:Diss|Talks"),
        ("collection:Diss", "collection:Diss"),
    ],
)
def test_a_collection_takes_its_saved_searches_along(
    library: Library, query: str, renamed: str
) -> None:
    library.edit.save_search("Fav", query, "lexical")
    found = {hit.paper_id for hit in library.search(query, "lexical")}
    library.edit.rename_collection(_node(library, "Thesis"), "Diss")
    assert _queries(library) == [renamed]
    if query != "collection:Diss":
        assert {hit.paper_id for hit in library.search(renamed, "lexical")} == found
    library.history.undo()
    assert _queries(library) == [query]


def test_a_collection_that_moves_keeps_its_saved_searches(library: Library) -> None:
    library.edit.save_search("Fav", 'collection:"Thesis/Chapter 1"', "lexical")
    library.edit.move_collection(_node(library, "Thesis"), _node(library, "Talks"))
    assert _queries(library) == ['collection:"Talks/Thesis/Chapter 1"']
    library.history.undo()
    assert _queries(library) == ['collection:"Thesis/Chapter 1"']


def test_a_name_that_another_collection_gets_keeps_its_meaning(library: Library) -> None:
    library.edit.save_search("Fav", 'collection:"Chapter 1"', "lexical")
    library.edit.rename_collection(_node(library, "Talks", "Thesis notes"), "Chapter 1")
    assert _queries(library) == ['collection:"Thesis/Chapter 1"']
    assert [hit.paper_id for hit in library.search(_queries(library)[0], "lexical")] == [1]
