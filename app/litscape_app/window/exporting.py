"""Writing papers to a file in a format of the person's choice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault
from litscape_app.window.words import count

if TYPE_CHECKING:
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


def ask_and_export(desk: Desk, ids: tuple[PaperId, ...] | None) -> None:
    """Ask for a file and write papers to it; all live ones where ``ids`` is None."""
    from PySide6.QtWidgets import QFileDialog

    filters = ";;".join(title for _kind, title, _suffix in KINDS)
    name, chosen = QFileDialog.getSaveFileName(desk.table, "Export", "papers.bib", filters)
    if not name:
        return
    kind, _title, suffix = next((one for one in KINDS if one[1] == chosen), KINDS[0])
    path = Path(name) if Path(name).suffix else Path(name + suffix)
    by_suffix = next((one[0] for one in KINDS if one[2] == path.suffix.lower()), kind)
    start_export(desk, path, by_suffix, ids)


def start_export(desk: Desk, path: Path, kind: str, ids: tuple[PaperId, ...] | None) -> None:
    """Write papers to ``path`` beside the window."""

    def told(number: int) -> str:
        said = f"Exported {count(number, 'paper')} to {path.name}"
        desk.session.say(said)
        return said

    from litscape.jobs.runners import Lane

    desk.session.work(
        f"Export to {path.name}",
        lambda library, ctx: write_file(library, path, kind, ids, ctx),
        Lane.READ,
        done=told,
    )


def write_file(
    library: Library, path: Path, kind: str, ids: tuple[PaperId, ...] | None, ctx: JobContext
) -> int:
    """Write whole or not at all: a file that is there is replaced only by a finished one.

    Raises:
        EnvironmentFault: the file can't be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as stream:
            number = library.export(kind, stream, ids)
        ctx.check()
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise EnvironmentFault(
            f"{path} could not be written: {error.strerror}. Choose another folder."
        ) from error
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return number
