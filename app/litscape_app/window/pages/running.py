"""How far a long job of a page is, with the way to end it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QProgressBar, QWidget

from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.words import time_left

if TYPE_CHECKING:
    from litscape_app.qtjobs import Entry


class Running(QWidget):
    """A bar, a sentence and Cancel, for one job at a time."""

    def __init__(self, what: str) -> None:
        """Make the widget.

        Args:
            what: the job as it is read out: "the look-up".
        """
        super().__init__()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(f"Progress of {what}")
        self.said = Sentence()
        self.cancel = push_button("Cancel", self._cancel, name=f"Cancel {what}")
        hint = label("You can go on reading meanwhile.", "muted", wrap=True)
        vertical(self, self.bar, self.said, hint, 8, horizontal(None, self.cancel, 0), 0)
        self._entry: Entry | None = None

    def begin(self, entry: Entry) -> None:
        """Follow a job that was just started."""
        self._entry = entry
        self.cancel.setEnabled(True)
        self.bar.setRange(0, 0)
        self.said.say("Starting …")

    def follow(self, entry: Entry) -> None:
        """Show how far the job is; others are passed over."""
        if entry is not self._entry or entry.state.ended:
            return
        progress = entry.progress
        self.bar.setRange(0, progress.total or 0)
        self.bar.setValue(progress.done)
        if progress.text and self.cancel.isEnabled():
            left = time_left(entry.seconds_left)
            self.said.say(" · ".join(part for part in (progress.text, left) if part))

    def _cancel(self) -> None:
        if self._entry is not None:
            self._entry.handle.cancel()
            self.cancel.setEnabled(False)
            self.said.say("Stopping …")
