"""The table of compared papers: values as lines, with a mark at what will be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from litscape_app.window.pages.duplicates_page.fields import CELL, Cell, FieldModel
from litscape_app.window.pages.duplicates_page.list import is_letter
from litscape_app.window.text_lines import break_lines, draw_flags
from litscape_app.window.widgets.basics import as_list

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_SIDE, _TOP, _MARK = 8, 6, 12
_MOST_LINES = 4
_LEAST_WIDTH = 110
_CHOOSING = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FieldDelegate(QStyledItemDelegate):
    """A value in a few lines; a round mark before those among which one is chosen."""

    def __init__(self, theme: Theme, view: QTableView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def _inner(self, width: int) -> int:
        return width - 2 * _SIDE - _MARK - 6

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as its lines."""
        font = self._theme.font("body")
        width = self._view.columnWidth(index.column())
        cell: Cell = index.data(CELL)
        lines = break_lines(cell.shown, font.toString(), self._inner(width), _MOST_LINES)
        return QSize(width, max(1, len(lines)) * QFontMetrics(font).lineSpacing() + 2 * _TOP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell."""
        cell: Cell = index.data(CELL)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        theme = self._theme
        if cell.chosen:
            painter.fillRect(rect, theme.colour("selection"))
        elif cell.choice and state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.colour("hover"))
        painter.setPen(QPen(theme.colour("line"), 0))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.drawLine(rect.topRight(), rect.bottomRight())
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme.colour("accent"), 1))
            painter.drawRect(rect.adjusted(0, 0, -2, -2))
        font = theme.font("body")
        spacing = QFontMetrics(font).lineSpacing()
        if cell.choice:
            top = rect.y() + _TOP + (spacing - _MARK) // 2
            self._draw_mark(painter, QRect(rect.x() + _SIDE, top, _MARK, _MARK), cell.chosen)
        painter.setFont(font)
        painter.setPen(theme.colour("text" if cell.chosen or not cell.choice else "muted"))
        left, width = rect.x() + _SIDE + _MARK + 6, self._inner(rect.width())
        text = cell.shown or "–"
        for number, line in enumerate(break_lines(text, font.toString(), width, _MOST_LINES)):
            place = QRect(left, rect.y() + _TOP + number * spacing, width, spacing)
            painter.drawText(place, draw_flags(text), line)

    def _draw_mark(self, painter: QPainter, place: QRect, chosen: bool) -> None:
        theme = self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("accent" if chosen else "mark"), 1))
        painter.setBrush(theme.colour("surface"))
        painter.drawEllipse(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5))
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent"))
            painter.drawEllipse(QRectF(place).adjusted(3, 3, -3, -3))
        painter.restore()


class FieldTable(QTableView):
    """Columns share the width; what they can't is scrolled to."""

    chosen = Signal(str, int)
    """A field and the paper whose value it is to get; ``keep`` and the paper that stays."""

    def __init__(self, theme: Theme, model: FieldModel) -> None:
        super().__init__()
        self.fields = model
        self.setProperty("role", "list")
        self.setModel(model)
        self.setItemDelegate(FieldDelegate(theme, self))
        self.setAccessibleName("The papers beside each other")
        as_list(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setMouseTracking(True)
        self.setMinimumSize(160, 120)
        names, rows = self.horizontalHeader(), self.verticalHeader()
        for header in (names, rows):
            header.setHighlightSections(False)
            header.setTextElideMode(Qt.TextElideMode.ElideRight)
            header.setSectionsClickable(False)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        # Papers that can't be seen need no room: a group may have hundreds.
        rows.setResizeContentsPrecision(0)
        model.modelReset.connect(self.fit)
        theme.changed.connect(self.fit)

    def fit(self) -> None:
        """Share the width among the columns and give each row its height."""
        number = self.fields.columnCount()
        if not number:
            return
        width = max(_LEAST_WIDTH, self.viewport().width() // number)
        for column in range(number):
            self.setColumnWidth(column, width)
        self.resizeRowsToContents()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses the value."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(self.indexAt(event.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Enter choose the value; arrows move; letters are keys of the page."""
        if event.key() in _CHOOSING:
            self._choose(self.currentIndex())
        elif is_letter(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        choice = self.fields.choice(index)
        if choice is not None:
            self.chosen.emit(*choice)
