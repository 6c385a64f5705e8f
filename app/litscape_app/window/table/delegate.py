"""How a paper's cells are drawn: the title speaks, everything else steps back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from litscape_app.window.marked_text import draw_marked, spans_by_line
from litscape_app.window.table.model import (
    COLUMNS,
    ROW,
    SHOWN,
    PaperTableModel,
    author_spans,
    authors_text,
)
from litscape_app.window.text_lines import break_lines, draw_flags
from litscape_resources import LABELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.paper import PaperRow
    from litscape.search.highlights import Passage
    from litscape_app.window.theme import Theme

    Spans = Sequence[tuple[int, int]]

SIDE = 8
_CHIP_PAD, _CHIP_GAP = 6, 4
_DOT, _SIGN = 10, 13
_STATES = {"reading": ("half", "accent"), "read": ("check", "muted")}
"""How the list marks states; an unread paper has no mark."""
Index = QModelIndex | QPersistentModelIndex


class PaperDelegate(QStyledItemDelegate):
    """Draws every column; ``lines`` is 1 in compact rows, else 2."""

    def __init__(self, theme: Theme, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._theme = theme
        self.lines = 2
        self.hovered = -1
        self.restyle()
        theme.changed.connect(self.restyle)

    def restyle(self) -> None:
        """Take colours and fonts anew from the theme."""
        theme = self._theme
        self._colours = {
            name: QColor(getattr(theme.tokens, name))
            for name in (
                "text",
                "muted",
                "accent",
                "selection",
                "hover",
                "raised",
                "line",
                "mark",
                "found",
            )
        }
        self._body = theme.font("body")
        self._small = theme.font("small")
        self._figures = QFont(self._body)
        self._figures.setFeature(QFont.Tag("tnum"), 1)
        self._untitled = QFont(self._body)
        self._untitled.setItalic(True)

    def row_height(self) -> int:
        """Height of a row in pixels, on the grid of 4."""
        needed = QFontMetrics(self._body).lineSpacing() * self.lines + 10
        return -(-needed // 4) * 4

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Columns are sized by the person, rows by the font."""
        return QSize(80, self.row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell."""
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        self._ground(painter, rect, state, index.row() == self.hovered)
        row = index.data(ROW)
        if row is None:
            return
        key = COLUMNS[index.column()].key
        inner = rect.adjusted(SIDE, 0, -SIDE, 0)
        if key == "tags":
            self._chips(painter, inner, row.tags)
        elif key == "rating":
            self._stars(painter, inner, row.rating or 0)
        elif key == "title":
            font = self._body if row.title else self._untitled
            tone = "muted" if row.read_state == "read" or not row.title else "text"
            inner = self._marks(painter, inner, row)
            shown = index.data(SHOWN)
            if shown is not None and shown.snippet is not None and self.lines > 1:
                self._with_snippet(painter, inner, index.data(), font, tone, shown.snippet)
            elif shown is not None and shown.title and row.title:
                self._found(painter, inner, index.data(), font, tone, shown.title)
            else:
                self._words(painter, inner, index.data(), font, self._colours[tone])
        elif COLUMNS[index.column()].numeric:
            figures, muted = self._figures, self._colours["muted"]
            self._words(painter, inner, index.data(), figures, muted, to_right=True)
        else:
            text = index.data()
            if key == "authors" and self._is_cut(text, inner.width()):
                text = authors_text(row, 2)
            shown = index.data(SHOWN) if key == "authors" else None
            if spans := author_spans(text, () if shown is None else shown.authors):
                self._found(painter, inner, text, self._body, "muted", spans)
            else:
                self._words(painter, inner, text, self._body, self._colours["muted"])
        if state & QStyle.StateFlag.State_HasFocus and index.column() == 0:
            painter.fillRect(QRect(rect.x(), rect.y(), 3, rect.height()), self._colours["accent"])

    def _is_cut(self, text: str, width: int) -> bool:
        lines = break_lines(text, self._body.toString(), width, self.lines)
        return any(line.endswith("…") for line in lines)

    def _ground(
        self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, hovered: bool
    ) -> None:
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._colours["selection"])
        elif hovered:
            painter.fillRect(rect, self._colours["hover"])
        painter.setPen(QPen(self._colours["line"], 0))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def _words(
        self,
        painter: QPainter,
        rect: QRect,
        text: str,
        font: QFont,
        colour: QColor,
        to_right: bool = False,
    ) -> None:
        lines = break_lines(text, font.toString(), rect.width(), self.lines)
        if not lines:
            return
        painter.setFont(font)
        painter.setPen(colour)
        spacing = painter.fontMetrics().lineSpacing()
        top = rect.y() + (rect.height() - spacing * len(lines)) // 2
        flags = draw_flags(text, to_right)
        for number, line in enumerate(lines):
            place = QRect(rect.x(), top + number * spacing, rect.width(), spacing)
            painter.drawText(place, flags, line)

    def _found(
        self, painter: QPainter, rect: QRect, text: str, font: QFont, tone: str, spans: Spans
    ) -> None:
        """A title or authors in which words were found."""
        text = " ".join(text.split())
        lines = break_lines(text, font.toString(), rect.width(), self.lines)
        spacing = QFontMetrics(font).lineSpacing()
        top = rect.y() + (rect.height() - spacing * len(lines)) // 2
        inside = spans_by_line(text, lines, spans)
        for number, (line, its) in enumerate(zip(lines, inside, strict=True)):
            place = QRect(rect.x(), top + number * spacing, rect.width(), spacing)
            self._marked(painter, place, line, its, font, tone)

    def _with_snippet(
        self, painter: QPainter, rect: QRect, text: str, font: QFont, tone: str, snippet: Passage
    ) -> None:
        """A title in one line, and below it the words of the abstract that were found."""
        spacing = QFontMetrics(font).lineSpacing()
        below = QFontMetrics(self._small).lineSpacing()
        top = rect.y() + (rect.height() - spacing - below - 2) // 2
        place = QRect(rect.x(), top, rect.width(), spacing)
        for line in break_lines(text, font.toString(), rect.width(), 1):
            self._marked(painter, place, line, (), font, tone)
        place = QRect(rect.x(), top + spacing + 2, rect.width(), below)
        lines = break_lines(snippet.text, self._small.toString(), rect.width(), 1)
        for line, its in zip(lines, spans_by_line(snippet.text, lines, snippet.spans), strict=True):
            self._marked(painter, place, line, its, self._small, "muted")

    def _marked(
        self, painter: QPainter, place: QRect, line: str, spans: Spans, font: QFont, tone: str
    ) -> None:
        if not spans:
            painter.setFont(font)
            painter.setPen(self._colours[tone])
            painter.drawText(place, draw_flags(line), line)
            return
        ground, words = self._colours["found"], self._colours["text"]
        draw_marked(painter, place, line, spans, font, self._colours[tone], ground, words)

    def _marks(self, painter: QPainter, rect: QRect, row: PaperRow) -> QRect:
        """A colour and a state at the right of a title; returns the room that is left."""
        left = rect.right() + 1
        middle = rect.center().y() + 1
        if row.colour in LABELS:
            left -= _DOT
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._colours["mark"], 1))
            painter.setBrush(QColor(LABELS[row.colour]))
            painter.drawEllipse(QRectF(left + 0.5, middle - _DOT / 2 + 0.5, _DOT - 1, _DOT - 1))
            painter.restore()
            left -= _CHIP_GAP
        if row.read_state in _STATES:
            icon, tone = _STATES[row.read_state]
            left -= _SIGN
            self._sign(painter, left, middle - _SIGN // 2, icon, tone)
            left -= _CHIP_GAP
        return rect.adjusted(0, 0, left - rect.right() - 1, 0)

    def _sign(self, painter: QPainter, left: int, top: int, icon: str, tone: str) -> None:
        device = painter.device()
        ratio = device.devicePixelRatioF() if device is not None else 1.0
        painter.drawPixmap(left, top, self._theme.pixmap(icon, _SIGN, tone, ratio))

    def _stars(self, painter: QPainter, rect: QRect, number: int) -> None:
        top = rect.center().y() + 1 - _SIGN // 2
        for place in range(min(number, rect.width() // _SIGN)):
            self._sign(painter, rect.x() + place * _SIGN, top, "star-full", "muted")

    def _chips(self, painter: QPainter, rect: QRect, names: tuple[str, ...]) -> None:
        painter.setFont(self._small)
        metrics = painter.fontMetrics()
        height = metrics.height() + 4
        left = rect.x()
        for number, name in enumerate(names):
            room = rect.right() - left
            rest = len(names) - number
            text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room - 2 * _CHIP_PAD)
            width = metrics.horizontalAdvance(text) + 2 * _CHIP_PAD
            if number and (width > room or room < 40 or text != name):
                painter.setPen(self._colours["muted"])
                place = QRect(left, rect.y(), max(room, 0), rect.height())
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, f"+{rest}")
                return
            top = rect.y() + (rect.height() - height) / 2
            ground = QRectF(left, top, width, height)
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._colours["raised"])
            painter.drawRoundedRect(ground, height / 2, height / 2)
            painter.restore()
            painter.setPen(self._colours["text"])
            painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)
            left += width + _CHIP_GAP

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """A tooltip only where the cell does not show its whole text."""
        if event.type() == QEvent.Type.ToolTip and isinstance(index.model(), PaperTableModel):
            rect: QRect = option.rect
            text = index.data() or ""
            width = rect.width() - 2 * SIDE
            key = COLUMNS[index.column()].key
            row = index.data(ROW)
            marked = key == "title" and row is not None and bool(row.read_state or row.colour)
            always = marked or key in ("tags", "found", "authors")
            whole = not always and not self._is_cut(text, width)
            if whole:
                QToolTip.hideText()
                return True
        return super().helpEvent(event, view, option, index)
