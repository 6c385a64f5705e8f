from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import UserError
from litscape.paper import PaperDraft
from litscape.store.history import STEPS_KEPT

if TYPE_CHECKING:
    from litscape.edits import Editor
    from litscape.history import History
    from litscape.papers import Papers
    from litscape.store.database import Database


def test_nothing_to_undo_or_redo(history: History) -> None:
    with pytest.raises(UserError, match="Nothing to undo"):
        history.undo()
    with pytest.raises(UserError, match="Nothing to redo"):
        history.redo()
    with pytest.raises(UserError, match="no import 7"):
        history.undo_batch(7)


def test_steps_go_back_and_forth_in_order(
    filled: Database, editor: Editor, history: History, papers: Papers
) -> None:
    for word in ("one", "two", "three"):
        editor.edit(2, {"venue": word})
    seen = []
    for _ in range(3):
        history.undo()
        seen.append(papers.get(2).venue)
    for _ in range(3):
        history.redo()
        seen.append(papers.get(2).venue)
    assert seen == ["two", "one", None, "one", "two", "three"]
    assert [entry.state for entry in history.entries()] == ["done"] * 3


def test_a_new_change_ends_redo(
    filled: Database, editor: Editor, history: History, papers: Papers
) -> None:
    editor.edit(2, {"venue": "one"})
    history.undo()
    editor.edit(2, {"volume": "7"})
    with pytest.raises(UserError, match="Nothing to redo"):
        history.redo()
    assert [entry.state for entry in history.entries()] == ["done", "dropped"]
    assert [entry.title for entry in history.entries()] == [
        "Edit volume of “Reeds”",
        "Edit venue of “Reeds”",
    ]
    history.undo()
    assert papers.get(2).volume is None


def test_later_edits_stay_when_an_earlier_change_is_taken_back(
    filled: Database, editor: Editor, history: History, papers: Papers
) -> None:
    """Undo of one step after another program's later edit of the same paper."""
    editor.edit(1, {"title": "Mine", "venue": "Here", "tags": "a; b"})
    step = history.entries(1)[0].id
    editor.edit(1, {"title": "Mine, better"})
    editor.tag(1, "c")
    with filled.write() as conn:  # the later edits are no steps of their own any more
        conn.exec_driver_sql("DELETE FROM changes WHERE id > ?", (step,))
    history.undo()
    paper = papers.get(1)
    assert paper.title == "Mine, better"
    assert paper.venue == "Journal of Night"
    assert paper.tags == ("birds", "c")


def test_a_removed_paper_comes_back_as_it_was(
    filled: Database, editor: Editor, history: History, papers: Papers, state: Any
) -> None:
    before, cites = state(filled), papers.get(3).cites
    editor.delete_forever([2])
    third = papers.get(3)
    assert third.cites == ()
    assert [(ref.title, ref.year) for ref in third.references] == [("Reeds", 2011)]
    history.undo()
    assert papers.get(3).cites == cites
    assert state(filled) == before


def test_a_key_taken_meanwhile_is_not_taken_away(
    filled: Database, editor: Editor, history: History, papers: Papers
) -> None:
    editor.edit(1, {"citekey": "new", "venue": "Here"})
    with filled.write() as conn:
        conn.exec_driver_sql("UPDATE papers SET citekey = 'owl2010' WHERE id = 2")
    history.undo()
    assert papers.get(1).citekey == "new"
    assert papers.get(1).venue == "Journal of Night"


def test_a_tag_in_use_survives_the_undo_of_its_making(
    filled: Database, editor: Editor, history: History, state: Any
) -> None:
    editor.tag(1, "fresh")
    with filled.write() as conn:
        conn.exec_driver_sql("INSERT INTO paper_tags SELECT 2, id FROM tags WHERE name = 'fresh'")
    history.undo()
    assert {name for _id, name in state(filled)["tags"]} == {"birds", "fresh"}


def test_the_history_is_pruned(database: Database, editor: Editor, history: History) -> None:
    editor.add(PaperDraft(title="One"))
    for number in range(STEPS_KEPT + 5):
        editor.edit(1, {"volume": str(number)})
    entries = history.entries(1000)
    assert len(entries) == STEPS_KEPT
    with database.read() as conn:
        left = conn.exec_driver_sql("SELECT count(DISTINCT change_id) FROM change_items").scalar()
    assert left == STEPS_KEPT


def test_long_texts_survive_the_history(
    filled: Database, editor: Editor, history: History, papers: Papers
) -> None:
    long = "Ein längerer Absatz. " * 500
    editor.edit(1, {"abstract": long})
    editor.edit(1, {"abstract": "short"})
    history.undo()
    assert papers.get(1).abstract == long.strip()
    history.undo()
    assert papers.get(1).abstract == "Owls fly at night."
