"""``litscape watch`` and ``litscape watched``: take in a file again whenever it changes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError
from litscape.importers.base import ReadOptions
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.imports import describe_report
from litscape_app.cli.output import columns
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import REPORT_KEYS, report_record

if TYPE_CHECKING:
    import argparse

    from litscape.importers.watch import Watch, Watched
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import ImportReport
    from litscape_app.cli.session import Session

_STEP_S = 0.25
_PATIENT_S = 30.0


def _watch(session: Session) -> Answer | None:
    from litscape.importers.watch import Watch

    with session.library(create=True) as library, job_context() as ctx:
        watch, options = Watch(library.database), _options(session)
        if session.args.once:
            return _answer(watch.look(session.args.file, ctx, options=options), library)
        _follow(session, library, watch, ctx)
    return None


def _options(session: Session) -> ReadOptions | None:
    """What of Zotero to take; None for what was taken last, which is all of what is new."""
    names = session.args.zotero_library
    return ReadOptions(zotero_libraries=tuple(names)) if names else None


def _follow(session: Session, library: Library, watch: Watch, ctx: JobContext) -> None:
    """Look now, then whenever the source comes to rest after a change, until Ctrl-C."""
    from litscape.importers.follower import Follower
    from litscape.importers.marks import is_address, location_of, sign_of
    from litscape.importers.watch import Watched

    place, options = location_of(session.args.file), _options(session)
    report = watch.look(place, ctx, options=options, patience=_PATIENT_S)
    session.out.answer(_answer(report, library))
    session.out.message(f"Following {place}; Ctrl-C ends.")
    one = Watched(place, options=options or watch.choice(place) or ReadOptions())
    follower, told, failed = Follower(watch), "", ""
    while True:
        ctx.check()
        time.sleep(_STEP_S)
        due = follower.due([one])
        standing = follower.faults.get(place, "")
        if not is_address(place) and sign_of(place) is None:
            standing = f"{place} is not there at the moment; it is followed again once it is back."
        if standing and standing != told:
            session.out.message(standing)
        told = standing
        if not due:
            continue
        try:
            report = watch.look(place, ctx, options=one.options, patience=_PATIENT_S)
            failed = ""
        except LitscapeError as error:
            follower.again(place)
            if str(error) != failed:
                session.out.message(failed := str(error))
            continue
        if report.records or report.issues:
            session.out.answer(_answer(report, library))


def _answer(report: ImportReport, library: Library) -> Answer:
    if not report.records and not report.issues:
        return Answer(report_record(report), "Nothing changed since it was read last.")
    return Answer(report_record(report), describe_report(report, library))


def _list(session: Session) -> Answer:
    from litscape.importers.watch import Watch

    with session.library(reading=True) as library:
        sources = Watch(library.database).sources()
    rows = [
        ("followed" if one.follow else "left alone", one.last_read or "not read yet", one.location)
        for one in sources
    ]
    text = columns(rows, whole=True) if rows else "No file is on the watch list."
    return Answer([_record(one) for one in sources], text)


def _add(session: Session) -> Answer:
    from litscape.importers.watch import Watch

    with session.library(create=True) as library:
        one = Watch(library.database).add(session.args.file, _options(session))
    return Answer(_record(one), f"{one.location} is followed while the library is open.")


def _remove(session: Session) -> Answer:
    from litscape.importers.watch import Watch, Watched

    with session.library() as library:
        name = Watch(library.database).remove(session.args.file)
    return Answer(_record(Watched(name, follow=False)), f"{name} is no longer watched.")


def _record(one: Watched) -> dict[str, object]:
    return {"source": one.location, "follow": one.follow, "last_read": one.last_read}


def _file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a file of papers, Zotero's zotero.sqlite, or zotero:http://127.0.0.1:23119",
    )


def _added(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument(
        "--zotero-library",
        action="append",
        metavar="NAME",
        help="of Zotero: user, group:N or all, as for import; by default what was taken last; may "
        "be repeated",
    )


def _arguments(parser: argparse.ArgumentParser) -> None:
    _added(parser)
    parser.add_argument(
        "--once",
        action="store_true",
        help="look once and end; otherwise go on until Ctrl-C, with --json an object for each "
        "change",
    )


_KEYS = {
    "source": "its path or address",
    "follow": "whether the window follows it while the library is open",
    "last_read": "when it was read last, UTC, or null",
}

WATCH = Command(
    "watch",
    "take in what changed in a file since it was read last; a short or empty file removes nothing",
    _watch,
    _arguments,
    REPORT_KEYS,
)
WATCHED = Command(
    "watched",
    "list the files that the window follows, put one on the list or take it off",
    default="list",
    commands=(
        Command(
            "list", "list the watched files (also without a word)", _list, keys=_KEYS, shape="list"
        ),
        Command("add", "put a file on the watch list", _add, _added, keys=_KEYS),
        Command("remove", "take a file off the watch list", _remove, _file, keys=_KEYS),
    ),
)
