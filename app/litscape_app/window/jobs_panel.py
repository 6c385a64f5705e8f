"""The list of jobs that folds up from the foot: progress, cancel, and errors to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QScrollArea, QWidget

from litscape.jobs.runners import State
from litscape_app.window.troubles import explain
from litscape_app.window.widgets.basics import (
    ground,
    hairline,
    heading,
    horizontal,
    label,
    set_tone,
    tool_button,
    vertical,
)
from litscape_app.window.words import time_left

if TYPE_CHECKING:
    from litscape_app.qtjobs import Entry, JobList
    from litscape_app.window.theme import Theme

_KEPT = 30
_HEIGHT, _EMPTY_HEIGHT = 220, 88


class JobRow(QWidget):
    """One job: what, how far, how it ended."""

    def __init__(self, theme: Theme, entry: Entry, jobs: JobList) -> None:
        super().__init__()
        self._entry, self._jobs = entry, jobs
        self.title = label(entry.title)
        self.text = label(tone="muted", wrap=True)
        self.text.setFont(theme.font("small"))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(f"Progress of {entry.title}")
        self.copy = tool_button(
            theme, "copy", "Copy details", self._copy, text="Copy details", kind="link"
        )
        self.stop = tool_button(theme, "close", f"Cancel {entry.title}", self._stop)
        line = horizontal(None, self.title, 0, self.copy, self.stop)
        vertical(self, line, self.bar, self.text, margins=(16, 6, 8, 6), spacing=3)
        self.update_row()

    def update_row(self) -> None:
        """Show the entry as it is now."""
        entry = self._entry
        progress, ended = entry.progress, entry.state.ended
        self.bar.setVisible(not ended)
        self.bar.setRange(0, progress.total or (0 if entry.state is State.RUNNING else 1))
        self.bar.setValue(progress.done)
        self.copy.setVisible(entry.state is State.FAILED)
        self.stop.setToolTip("Remove from the list" if ended else f"Cancel {entry.title}")
        self.stop.setAccessibleName(self.stop.toolTip())
        set_tone(self.text, "bad" if entry.state is State.FAILED else "muted")
        self.text.setText(self._sentence())
        self.text.setVisible(bool(self.text.text()))

    def _sentence(self) -> str:
        entry = self._entry
        if entry.state is State.QUEUED:
            return "Waiting for the job before it"
        if entry.state is State.CANCELLED:
            return "Cancelled; what was done before is kept"
        if entry.state is State.FAILED and entry.handle.error is not None:
            return explain(entry.handle.error, entry.title).sentence
        if entry.state is State.DONE:
            return entry.outcome or "Done"
        progress = entry.progress
        count = f"{progress.done:,} of {progress.total:,}" if progress.total else ""
        parts = [progress.text or count, time_left(entry.seconds_left)]
        return " · ".join(part for part in parts if part)

    def _stop(self) -> None:
        if self._entry.state.ended:
            self._jobs.remove(self._entry)
        else:
            self._entry.handle.cancel()
            self.text.setText("Stopping …")

    def _copy(self) -> None:
        if self._entry.handle.error is not None:
            trouble = explain(self._entry.handle.error, self._entry.title)
            QGuiApplication.clipboard().setText(f"{trouble.sentence}\n\n{trouble.details}")


class JobsPanel(QFrame):
    """All jobs, the newest first."""

    counted = Signal(int)
    """How many are at work."""

    def __init__(self, theme: Theme, jobs: JobList) -> None:
        super().__init__()
        self.setProperty("role", "jobs")
        self._theme, self._jobs = theme, jobs
        self._rows: dict[Entry, JobRow] = {}
        self._inner = QWidget()
        ground(self._inner, "reading")
        self._list = vertical(self._inner, 0, spacing=0)
        self._empty = label(
            "Nothing is running. Imports and computing similarity appear here.", "muted"
        )
        self._empty.setContentsMargins(16, 8, 16, 8)
        self._list.insertWidget(0, self._empty)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self._inner)
        close = tool_button(theme, "chevron-down", "Fold the jobs away", self.hide)
        top = horizontal(None, heading(theme, "Jobs"), 0, close, margins=(16, 4, 8, 0))
        column = vertical(self, top, hairline(), spacing=4)
        column.addWidget(area, 1)
        self.setFixedHeight(_EMPTY_HEIGHT)
        jobs.added.connect(self._add)
        jobs.updated.connect(self._update)
        jobs.removed.connect(self._remove)
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Rows do not follow their jobs while nobody sees them."""
        super().showEvent(event)
        for row in self._rows.values():
            row.update_row()

    def _add(self, entry: Entry) -> None:
        row = JobRow(self._theme, entry, self._jobs)
        self._rows[entry] = row
        self._list.insertWidget(0, row)
        self._count()
        for old in [one for one in self._rows if one.state.ended][
            : max(0, len(self._rows) - _KEPT)
        ]:
            self._jobs.remove(old)

    def _update(self, entry: Entry) -> None:
        row = self._rows.get(entry)
        if row is not None and (self.isVisible() or entry.state.ended):
            row.update_row()
        self._count()

    def _remove(self, entry: Entry) -> None:
        row = self._rows.pop(entry, None)
        if row is not None:
            row.hide()
            row.deleteLater()
        self._count()

    def _count(self) -> None:
        self._empty.setVisible(not self._rows)
        self.setFixedHeight(_HEIGHT if self._rows else _EMPTY_HEIGHT)
        self.counted.emit(len(self._jobs.running))
