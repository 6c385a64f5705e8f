"""The box for identifiers and records, and what was found in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from litscape.errors import UserError
from litscape_app.window.pages.page_frame import Sentence, named
from litscape_app.window.widgets.basics import vertical
from litscape_app.window.words import count

if TYPE_CHECKING:
    from litscape.importers.pasted import Pasted
    from litscape_app.window.session import Session

_PAUSE_MS = 150


class PastedBox(QWidget):
    """Takes text and says what it is, as it is written."""

    recognised = Signal(object)
    """:class:`Pasted`, or None where the text is nothing that can be added."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.text = QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(
            "10.1000/182\narXiv:1706.03762\nor a record in BibTeX, RIS, CSL JSON …"
        )
        self.text.setFixedHeight(132)
        self.sentence = Sentence()
        self.found: Pasted | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._look)
        self.text.textChanged.connect(self._changed)
        self._slot = session.slot(self)
        self._slot.done.connect(self._tell)
        vertical(self, named(session.theme, "DOI, arXiv id, or a record", self.text), self.sentence)

    def take(self, text: str) -> None:
        """Put ``text`` in the box."""
        self.text.setPlainText(text)
        self.text.setFocus()

    def _changed(self) -> None:
        self.found = None
        self.recognised.emit(None)
        self._pause.start()

    def _look(self) -> None:
        text = self.text.toPlainText()
        self._session.look(self._slot, "Recognise", lambda _ctx: _found(text))

    def _tell(self, found: Pasted | str) -> None:
        if isinstance(found, str):
            self.sentence.say(found, "muted")
            return
        self.found = found
        if found.importer is not None:
            self.sentence.say(f"This is {found.importer.title}.", "good")
        else:
            number = len(found.identifiers)
            what = found.identifiers[0] if number == 1 else count(number, "identifier")
            self.sentence.say(f"{what}: will be looked up at Crossref or arXiv.", "good")
        self.recognised.emit(found)


def _found(text: str) -> Pasted | str:
    # Readers are loaded here, beside the window's thread: that takes longer than a frame.
    from litscape.importers.pasted import recognise

    if not text.strip():
        return ""
    try:
        return recognise(text)
    except UserError as error:
        return str(error)
