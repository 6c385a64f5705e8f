"""Each act of the user: what it tells, and that undo and redo lead exactly back and forth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from litscape.edits import Editor
from litscape.paper import Author, LibraryChanges, PaperDraft
from litscape.store.collections import find_collection

if TYPE_CHECKING:
    from litscape.history import History
    from litscape.store.database import Database


def _sets(told: LibraryChanges) -> tuple[set[int], set[int], set[int]]:
    return set(told.added), set(told.changed), set(told.removed)


def _node(database: Database, *path: str) -> int:
    with database.read() as conn:
        found = find_collection(conn, path)
    assert found is not None
    return found


CASES: dict[str, tuple[Any, Any, tuple[set[int], set[int], set[int], bool]]] = {
    # name: (before the act, the act, (added, changed, removed, structure))
    "edit one field": (
        None,
        lambda e, d: e.edit(1, {"title": "Other"}),
        (set(), {1}, set(), False),
    ),
    "edit every kind of field": (
        None,
        lambda e, d: e.edit(
            "owl2010",
            {
                "citekey": "mine",
                "authors": "Stone, Ada; {Reed and Sons}",
                "year": "2019",
                "doi": "https://doi.org/10.5555/OTHER",
                "abstract": "",
                "keywords": "mud; water",
                "tags": "new; birds",
                "collections": "Water/Lakes; Birds",
                "notes": "One; note",
                "files": "a.pdf; b.pdf",
                "raw_fields": {"Shelf": "C"},
                "isbn": "",
                "more_authors": "true",
            },
        ),
        (set(), {1}, set(), True),
    ),
    "edit many papers": (
        None,
        lambda e, d: e.edit([1, "reed2011", 3], {"venue": "Bulk"}),
        (set(), {1, 2, 3}, set(), False),
    ),
    "revise": (
        lambda e, d: e.edit(1, {"venue": "Mine"}),
        lambda e, d: e.revise(1, {"venue": "Mine"}, {"venue": "Revised"}),
        (set(), {1}, set(), False),
    ),
    "add": (
        None,
        lambda e, d: e.add(
            PaperDraft(
                title="A new one",
                authors=(Author("Coot", "Val"),),
                year=2020,
                tags=("fresh",),
                collections=(("New", "Place"),),
            )
        ),
        ({4}, set(), set(), True),
    ),
    "trash": (None, lambda e, d: e.trash([1, 3]), (set(), set(), {1, 3}, True)),
    "restore": (
        lambda e, d: e.trash([1, 3]),
        lambda e, d: e.restore([1, 2, 3]),
        ({1, 3}, set(), set(), True),
    ),
    "delete forever": (None, lambda e, d: e.delete_forever([1, 2]), (set(), set(), {1, 2}, True)),
    "tag": (
        None,
        lambda e, d: e.tag([1, 2, 3], ["birds", "to read"]),
        (set(), {1, 2, 3}, set(), True),
    ),
    "untag": (None, lambda e, d: e.untag([1, 3], "birds"), (set(), {1}, set(), True)),
    "mark": (
        None,
        lambda e, d: e.mark([1, 2, 3], read_state="read", rating=3, colour="blue"),
        (set(), {1, 2, 3}, set(), True),
    ),
    "unmark": (
        lambda e, d: e.mark([1, 2], read_state="reading", rating=3, colour="blue"),
        lambda e, d: e.mark([1, 3], read_state="unread", rating=0, colour="none"),
        (set(), {1}, set(), True),
    ),
    "put in the reading list": (
        None,
        lambda e, d: e.put_in_list([3, 1, 2]),
        (set(), {2, 3}, set(), True),
    ),
    "move in the reading list": (
        lambda e, d: e.put_in_list([1, 2, 3]),
        lambda e, d: e.put_in_list([3], 1),
        (set(), {3}, set(), True),
    ),
    "take from the reading list": (
        lambda e, d: e.put_in_list([1, 2]),
        lambda e, d: e.take_from_list([1, 3]),
        (set(), {1}, set(), True),
    ),
    "rename tag": (None, lambda e, d: e.rename_tag("birds", "Vögel"), (set(), {1, 2}, set(), True)),
    "join tags": (
        lambda e, d: e.tag([2, 3], "fowl"),
        lambda e, d: e.rename_tag("birds", "fowl"),
        (set(), {1, 2}, set(), True),
    ),
    "delete tag": (None, lambda e, d: e.delete_tag("birds"), (set(), {1, 2}, set(), True)),
    "create collection": (
        None,
        lambda e, d: e.create_collection("Water/Lakes/Deep"),
        (set(), set(), set(), True),
    ),
    "rename collection": (
        None,
        lambda e, d: e.rename_collection(_node(d, "Water"), "Wet places"),
        (set(), {1, 3}, set(), True),
    ),
    "move collection": (
        None,
        lambda e, d: e.move_collection(_node(d, "Water", "Rivers"), None),
        (set(), {1}, set(), True),
    ),
    "delete collection": (
        lambda e, d: e.create_collection("Water/Rivers/Small"),
        lambda e, d: e.delete_collection(_node(d, "Water")),
        (set(), {1, 3}, set(), True),
    ),
    "add to collection": (
        None,
        lambda e, d: e.add_to_collection([1, 2], "Water/Rivers"),
        (set(), {2}, set(), True),
    ),
    "add to new collection": (
        None,
        lambda e, d: e.add_to_collection([1, 2], "Fresh/One"),
        (set(), {1, 2}, set(), True),
    ),
    "add to collection by id": (
        None,
        lambda e, d: e.add_to_collection(2, _node(d, "Water")),
        (set(), {2}, set(), True),
    ),
    "remove from collection": (
        None,
        lambda e, d: e.remove_from_collection([1, 3], _node(d, "Water")),
        (set(), {3}, set(), True),
    ),
    "save search": (
        None,
        lambda e, d: e.save_search("Owls", "owl*", "hybrid"),
        (set(), set(), set(), True),
    ),
    "overwrite search": (
        lambda e, d: e.save_search("Owls", "owl*", "hybrid"),
        lambda e, d: e.save_search("Owls", "owls", "lexical"),
        (set(), set(), set(), True),
    ),
    "rename search": (
        lambda e, d: e.save_search("Owls", "owl*", "hybrid"),
        lambda e, d: e.change_saved_search("Owls", "Night birds"),
        (set(), set(), set(), True),
    ),
    "change search": (
        lambda e, d: e.save_search("Owls", "owl*", "hybrid"),
        lambda e, d: e.change_saved_search("Owls", query="owls", mode="lexical"),
        (set(), set(), set(), True),
    ),
    "delete search": (
        lambda e, d: e.save_search("Owls", "owl*", "hybrid"),
        lambda e, d: e.delete_saved_search("Owls"),
        (set(), set(), set(), True),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_undo_and_redo_lead_exactly_back(
    name: str, filled: Database, editor: Editor, history: History, state: Any
) -> None:
    prepare, act, (added, changed, removed, structure) = CASES[name]
    if prepare:
        prepare(editor, filled)
    before = state(filled)

    told = act(editor, filled)
    after = state(filled)
    assert after != before
    assert _sets(told) == (added, changed, removed)
    assert told.structure is structure
    assert told.change_id == history.entries(1)[0].id

    undone = history.undo()
    assert state(filled) == before
    assert _sets(undone) == (removed, changed, added)
    assert undone.structure is structure

    redone = history.redo()
    assert state(filled) == after
    assert _sets(redone) == (added, changed, removed)

    history.undo()
    assert state(filled) == before


@pytest.mark.parametrize(
    "act",
    [
        lambda e: e.restore(1),
        lambda e: e.tag([1, 2], "birds"),
        lambda e: e.untag(3, "birds"),
        lambda e: e.add_to_collection(1, "Water/Rivers"),
        lambda e: e.rename_tag("birds", "birds"),
        lambda e: e.edit(1, {}),
    ],
)
def test_an_act_that_changes_nothing_leaves_no_step(
    act: Any, filled: Database, editor: Editor, history: History
) -> None:
    told = act(editor)
    assert told == LibraryChanges()
    assert history.entries() == []


def test_every_method_of_the_editor_is_tried_above() -> None:
    methods = {name for name in vars(Editor) if not name.startswith("_")}
    used = {name for _before, act, _told in CASES.values() for name in act.__code__.co_names}
    assert methods <= used
