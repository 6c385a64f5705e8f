"""``litscape edit``: set fields of papers as the user's own, kept by later imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import counted
from litscape_app.cli.records import CHANGE_KEYS, change_record
from litscape_app.cli.refs import add_refs, resolve_all
from litscape_app.cli.values import read_assignments

if TYPE_CHECKING:
    import argparse

    from litscape_app.cli.session import Session


def _edit(session: Session) -> Answer:
    fields = read_assignments(session.args.set)
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.edit.edit(ids, fields)
    return Answer(change_record(changes), f"{counted(len(changes.changed), 'paper')} changed.")


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_refs(parser)
    parser.add_argument(
        "--set",
        action="append",
        required=True,
        metavar="KEY=VALUE",
        help="a key of `export` and its new value; nothing after the = empties it; "
        "lists as JSON or with semicolons; may be repeated",
    )


EDIT = Command("edit", "set fields of papers", _edit, _arguments, keys=CHANGE_KEYS)
