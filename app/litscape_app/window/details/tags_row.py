"""A row of chips with a line to add one more: tags, or the collections a paper is in."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from litscape_app.window.widgets.basics import clear
from litscape_app.window.widgets.chip import Chip
from litscape_app.window.widgets.flow import FlowLayout

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from PySide6.QtGui import QKeyEvent

    from litscape_app.window.theme import Theme


class AddLine(QLineEdit):
    """A short line that adds what is written in it."""

    added = Signal(str)
    left = Signal()
    """Escape, or Enter with nothing written: the keyboard can go elsewhere."""

    def __init__(self, placeholder: str) -> None:
        super().__init__()
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setStyleSheet("padding: 1px 6px; border-radius: 9px;")
        # One for good: a popup that is deleted takes the keyboard from its window.
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        # Once the completer has written the name into the line, it is what was meant.
        completer.activated.connect(lambda _text: QTimer.singleShot(0, self._add))
        self.setCompleter(completer)

    def sizeHint(self) -> QSize:
        """Room for the placeholder, or a word."""
        words = max(self.placeholderText(), self.text(), key=len)
        width = self.fontMetrics().horizontalAdvance(words) + 32
        return QSize(max(84, width), super().sizeHint().height())

    def offer(self, names: Iterable[str]) -> None:
        """Complete from ``names``."""
        offered = sorted(names, key=str.casefold)
        if offered != self._names.stringList():
            self._names.setStringList(offered)

    def _add(self) -> bool:
        text = self.text().strip()
        self.clear()
        if text:
            self.added.emit(text)
        return bool(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and a comma add; Escape empties and leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        elif event.text() in (",", ";"):
            self._add()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
        else:
            super().keyPressEvent(event)

    def _take(self) -> None:
        """Add the name marked among the completions, or else what is written."""
        completer = self.completer()
        popup = completer.popup() if completer is not None else None
        if popup is not None and popup.isVisible():
            marked = popup.currentIndex()
            popup.hide()
            if marked.isValid():
                self.setText(str(marked.data()))
        if not self._add():
            self.left.emit()


class ChipsRow(QWidget):
    """Names as chips, each removable, and a line for another."""

    added = Signal(str)
    removed = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, placeholder: str, what: str) -> None:
        """``what`` names one of them in tooltips: "tag", "collection"."""
        super().__init__()
        self._theme, self._what = theme, what
        self._flow = FlowLayout(self, gap=4)
        self.line = AddLine(placeholder)
        self.line.setFont(theme.font("small"))
        self.line.added.connect(self.added.emit)
        self.line.left.connect(self.left.emit)
        self.names: tuple[str, ...] = ()
        self.marks: dict[str, str] = {}
        self.show_names(())

    def show_names(self, names: Sequence[str], marks: Mapping[str, str] | None = None) -> None:
        """Show other names; ``marks`` are words to set behind some of them."""
        marks = dict(marks or {})
        if (tuple(names), marks) == (self.names, self.marks) and self._flow.count():
            return
        self.names, self.marks = tuple(names), marks
        held = self.line.hasFocus()
        self._flow.removeWidget(self.line)
        clear(self._flow)
        for name in self.names:
            what = f"Remove the {self._what} {name}"
            chip = Chip(
                self._theme, name, partial(self.removed.emit, name), what, mark=marks.get(name, "")
            )
            self._flow.addWidget(chip)
        self._flow.addWidget(self.line)
        if held:
            self.line.setFocus()
        self.updateGeometry()
