"""Writing papers to a file in a format of the person's choice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from litscape.apart import run_apart
from litscape.apart.tasks import export_file
from litscape.jobs.runners import Lane
from litscape_app.window.ask import confirm
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtWidgets import QWidget

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId
    from litscape_app.actions.command import Desk

KINDS = (
    ("bibtex", "BibTeX (*.bib)", ".bib"),
    ("ris", "RIS (*.ris)", ".ris"),
    ("csl-json", "CSL JSON (*.json)", ".json"),
    ("csv", "Table, CSV (*.csv)", ".csv"),
    ("jsonl", "Everything, JSON lines (*.jsonl)", ".jsonl"),
)


_QUICK = 500
"""Papers that are written sooner than a process of its own is there."""


def ask_and_export(desk: Desk, ids: tuple[PaperId, ...] | None) -> None:
    """Ask for a file and write papers to it; all live ones where ``ids`` is None."""
    from PySide6.QtWidgets import QFileDialog

    filters = ";;".join(title for _kind, title, _suffix in KINDS)
    name, chosen = QFileDialog.getSaveFileName(desk.table, "Export", "papers.bib", filters)
    if not name:
        return
    kind, _title, suffix = next((one for one in KINDS if one[1] == chosen), KINDS[0])
    path = whole_name(desk.table, name, suffix, [one[2] for one in KINDS])
    if path is None:
        return
    by_suffix = next((one[0] for one in KINDS if one[2] == path.suffix.lower()), kind)
    start_export(desk, path, by_suffix, ids)


def whole_name(parent: QWidget, name: str, suffix: str, known: Collection[str]) -> Path | None:
    """The file with its ending; None where that would write over another and is not wanted.

    The file dialog has asked that for the name as it was given alone.

    Args:
        parent: what is asked above.
        name: as the dialog gave it.
        suffix: the ending that is added where the name has none of ``known``.
        known: endings of kinds that can be written.
    """
    if Path(name).suffix.lower() in known:
        return Path(name)
    path = Path(name + suffix)
    question = f"{path.name} is there already. Writing to it can't be undone."
    if path.exists() and not confirm(parent, f"Replace {path.name}?", question, "Replace"):
        return None
    return path


def start_export(desk: Desk, path: Path, kind: str, ids: tuple[PaperId, ...] | None) -> None:
    """Write papers to ``path`` beside the window."""

    def told(found: tuple[int, str]) -> str:
        number, left_out = found
        said = f"Exported {count(number, 'paper')} to {path.name}"
        desk.session.say(f"{said}. {left_out}" if left_out else said)
        return said

    def write(library: Library, ctx: JobContext) -> tuple[int, str]:
        if (library.papers.count() if ids is None else len(ids)) > _QUICK:
            return run_apart(library, export_file, ctx, path, kind, ids)
        return export_file(library, ctx, path, kind, ids)

    desk.session.work(f"Export to {path.name}", write, Lane.READ, done=told)
