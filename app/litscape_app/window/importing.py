"""Bringing files in: what kinds there are, and the job with its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.apart import run_apart
from litscape.apart.tasks import import_files
from litscape.jobs.runners import State
from litscape.paper import ImportReport, LibraryChanges
from litscape_app.window.session import Offer, Session
from litscape_app.window.words import count, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from litscape_app.actions.command import Desk

_SUFFIXES = (
    "*.bib *.ris *.nbib *.json *.csljson *.jsonl *.ndjson *.gz *.txt *.enw *.ref *.xml *.ciw *.isi"
    " *.csv *.tsv *.rdf *.sqlite"
)
FILTER = f"Bibliographies ({_SUFFIXES});;All files (*)"


def choose_and_import(desk: Desk) -> None:
    """Choose files in a dialog and show what is in them."""
    from PySide6.QtWidgets import QFileDialog

    names, _kind = QFileDialog.getOpenFileNames(desk.table, "Import", "", FILTER)
    if names:
        import_into(desk, [Path(name) for name in names])


def import_into(desk: Desk, paths: Sequence[Path]) -> None:
    """Show what is in files on the import page, whence they come into the library."""
    from litscape_app.window.pages.import_page import preview_files

    preview_files(desk, paths)


def start_import(
    session: Session,
    paths: Sequence[Path],
    *,
    kind: str | None = None,
    encoding: str | None = None,
    collection: tuple[str, ...] | None = None,
    done: Callable[[ImportReport], None] | None = None,
) -> None:
    """Start the import job; the list grows as papers come in.

    Args:
        session: whose library.
        paths: files to read.
        kind: of the files, where the person said so.
        encoding: of the files, where the person said so.
        collection: to put the papers into.
        done: called with the report.
    """
    names = [path.name for path in paths]
    what = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    locations = [str(path) for path in paths]

    def ended(report: ImportReport) -> str:
        said = summary(report)
        session.announce(report.changes)
        session.say(said, _undo_of(session, report))
        if done is not None:
            done(report)
        return said

    def over() -> None:
        if entry is not None and entry.state is State.CANCELLED:
            session.announce(LibraryChanges(structure=True))
            session.say("Import stopped; what came in before stays", Offer("Undo", session.undo))

    entry = session.work(
        f"Import {shorten(what, 60)}",
        lambda library, ctx: run_apart(
            library,
            import_files,
            ctx,
            locations,
            kind=kind,
            encoding=encoding,
            collection=collection,
        ),
        done=ended,
        partial=lambda value: grown(session, value),
        ended=over,
    )


def importing(session: Session) -> bool:
    """Whether papers are coming in."""
    return any(job.title.startswith("Import ") for job in session.jobs.running)


def summary(report: ImportReport) -> str:
    """What an import did, in one line."""
    if not report.records:
        return "There was no record in it"
    parts = []
    if report.added:
        parts.append(f"Imported {count(report.added, 'paper')}")
    for number, word in (
        (report.updated, "updated"),
        (report.merged, "merged with others"),
        (report.unchanged, "unchanged"),
        (report.skipped, "skipped"),
    ):
        if number:
            parts.append(f"{number:,} {word}")
    return ", ".join(parts) or "Nothing came in"


def _undo_of(session: Session, report: ImportReport) -> Offer | None:
    batch = report.batch
    if batch is None or not report.changes:
        return None
    return Offer(
        "Undo",
        lambda: session.write(
            "Undo the import", lambda library: library.history.undo_batch(batch), "Import undone"
        ),
    )


def grown(session: Session, value: Any) -> None:
    """Papers were committed while the import runs: the list shows them."""
    changes = value if isinstance(value, LibraryChanges) else LibraryChanges(structure=True)
    session.changed.emit(changes)
