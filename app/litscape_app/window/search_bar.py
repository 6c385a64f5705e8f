"""The search line: words at each keystroke, meaning after a short pause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit

from litscape_app.window.widgets.basics import horizontal, tool_button
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

_PAUSE_MS = 220
MODES = (
    ("lexical", "Words", "Find papers that contain the words"),
    ("semantic", "Meaning", "Find papers about the same thing, whatever their words"),
    ("hybrid", "Both", "Words and meaning together"),
)


class SearchLine(QLineEdit):
    """The text; arrow down and Enter go on to the list, Escape clears."""

    left = Signal()
    cleared = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that leave or clear the line."""
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        elif key == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.cleared.emit()
        else:
            super().keyPressEvent(event)


class SearchBar(QFrame):
    """Line, choice of mode, and the way to the settings."""

    wanted = Signal(str, str)
    """A query and the mode to search it in now."""
    left = Signal()
    """The person goes on to the list."""
    mode_chosen = Signal(str)
    settings_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self.line = SearchLine()
        self.line.setPlaceholderText(
            "Search titles, abstracts, authors …   title: author: year: tag: “a phrase” -not"
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
        self.modes = Segments(MODES, "Search by")
        self.gear = tool_button(theme, "settings", "Settings", self.settings_wanted.emit)
        row = horizontal(self, margins=(12, 8, 12, 8), spacing=8)
        row.addWidget(self.line, 1)
        row.addWidget(self.modes)
        row.addWidget(self.gear)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.search_now)
        self.line.textChanged.connect(self._typed)
        self.line.left.connect(self._leave)
        self.line.cleared.connect(self.left.emit)
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
        self._pause.stop()
        if mode:
            self.modes.choose(mode)

    def search_now(self) -> None:
        """Search what stands in the line in the chosen mode."""
        self._pause.stop()
        self.wanted.emit(self.line.text(), self.mode)

    def focus(self) -> None:
        """Put the keyboard into the line, its text chosen."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def _typed(self, text: str) -> None:
        self._cross.setVisible(bool(text))
        if self.mode == "lexical" or not text.strip():
            self.search_now()
            return
        if self.mode == "hybrid":
            self.wanted.emit(text, "lexical")
        self._pause.start()

    def _mode_chosen(self, mode: str) -> None:
        self.mode_chosen.emit(mode)
        if self.line.text().strip():
            self.search_now()

    def _leave(self) -> None:
        if self._pause.isActive():
            self.search_now()
        self.left.emit()
