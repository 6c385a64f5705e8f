"""``litscape undo``, ``redo`` and ``history``: every change can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns, counted, printable
from litscape_app.cli.records import CHANGE_KEYS, change_record
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape_app.cli.session import Session


def _undo(session: Session) -> Answer:
    with session.library() as library:
        return _answer("Undone", library.history.undo(), library)


def _redo(session: Session) -> Answer:
    with session.library() as library:
        return _answer("Done again", library.history.redo(), library)


def _answer(word: str, changes: LibraryChanges, library: Library) -> Answer:
    parts = [
        counted(len(ids), f"paper {verb}", f"papers {verb}")
        for verb, ids in (
            ("added", changes.added),
            ("changed", changes.changed),
            ("removed", changes.removed),
        )
        if ids
    ]
    done = ", ".join(parts) or "no paper changed"
    title = library.history.title(changes.change_id)
    text = f"{word}: {printable(title)} ({done})." if title else f"{word}: {done}."
    return Answer(change_record(changes), text)


def _history(session: Session) -> Answer:
    with session.library(reading=True) as library:
        entries = library.history.entries(session.args.number)
    records = [
        {"change": one.id, "title": one.title, "made_at": one.made_at, "state": one.state}
        for one in entries
    ]
    rows = [(one.id, one.made_at, one.state, one.title) for one in entries]
    return Answer(records, columns(rows) if rows else "Nothing has been changed yet.")


def _how_many(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n", "--number", type=whole_number(1), default=20, metavar="N", help="how many (20)"
    )


UNDO = Command("undo", "take back the last change whole", _undo, keys=CHANGE_KEYS)
REDO = Command("redo", "do again what undo took back", _redo, keys=CHANGE_KEYS)
HISTORY = Command(
    "history",
    "list the last changes, newest first",
    _history,
    _how_many,
    keys={
        "change": "number of the change",
        "title": "what was done",
        "made_at": "when, UTC",
        "state": "done, undone or dropped (can't be done again)",
    },
    shape="list",
)
