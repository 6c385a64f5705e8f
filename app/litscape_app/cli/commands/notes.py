"""``litscape note``: a paper's notes, one by one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.records import CHANGE_KEYS, change_record
from litscape_app.cli.refs import add_refs, resolve_all
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.paper import Paper
    from litscape_app.cli.session import Session


def _list(session: Session) -> Answer:
    with session.library(reading=True) as library:
        papers = library.papers.many(resolve_all(library, session.args.refs))
    records = [
        {"id": paper.id, "citekey": paper.citekey, "number": number, "text": text}
        for paper in papers
        for number, text in enumerate(paper.notes, 1)
    ]
    parts = [f"{one['citekey']}, note {one['number']}:\n{one['text']}" for one in records]
    return Answer(records, "\n\n".join(parts) if parts else "There are no notes yet.")


def _add(session: Session) -> Answer:
    text = _text(session.args.text)
    with session.library() as library:
        paper = _paper(library, session.args.ref)
        changes = library.edit.revise(paper.id, {"notes": ()}, {"notes": [text]})
    said = "The note was added." if changes else "It has this note already."
    return Answer(change_record(changes), said)


def _edit(session: Session) -> Answer:
    text = _text(session.args.text)
    with session.library() as library:
        paper = _paper(library, session.args.ref)
        old = _note(paper, session.args.number)
        changes = library.edit.revise(paper.id, {"notes": (old,)}, {"notes": [text]})
    return Answer(change_record(changes), f"Note {session.args.number} was changed.")


def _delete(session: Session) -> Answer:
    with session.library() as library:
        paper = _paper(library, session.args.ref)
        old = _note(paper, session.args.number)
        changes = library.edit.revise(paper.id, {"notes": (old,)}, {"notes": []})
    return Answer(change_record(changes), f"Note {session.args.number} is gone.")


def _paper(library: Library, ref: str) -> Paper:
    (paper,) = library.papers.many(resolve_all(library, [ref]))
    return paper


def _note(paper: Paper, number: int) -> str:
    from litscape.errors import UserError

    if number > len(paper.notes):
        known = len(paper.notes)
        has = "no notes" if not known else "one note" if known == 1 else f"{known} notes"
        raise UserError(f"{paper.citekey} has {has}, so there is no note {number}.")
    return paper.notes[number - 1]


def _text(given: str) -> str:
    """The words of a note: as given, or what comes on stdin for ``-``."""
    from litscape.errors import UserError

    if given == "-":
        given = sys.stdin.buffer.read().decode("utf-8", "replace")
    if not given.strip():
        raise UserError("A note needs some text.")
    return given


def _ref(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="the paper: its id, citation key or DOI")


def _ref_and_text(parser: argparse.ArgumentParser) -> None:
    _ref(parser)
    parser.add_argument("text", metavar="TEXT", help="the note; - reads it from stdin")


def _ref_and_number(parser: argparse.ArgumentParser) -> None:
    _ref(parser)
    parser.add_argument(
        "number", type=whole_number(1), metavar="N", help="which of its notes, as `list` counts"
    )


def _ref_number_and_text(parser: argparse.ArgumentParser) -> None:
    _ref_and_number(parser)
    parser.add_argument("text", metavar="TEXT", help="the note as it is to be; - reads stdin")


NOTE = Command(
    "note",
    "list, add, change and delete notes on papers",
    commands=(
        Command(
            "list",
            "list the notes of papers",
            _list,
            add_refs,
            keys={
                "id": "the paper's id",
                "citekey": "its citation key",
                "number": "which of its notes, from 1",
                "text": "the note",
            },
            shape="list",
        ),
        Command("add", "add a note to a paper", _add, _ref_and_text, keys=CHANGE_KEYS),
        Command("edit", "write a note anew", _edit, _ref_number_and_text, keys=CHANGE_KEYS),
        Command("delete", "delete a note", _delete, _ref_and_number, keys=CHANGE_KEYS),
    ),
)
