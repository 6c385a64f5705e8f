"""Says after opening a library that its last import did not reach its end."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from litscape_app.window.session import Offer
from litscape_app.window.words import count, shorten

if TYPE_CHECKING:
    from litscape.importers.session import BatchInfo
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_app.actions.command import Desk


class BrokenOff(QObject):
    """Looks when a library opens, and offers the report, where the import can be undone."""

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._slot = desk.session.slot(self)
        self._slot.done.connect(self._tell)
        desk.session.opened.connect(self._look)

    def _look(self) -> None:
        self._desk.session.read(self._slot, "Look at the last import", _untold)

    def _tell(self, batch: BatchInfo | None) -> None:
        if batch is None:
            return
        came = batch.counts["added"]
        what = shorten(PurePath(batch.sources[0]).name, 40) if batch.sources else "papers"
        there = f"{count(came, 'paper')} came in by then" if came else "no paper came in by then"
        self._desk.session.say(
            f"The import of {what} did not reach its end: {there}",
            Offer("Report", lambda: self._show(batch.id)),
        )

    def _show(self, batch: int) -> None:
        from litscape_app.window.pages.report_page import report_page

        page = report_page(self._desk)
        page.show_batch(batch)
        self._desk.show_page("report", again=True)


def _untold(library: Library, _ctx: JobContext) -> BatchInfo | None:
    from litscape.importers.broken_off import tell_broken_off

    return tell_broken_off(library.database)
