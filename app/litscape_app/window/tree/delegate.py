"""How a place is drawn: icon, name, and its number of papers at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from litscape_app.window.text_lines import break_lines, draw_lines
from litscape_app.window.tree.model import NODE, Node
from litscape_resources import palette_of

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_DOT, _PART = 10.0, 7.0
_LINES = 2
"""Lines that the name of a topic may take."""


class PlaceDelegate(QStyledItemDelegate):
    """Draws places and the headings over them."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.restyle()
        theme.changed.connect(self.restyle)

    def restyle(self) -> None:
        """Take fonts and colours anew."""
        self._body = self._theme.font("body")
        self._heading = self._theme.font("small", bold=True)
        self._heading.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 106)
        self._figures = self._theme.font("small")
        self._figures.setFeature(QFont.Tag("tnum"), 1)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Headings stand a little apart from what is above them."""
        node: Node = index.data(NODE)
        height = QFontMetrics(self._body).height()
        heading = node.scope is None and not node.act
        if node.colour is not None:
            height += (self._lines(node) - 1) * QFontMetrics(self._body).lineSpacing()
        return QSize(120, height + (20 if heading else 11))

    def _lines(self, node: Node) -> int:
        """In how many lines the name of a topic stands, in the width that there is."""
        tree = self.parent()
        if not isinstance(tree, QTreeView):
            return 1
        depth, above = 0, node.parent
        while above is not None and above.parent is not None:
            depth, above = depth + 1, above.parent
        figures = QFontMetrics(self._figures).horizontalAdvance(f"{node.count or 0:,}")
        left = tree.indentation() * (depth + 1) + 28
        width = tree.viewport().width() - left - figures - 8 - 15
        return len(break_lines(node.title, self._body.toString(), width, _LINES)) or 1

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one line."""
        node: Node = index.data(NODE)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if node.scope is None and not node.act:
            self._draw_heading(painter, rect, node)
        else:
            self._draw_place(painter, rect, state, node)
        painter.restore()

    def _draw_heading(self, painter: QPainter, rect: QRect, node: Node) -> None:
        painter.setFont(self._heading)
        painter.setPen(self._theme.colour("muted"))
        place = rect.adjusted(2, 8, -8, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, node.title.upper())

    def _draw_place(
        self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, node: Node
    ) -> None:
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        ground: QColor | None = None
        if chosen:
            ground = self._theme.colour("selection")
        elif state & QStyle.StateFlag.State_MouseOver:
            ground = self._theme.colour("raised")
        if ground is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(QRectF(rect.adjusted(0, 1, -6, -1)), 5, 5)
        if state & QStyle.StateFlag.State_HasFocus and chosen:
            painter.setPen(self._theme.colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(
                QRectF(rect.adjusted(0, 1, -6, -1)).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5
            )
        device = painter.device()
        ratio = device.devicePixelRatioF() if device is not None else 1.0
        if node.colour is not None:
            self._draw_dot(painter, rect, node)
        else:
            icon = self._theme.pixmap(node.icon, 16, "accent" if chosen else "muted", ratio)
            painter.drawPixmap(rect.x() + 6, rect.y() + (rect.height() - 16) // 2, icon)
        right = rect.right() - 14
        if node.count is not None:
            text = f"{node.count:,}"
            painter.setFont(self._figures)
            painter.setPen(self._theme.colour("muted"))
            width = painter.fontMetrics().horizontalAdvance(text)
            place = QRect(right - width, rect.y(), width + 1, rect.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            right -= width + 8
        place = QRect(rect.x() + 28, rect.y(), max(0, right - rect.x() - 28), rect.height())
        if node.colour is not None:
            lines = len(break_lines(node.title, self._body.toString(), place.width(), _LINES))
            top = rect.y() + (rect.height() - lines * QFontMetrics(self._body).lineSpacing()) // 2
            ink = self._theme.colour("text")
            draw_lines(painter, place, top, node.title, self._body, ink, _LINES)
            return
        painter.setFont(self._body)
        painter.setPen(self._theme.colour("text"))
        title = painter.fontMetrics().elidedText(
            node.title, Qt.TextElideMode.ElideRight, place.width()
        )
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, title)

    def _draw_dot(self, painter: QPainter, rect: QRect, node: Node) -> None:
        """The colour of a topic, smaller for what is a part of one."""
        part = node.parent is not None and node.parent.colour is not None
        size = _PART if part else _DOT
        colour = QColor(palette_of(self._theme.tokens).of(node.colour or 0))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        middle = QPointF(rect.x() + 14, rect.y() + rect.height() / 2)
        painter.drawEllipse(middle, size / 2, size / 2)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """The name is edited where it stands."""
        rect: QRect = option.rect
        editor.setGeometry(rect.adjusted(22, 0, -6, 0))
        if isinstance(editor, QLineEdit):
            editor.setStyleSheet("padding: 0 4px;")
