"""The part of the settings on the text of PDFs: whether, how much, and what it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QWidget

from litscape_app.window.ask import confirm
from litscape_app.window.fulltext import TextPhase
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.words import count, sentence

if TYPE_CHECKING:
    from litscape.settings import AppSettings
    from litscape_app.actions.command import Desk
    from litscape_app.window.fulltext import TextStanding

_WHAT = (
    "Words are then found inside PDFs too. The text is taken from the files on this computer, kept "
    "beside the library and never sent anywhere; about 5 MB for 100 papers. It can be made again, "
    "so that backups leave it out."
)
_SHOWN = 3


class PdfSettings(QWidget):
    """A switch, what is read so far, and buttons to read now and to remove."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.idle = QCheckBox("Read the text of attached PDFs while nobody works")
        self.what = label(_WHAT, "muted", wrap=True)
        self.state = label(wrap=True)
        self.unread = label("", "muted", wrap=True)
        self.now = push_button("Read now", self._start)
        self.again = push_button("Try again what failed", self._start_again)
        self.remove = push_button("Remove the text…", self._remove)
        for part in (self.what, self.unread):
            part.setFont(desk.session.theme.font("small"))
        buttons = horizontal(None, self.now, self.again, self.remove, 0)
        vertical(self, self.idle, self.what, 4, self.state, self.unread, buttons, spacing=4)
        desk.keeper.moved.connect(self._show)
        self._show(desk.keeper.standing)

    def show_settings(self, settings: AppSettings) -> None:
        """Show whether it is switched on, without switching it."""
        self.idle.blockSignals(True)
        self.idle.setChecked(settings.fulltext_when_idle)
        self.idle.blockSignals(False)
        self._show(self._desk.keeper.standing)

    def _show(self, standing: TextStanding) -> None:
        status = standing.status
        library = self._desk.session.library
        busy = standing.phase in (TextPhase.RUNNING, TextPhase.WAITING)
        if library is None:
            said = "No library is open."
        elif status is None:
            said = "Looking for PDFs …"
        else:
            said = sentence(status.sentence)
            if status.pending:
                said += f" {count(status.pending, 'PDF')} to read."
        self.state.setText(f"{said} {sentence(standing.sentence)}".strip())
        unread = status.unread if status is not None else ()
        lines = [one.why if one.file in one.why else f"{one.file}: {one.why}" for one in unread]
        more = f"… and {len(lines) - _SHOWN:,} more; the command `litscape fulltext` lists all."
        self.unread.setText("\n".join([*lines[:_SHOWN], *([more] if len(lines) > _SHOWN else [])]))
        self.unread.setVisible(bool(lines))
        writable = library is not None and not library.database.read_only
        todo = status is not None and bool(status.pending or status.damaged)
        self.now.setEnabled(writable and todo and not busy)
        self.again.setVisible(bool(lines))
        self.again.setEnabled(writable and not busy)
        self.remove.setEnabled(writable and status is not None and status.bytes > 0)

    def _start(self) -> None:
        self._desk.keeper.start()

    def _start_again(self) -> None:
        self._desk.keeper.start(again=True)

    def _remove(self) -> None:
        question = "Words are not found inside PDFs any more until they are read again."
        if confirm(self, "Remove the text of PDFs", question, "Remove"):
            self._desk.keeper.clear()
