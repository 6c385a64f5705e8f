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

from litscape_app.window.table.model import COLUMNS, ROW, PaperTableModel, authors_text
from litscape_app.window.text_lines import break_lines, draw_flags

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

SIDE = 8
_CHIP_PAD, _CHIP_GAP = 6, 4
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
            for name in ("text", "muted", "accent", "selection", "hover", "raised", "line")
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
        elif key == "title":
            font = self._body if row.title else self._untitled
            self._words(painter, inner, index.data(), font, self._colours["text"])
        elif COLUMNS[index.column()].numeric:
            figures, muted = self._figures, self._colours["muted"]
            self._words(painter, inner, index.data(), figures, muted, to_right=True)
        else:
            text = index.data()
            if key == "authors" and self._is_cut(text, inner.width()):
                text = authors_text(row, 2)
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
            always = key in ("tags", "found", "authors")
            whole = not always and not self._is_cut(text, width)
            if whole:
                QToolTip.hideText()
                return True
        return super().helpEvent(event, view, option, index)
