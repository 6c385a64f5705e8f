"""The list of papers and works at the other ends of links: a click goes there, + adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from litscape_app.window.details.link_rows import ROW, LinkModel, LinkRow
from litscape_app.window.text_lines import break_lines, draw_lines

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_SIDE, _TOP, _BUTTON = 6, 4, 24
_TALLEST = 400
"""Pixels above which the list scrolls by itself."""
_MEASURED = 40
"""Rows that are measured to know whether the list is that tall."""


class LinkDelegate(QStyledItemDelegate):
    """Two lines of title, one of authors and year, + for what is not in the library."""

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

    def _inner(self, rect: QRect, row: LinkRow) -> QRect:
        button = _BUTTON if row.reference is not None else 0
        return rect.adjusted(_SIDE, _TOP, -_SIDE - button, -_TOP)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as its lines."""
        row: LinkRow = index.data(ROW)
        width = self._view.viewport().width()
        inner = self._inner(QRect(0, 0, width, 100), row)
        lines = len(break_lines(row.title, self._body.toString(), inner.width(), 2)) or 1
        height = QFontMetrics(self._body).lineSpacing() * lines
        height += QFontMetrics(self._small).lineSpacing() * bool(row.byline)
        return QSize(width, height + 2 * _TOP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        row: LinkRow = index.data(ROW)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        theme = self._theme
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        if focused:
            painter.fillRect(rect, theme.colour("selection"))
            painter.fillRect(QRect(rect.x(), rect.y(), 3, rect.height()), theme.colour("accent"))
        elif index.row() == self.hovered:
            painter.fillRect(rect, theme.colour("hover"))
        inner = self._inner(rect, row)
        ink = theme.colour("accent" if row.paper is not None else "text")
        top = draw_lines(painter, inner, inner.y(), row.title, self._body, ink, 2)
        draw_lines(painter, inner, top, row.byline, self._small, theme.colour("muted"), 1)
        if row.reference is not None:
            token = "accent" if focused or index.row() == self.hovered else "muted"
            place = self.button(rect)
            icon = theme.pixmap("plus", 16, token, self._view.devicePixelRatioF())
            painter.drawPixmap(place.x() + 4, place.y() + 4, icon)

    @staticmethod
    def button(rect: QRect) -> QRect:
        """Where + lies in a row."""
        return QRect(rect.right() - _BUTTON - 1, rect.y() + 1, _BUTTON, _BUTTON)


class LinkList(QListView):
    """Shows a :class:`LinkModel`; as high as its rows, up to a height at which it scrolls."""

    followed = Signal(object)
    """A paper's id."""
    add_wanted = Signal(object)
    """The reference to a work that is to be added."""
    refused = Signal(object)
    """A paper's id: the link does not mean it."""

    def __init__(self, theme: Theme, model: LinkModel, name: str) -> None:
        super().__init__()
        self.links = model
        self.setModel(model)
        self.link_delegate = LinkDelegate(theme, self)
        self.setItemDelegate(self.link_delegate)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        # Thousands of rows are measured a part at a time, as Qt finds time for it.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setTabKeyNavigation(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._offer)
        model.modelReset.connect(self._fit)
        model.rowsInserted.connect(lambda *_where: self._fit())

    def _fit(self) -> None:
        height = 0
        for number in range(min(self.links.rowCount(), _MEASURED)):
            height += self.sizeHintForIndex(self.links.index(number, 0)).height()
            if height > _TALLEST:
                break
        self.setFixedHeight(max(1, min(height, _TALLEST)))

    def act(self, index: QModelIndex) -> None:
        """Go to a paper, or add a work."""
        row: LinkRow = index.data(ROW)
        if row.paper is not None:
            self.followed.emit(row.paper)
        elif row.reference is not None:
            self.add_wanted.emit(row.reference)

    def viewportSizeHint(self) -> QSize:
        """Any."""
        return QSize(120, 40)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines break anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()
            self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes there or adds, + adds."""
        index = self.currentIndex()
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        plus = event.text() == "+" and index.isValid() and index.data(ROW).reference is not None
        if index.isValid() and (enter or plus):
            self.act(index)
        else:
            super().keyPressEvent(event)

    def _offer(self, at: QPoint) -> None:
        """The menu of a row that the pointer, or the keyboard, is on."""
        index = self.indexAt(at)
        menu = self.menu_of(index if index.isValid() else self.currentIndex())
        if menu is not None:
            menu.popup(self.viewport().mapToGlobal(at))

    def menu_of(self, index: QModelIndex) -> QMenu | None:
        """What can be done with a row; None where nothing can."""
        row: LinkRow | None = index.data(ROW)
        if row is None or row.paper is None or not row.matched:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        paper = row.paper
        menu.addAction("Go to this paper", lambda: self.followed.emit(paper))
        menu.addAction("Not this paper", lambda: self.refused.emit(paper)).setToolTip(
            "Take the link back: the reference does not mean this paper"
        )
        return menu

    def _on_button(self, at: QPoint) -> bool:
        index = self.indexAt(at)
        if not index.isValid() or index.data(ROW).reference is None:
            return False
        return self.link_delegate.button(self.visualRect(index)).contains(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the row; a hand over what a click acts on."""
        at = event.position().toPoint()
        index = self.indexAt(at)
        self._hover(index.row() if index.isValid() else -1)
        acts = index.isValid() and (index.data(ROW).paper is not None or self._on_button(at))
        shape = Qt.CursorShape.PointingHandCursor if acts else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No row is under the pointer."""
        self._hover(-1)
        super().leaveEvent(event)

    def _hover(self, row: int) -> None:
        if row != self.link_delegate.hovered:
            self.link_delegate.hovered = row
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a paper goes there, one on + adds."""
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        index = self.indexAt(at)
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid():
            return
        if index.data(ROW).paper is not None or self._on_button(at):
            self.act(index)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what + does."""
        if isinstance(event, QHelpEvent) and self._on_button(event.pos()):
            QToolTip.showText(event.globalPos(), "Add to the library (+)", self)
            return True
        return super().viewportEvent(event)
