"""How a similar paper is drawn: score, title, reasons, and + and − under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from litscape_app.window.similar.model import HIT, Neighbour
from litscape_app.window.text_lines import break_lines, draw_lines

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

_SIDE, _TOP, _BUTTON = 16, 8, 24
Index = QModelIndex | QPersistentModelIndex


class NeighbourDelegate(QStyledItemDelegate):
    """Two lines of title, one of authors, two of reasons."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view
        self.hovered = -1
        self.restyle()
        theme.changed.connect(self.restyle)

    def restyle(self) -> None:
        """Take fonts anew."""
        self._body = self._theme.font("body")
        self._small = self._theme.font("small")
        self._figures = QFont(self._small)
        self._figures.setFeature(QFont.Tag("tnum"), 1)

    def _inner(self, rect: QRect) -> QRect:
        score = QFontMetrics(self._figures).horizontalAdvance("0.00") + 12
        return rect.adjusted(_SIDE + score, _TOP, -_SIDE, -_TOP)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as its lines."""
        hit: Neighbour = index.data(HIT)
        width = self._view.viewport().width()
        inner = self._inner(QRect(0, 0, width, 100))
        lines = len(break_lines(hit.title, self._body.toString(), inner.width(), 2)) or 1
        small = bool(hit.byline) + self._reasons(hit, inner)
        height = QFontMetrics(self._body).lineSpacing() * lines
        height += QFontMetrics(self._small).lineSpacing() * small
        return QSize(width, height + 2 * _TOP)

    def _reasons(self, hit: Neighbour, inner: QRect) -> int:
        """Lines that the reasons take."""
        return len(break_lines(hit.why, self._small.toString(), inner.width(), 2)) if hit.why else 0

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one hit."""
        hit: Neighbour = index.data(HIT)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        theme = self._theme
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        hovered = index.row() == self.hovered
        if chosen:
            painter.fillRect(rect, theme.colour("selection"))
        elif hovered:
            painter.fillRect(rect, theme.colour("hover"))
        if chosen and state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRect(rect.x(), rect.y(), 3, rect.height()), theme.colour("accent"))
        inner = self._inner(rect)
        painter.setFont(self._figures)
        painter.setPen(theme.colour("muted"))
        painter.drawText(rect.x() + _SIDE, inner.y() + QFontMetrics(self._body).ascent(), hit.score)
        top = draw_lines(painter, inner, inner.y(), hit.title, self._body, theme.colour("text"), 2)
        room = inner.adjusted(0, 0, -2 * _BUTTON if hovered or chosen else 0, 0)
        top = draw_lines(painter, room, top, hit.byline, self._small, theme.colour("muted"), 1)
        lines = self._reasons(hit, inner)
        draw_lines(painter, room, top, hit.why, self._small, theme.colour("accent"), lines)
        if hovered or chosen:
            self._draw_buttons(painter, rect, hit)
        painter.setPen(QPen(theme.colour("line"), 0))
        painter.drawLine(rect.x() + _SIDE, rect.bottom(), rect.right() - _SIDE, rect.bottom())

    def buttons(self, rect: QRect, hit: Neighbour) -> dict[str, QRect]:
        """Where + and − lie in a row; a work outside has + alone."""
        top = rect.bottom() - _BUTTON - 4
        right = rect.right() - _SIDE
        minus = QRect(right - _BUTTON + 4, top, _BUTTON, _BUTTON)
        if hit.reference is not None:
            return {"plus": minus}
        return {"plus": minus.translated(-_BUTTON, 0), "minus": minus}

    def _draw_buttons(self, painter: QPainter, rect: QRect, hit: Neighbour) -> None:
        ratio = self._view.devicePixelRatioF()
        for name, place in self.buttons(rect, hit).items():
            icon = self._theme.pixmap(name, 16, "text", ratio)
            painter.drawPixmap(place.x() + 4, place.y() + 4, icon)
