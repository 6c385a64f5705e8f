"""Raw text of a record beside the numbers of its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontDatabase, QPainter
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from litscape_app.window.widgets.basics import horizontal, tool_button, vertical

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from litscape_app.window.theme import Theme

LINES, LETTERS = 200, 20_000
"""More of a record than this is shown only when asked for."""
_LINE_AT_MOST = 5_000
"""Letters in one line of the view: Qt lays out a line as a whole."""
_EDGE = 6
_ENDS = str.maketrans({"\u2028": " ", "\u2029": " "})
"""Qt would begin a line where the file has none."""


class RawText(QWidget):
    """A record as its file has it; a long one is cut, with a button that shows the rest."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.view = NumberedText(theme)
        self.view.setAccessibleName("Raw text of the record")
        self.view.setPlaceholderText("The record as its file has it")
        self.all = tool_button(theme, "", "Show all", self._show_all, text="Show all", kind="link")
        self._text = ""
        self._line: int | None = None
        column = vertical(self, spacing=4)
        column.addWidget(self.view, 1)
        column.addLayout(horizontal(None, self.all, 0))
        self.all.hide()

    def show_text(self, text: str, line: int | None) -> None:
        """Show a record.

        Args:
            text: as its file has it.
            line: the number of its first line; None where there are no lines.
        """
        # Half of a surrogate pair can't be shown.
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        text = text.encode("utf-8", "replace").decode().translate(_ENDS)
        self._text, self._line = text, line
        beginning = _beginning(text)
        self.view.show_text(beginning, line)
        left = len(text) - len(beginning)
        self.all.setVisible(bool(left))
        if left:
            lines = text.count("\n") + 1
            much = f"{lines:,} lines" if lines > LINES else f"{len(text):,} letters"
            self.all.setText(f"Show all ({much})")

    def _show_all(self) -> None:
        self.view.show_text(self._text, self._line)
        self.all.hide()
        self.view.setFocus()


class NumberedText(QPlainTextEdit):
    """Text that can't be changed, with line numbers at its left."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._first: int | None = None
        self.numbers: list[int | None] = []
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setMinimumHeight(60)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._margin = _Margin(self)
        self.updateRequest.connect(self._scrolled)

    def show_text(self, text: str, first: int | None) -> None:
        """Show ``text``, its lines numbered from ``first`` on."""
        self._first = first
        shown: list[str] = []
        self.numbers = []
        for number, line in enumerate(text.split("\n")):
            for start in range(0, max(1, len(line)), _LINE_AT_MOST):
                shown.append(line[start : start + _LINE_AT_MOST])
                self.numbers.append(None if first is None or start else first + number)
        self.setPlainText("\n".join(shown))
        self.setViewportMargins(self.margin_width(), 0, 0, 0)
        self._place_margin()
        self._margin.update()

    def margin_width(self) -> int:
        """Pixels that the numbers need; 0 where there are none."""
        if self._first is None or not self.toPlainText():
            return 0
        widest = max((number for number in self.numbers if number), default=0)
        return self.fontMetrics().horizontalAdvance(f"{widest:,}") + 2 * _EDGE

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the numbers as high as the text."""
        super().resizeEvent(event)
        self._place_margin()

    def _place_margin(self) -> None:
        inner = self.contentsRect()
        self._margin.setGeometry(
            QRect(inner.left(), inner.top(), self.margin_width(), inner.height())
        )

    def _scrolled(self, _part: QRect, pixels: int) -> None:
        if pixels:
            self._margin.scroll(0, pixels)
        else:
            self._margin.update()

    def paint_numbers(self, event: QPaintEvent) -> None:
        """Write the numbers of the lines that are seen."""
        painter = QPainter(self._margin)
        painter.setPen(self._theme.colour("muted"))
        painter.setFont(self.font())
        height, width = self.fontMetrics().height(), self._margin.width() - _EDGE
        block = self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > event.rect().bottom():
                break
            at = block.blockNumber()
            number = self.numbers[at] if at < len(self.numbers) else None
            if number is not None:
                where = QRect(0, round(place.top()), width, height)
                painter.drawText(where, Qt.AlignmentFlag.AlignRight, f"{number:,}")
            block = block.next()
        painter.end()


class _Margin(QWidget):
    """The strip of the numbers."""

    def __init__(self, text: NumberedText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        """As wide as the numbers."""
        return QSize(self._text.margin_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write them."""
        self._text.paint_numbers(event)


def _beginning(text: str) -> str:
    """The first lines of a text, if there are too many of them or of its letters."""
    end = min(len(text), LETTERS)
    at = -1
    for _line in range(LINES):
        at = text.find("\n", at + 1, end)
        if at < 0:
            return text[:end]
    return text[:at]
