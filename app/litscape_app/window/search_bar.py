"""The search line: words at each keystroke, meaning after a short pause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit

from litscape_app.window.suggest.offers import Offers
from litscape_app.window.widgets.basics import horizontal, tool_button
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape_app.window.session import Session

_PAUSE_MS = 220
_FINISHED_MS = 900
"""After so long a pause a value is what it is; a word may still go on."""
MODES = (
    ("lexical", "Words", "Find papers that contain the words"),
    ("semantic", "Meaning", "Find papers about the same thing, whatever their words"),
    ("hybrid", "Both", "Words and meaning together"),
)


class SearchLine(QLineEdit):
    """The text; arrow down and Enter go on to the list, Escape clears.

    ``keys`` is asked first whether a key is meant for what the line offers.
    """

    left = Signal()
    cleared = Signal()
    help_wanted = Signal()
    entered_query = Signal()
    """Enter was pressed: what is typed is whole."""
    entered = Signal()
    """The person put the keyboard into the line."""
    gone = Signal()
    """The keyboard is elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: Callable[[QKeyEvent], bool] = lambda _event: False

    def event(self, event: QEvent) -> bool:
        """Take F1 before the window does, and Tab where something is offered."""
        if isinstance(event, QKeyEvent):
            key = event.key()
            if event.type() == QEvent.Type.ShortcutOverride and key == Qt.Key.Key_F1:
                event.accept()
                return True
            tab = event.type() == QEvent.Type.KeyPress and key == Qt.Key.Key_Tab
            if tab and self.keys(event):
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that leave or clear the line."""
        key = event.key()
        if self.keys(event):
            return
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if key != Qt.Key.Key_Down:
                self.entered_query.emit()
            self.left.emit()
        elif key == Qt.Key.Key_F1:
            self.help_wanted.emit()
        elif key == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.cleared.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click into the empty line shows what it offers."""
        super().mousePressEvent(event)
        self.entered.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the keyboard is elsewhere."""
        super().focusOutEvent(event)
        self.gone.emit()


class SearchBar(QFrame):
    """Line, choice of mode, and the way to the settings."""

    wanted = Signal(str, str, bool)
    """A query, the mode to search it in now, and whether its end is still being typed."""
    left = Signal()
    """The person goes on to the list."""
    mode_chosen = Signal(str)
    inside_chosen = Signal(bool)
    """Whether words are looked for inside PDFs too."""
    settings_wanted = Signal()
    help_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        theme = session.theme
        self.setProperty("role", "bar")
        self.line = SearchLine()
        self.line.setPlaceholderText(
            "Search titles, abstracts, authors …   title: year: tag: “a phrase” -not (a OR b)"
        )
        self.line.setAccessibleName("Search")
        self.line.setMinimumHeight(32)
        glass = QAction(self.line)
        theme.set_icon(glass, "search", "muted")
        self.line.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
        self._cross = QAction("Clear the search (Esc)", self.line)
        theme.set_icon(self._cross, "close", "muted")
        self._cross.triggered.connect(self.line.clear)
        self.line.addAction(self._cross, QLineEdit.ActionPosition.TrailingPosition)
        self._cross.setVisible(False)
        self.offers = Offers(session, self.line)
        self.offers.put.connect(self.line.setText)
        self.modes = Segments(MODES, "Search by")
        self.inside = QCheckBox("Also inside PDFs")
        self.inside.setToolTip(
            "Papers that have the words in a PDF come after those that have them in title, "
            "abstract and the like"
        )
        self.inside.hide()
        self.inside.toggled.connect(self.inside_chosen.emit)
        self.help = tool_button(theme, "help", "How to search (F1)", self.help_wanted.emit)
        self.gear = tool_button(theme, "settings", "Settings", self.settings_wanted.emit)
        self._edited = self._typing = False
        self._lay_out()
        self._follow_typing()

    def _lay_out(self) -> None:
        row = horizontal(self, margins=(12, 8, 12, 8), spacing=8)
        row.addWidget(self.line, 1)
        row.addWidget(self.help)
        row.addWidget(self.modes)
        row.addWidget(self.inside)
        row.addWidget(self.gear)

    def _follow_typing(self) -> None:
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.search_now)
        self._finished = QTimer(self)
        self._finished.setSingleShot(True)
        self._finished.setInterval(_FINISHED_MS)
        self._finished.timeout.connect(self._finish)
        self.line.textEdited.connect(self._edit)
        self.line.textChanged.connect(self._typed)
        self.line.entered_query.connect(self._finish)
        self.line.left.connect(self._leave)
        self.line.cleared.connect(self.left.emit)
        self.line.help_wanted.connect(self.help_wanted.emit)
        self.modes.chosen.connect(self._mode_chosen)

    @property
    def mode(self) -> str:
        """The chosen mode."""
        return self.modes.choice

    def set_query(self, query: str, mode: str = "") -> None:
        """Show a query without searching it again."""
        self.line.blockSignals(True)
        self.line.setText(query)
        self.line.blockSignals(False)
        self._cross.setVisible(bool(query))
        self._stop()
        if mode:
            self.modes.choose(mode)

    def offer_inside(self, there: bool, wished: bool) -> None:
        """Offer to look inside PDFs where their text is there; ``wished``: whether to do so."""
        self.inside.setVisible(there)
        self.inside.setChecked(there and wished)
        self.inside.setEnabled(self.mode != "semantic")

    def search_now(self) -> None:
        """Search what stands in the line in the chosen mode."""
        self._pause.stop()
        self.wanted.emit(self.line.text(), self.mode, self._typing)

    def focus(self) -> None:
        """Put the keyboard into the line, its text chosen."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()
        self.offers.show_past()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is offered stays below the line."""
        super().resizeEvent(event)
        if self.offers.popup.isVisible():
            self.offers.popup.place(self.line)

    def _edit(self, _text: str) -> None:
        """Keys changed the text, rather than a choice: it comes before the change itself."""
        self._edited = True

    def _stop(self) -> None:
        """Nothing is being typed."""
        self._pause.stop()
        self._finished.stop()
        self._typing = False

    def _finish(self) -> None:
        """Take what was typed as whole, but for a word, which is the start of one."""
        from litscape.search.query import parse

        if self._typing and not parse(self.line.text(), as_you_type=True).growing:
            self._stop()
            self.search_now()

    def _typed(self, text: str) -> None:
        at_end = self.line.cursorPosition() == len(text)
        self._typing = at_end and (self._edited or text.endswith(":"))
        self._edited = False
        if self._typing:
            self._finished.start()
        else:
            self._finished.stop()
        self._cross.setVisible(bool(text))
        if self.mode == "lexical" or not text.strip():
            self.search_now()
            return
        if self.mode == "hybrid":
            self.wanted.emit(text, "lexical", self._typing)
        self._pause.start()

    def _mode_chosen(self, mode: str) -> None:
        self.inside.setEnabled(mode != "semantic")
        self.mode_chosen.emit(mode)
        if self.line.text().strip():
            self.search_now()

    def _leave(self) -> None:
        if self._pause.isActive():
            self.search_now()
        self.offers.remember()
        self.left.emit()
