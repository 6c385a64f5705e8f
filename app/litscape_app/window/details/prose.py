"""Longer text to read: a wide line height, as high as it needs, always plain."""

from __future__ import annotations

from PySide6.QtCore import QSize, QSizeF, Qt
from PySide6.QtGui import (
    QResizeEvent,
    QShowEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QTextEdit

from litscape_app.window.text_lines import is_right_to_left

READING = 118
"""Line height for longer reading, in percent of the font's own."""


class Prose(QTextEdit):
    """Read-only text that can be selected and copied; it scrolls with the page around it."""

    def __init__(self, line_percent: int = READING) -> None:
        super().__init__()
        self._line_percent = line_percent
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "prose")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._text = ""
        self._most_lines = 0
        # Whatever lays the text out anew, a width, a font, the first time it is shown.
        self.document().documentLayout().documentSizeChanged.connect(self._take_height)

    def show_text(self, text: str) -> None:
        """Show ``text`` as it is."""
        if text == self._text:
            return
        self._text = text
        self.setPlainText(text)
        block = QTextBlockFormat()
        block.setLineHeight(
            self._line_percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        )
        block.setBottomMargin(4)
        if is_right_to_left(text):
            block.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(block)
        self._fit()

    def limit(self, lines: int) -> None:
        """Show at most so many lines at once; the rest scrolls."""
        self._most_lines = lines
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._fit()

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        self._take_height(self.document().size())

    def _take_height(self, size: QSizeF) -> None:
        height = max(1, round(size.height()) + 2)
        if self._most_lines:
            layout = self.document().firstBlock().layout()
            line = layout.lineAt(0).height() if layout.lineCount() else 0.0
            spaced = max(line, self.fontMetrics().lineSpacing()) * self._line_percent / 100
            height = min(height, round(spaced * self._most_lines) + 2)
        if height != self.height():
            self.setFixedHeight(height)

    def showEvent(self, event: QShowEvent) -> None:
        """What was shown in a hidden page had no width yet."""
        super().showEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Narrow is fine."""
        return QSize(40, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other width, other height."""
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, not the text, unless that is limited."""
        if self.verticalScrollBar().maximum() and self._most_lines:
            super().wheelEvent(event)
        else:
            event.ignore()


class ProseEdit(QPlainTextEdit):
    """Longer text being written: as high as its lines, within bounds."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.textChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        lines = max(3, min(16, int(self.document().size().height()) + 1))
        self.setFixedHeight(self.fontMetrics().lineSpacing() * lines + 16)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other width, other height."""
        super().resizeEvent(event)
        self._fit()
