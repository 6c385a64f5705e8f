"""``litscape delete``, ``restore`` and ``trash``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns, counted
from litscape_app.cli.records import CHANGE_KEYS, ROW_KEYS, change_record, row_line, row_record
from litscape_app.cli.refs import add_refs, resolve_all

if TYPE_CHECKING:
    import argparse

    from litscape_app.cli.session import Session


def _delete(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        if session.args.forever:
            changes = library.edit.delete_forever(ids)
            text = f"{counted(len(ids), 'paper')} deleted for good."
        else:
            changes = library.edit.trash(ids)
            text = f"{counted(len(changes.removed), 'paper')} moved to the trash."
    return Answer(change_record(changes), text)


def _restore(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.edit.restore(ids)
    text = f"{counted(len(changes.added), 'paper')} restored from the trash."
    return Answer(change_record(changes), text)


def _list(session: Session) -> Answer:
    from litscape.paper import PaperFilter

    with session.library(reading=True) as library:
        ids = library.papers.ids(PaperFilter(trashed=True), sort="title")
        rows = library.papers.rows(ids)
    text = columns([row_line(row) for row in rows]) if rows else "The trash is empty."
    return Answer([row_record(row) for row in rows], text)


def _empty(session: Session) -> Answer:
    from litscape.paper import LibraryChanges, PaperFilter

    with session.library() as library:
        ids = [int(one) for one in library.papers.ids(PaperFilter(trashed=True))]
        changes = library.edit.delete_forever(ids) if ids else LibraryChanges()
    return Answer(change_record(changes), f"{counted(len(ids), 'paper')} deleted for good.")


def _refs_and_forever(parser: argparse.ArgumentParser) -> None:
    add_refs(parser)
    parser.add_argument("--forever", action="store_true", help="delete for good, not to the trash")


DELETE = Command("delete", "move papers to the trash", _delete, _refs_and_forever, keys=CHANGE_KEYS)
RESTORE = Command(
    "restore", "bring papers back from the trash", _restore, add_refs, keys=CHANGE_KEYS
)
TRASH = Command(
    "trash",
    "see and empty the trash",
    default="list",
    commands=(
        Command("list", "list it (also without a word)", _list, keys=ROW_KEYS, shape="list"),
        Command("empty", "delete all of it for good", _empty, keys=CHANGE_KEYS),
    ),
)
