"""``litscape reports``: the imports that there were, what each of them said, and the way back."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.imports import describe_report
from litscape_app.cli.output import columns, counted
from litscape_app.cli.records import CHANGE_KEYS, REPORT_KEYS, change_record, report_record
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.importers.session import BatchInfo
    from litscape_app.cli.session import Session

_COUNTS = ("records", "added", "updated", "merged", "unchanged", "skipped")


def _list(session: Session) -> Answer:
    with session.library(reading=True) as library:
        batches = library.imports.batches()
    rows = [
        (one.id, one.started_at, _state(one), f"{one.counts['added']:,} added", _names(one))
        for one in batches
    ]
    text = columns(rows) if rows else "Nothing has been imported yet."
    return Answer([_record(one) for one in batches], text)


def _show(session: Session) -> Answer:
    with session.library(reading=True) as library:
        number = session.args.batch
        if number is None:
            batches = library.imports.batches()
            if not batches:
                raise UserError("Nothing has been imported into this library yet.")
            number = batches[0].id
        report = library.imports.report(number)
        return Answer(report_record(report), describe_report(report, library))


def _undo(session: Session) -> Answer:
    with session.library() as library:
        changes = library.history.undo_batch(session.args.batch)
    gone = counted(len(changes.removed), "paper")
    changed = counted(len(changes.changed), "paper")
    return Answer(change_record(changes), f"Undone: {gone} removed, {changed} as before.")


def _state(batch: BatchInfo) -> str:
    return "undone" if batch.undone else "done" if batch.finished else "broken off"


def _names(batch: BatchInfo) -> str:
    return ", ".join(PurePath(one).name or one for one in batch.sources)


def _record(batch: BatchInfo) -> dict[str, object]:
    return {
        "batch": batch.id,
        "started_at": batch.started_at,
        "state": _state(batch),
        "sources": list(batch.sources),
        **{name: batch.counts[name] for name in _COUNTS},
    }


def _which(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "batch", nargs="?", type=whole_number(1), metavar="NUMBER", help="the last one by default"
    )


def _this(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "batch", type=whole_number(1), metavar="NUMBER", help="as `litscape reports` lists it"
    )


REPORTS = Command(
    "reports",
    "the imports that there were: list them, show what one said, take one back",
    default="list",
    commands=(
        Command(
            "list",
            "list the imports, newest first (also without a word)",
            _list,
            keys={
                "batch": "number of the import",
                "started_at": "when it began, UTC",
                "state": "done, broken off (what came in by then is there) or undone",
                "sources": "list of paths and addresses",
                **{name: REPORT_KEYS[name] for name in _COUNTS},
            },
            shape="list",
        ),
        Command("show", "show the report of an import again", _show, _which, REPORT_KEYS),
        Command(
            "undo",
            "take an import back, whatever was done after it; later edits stay",
            _undo,
            _this,
            CHANGE_KEYS,
        ),
    ),
)
