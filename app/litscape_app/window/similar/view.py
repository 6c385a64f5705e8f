"""The list of similar papers: click looks, double click goes there, + and − steer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QToolTip

from litscape_app.window.similar.delegate import NeighbourDelegate

if TYPE_CHECKING:
    from collections.abc import Collection

    from litscape_app.window.similar.model import NeighbourModel
    from litscape_app.window.theme import Theme


class NeighbourList(QListView):
    """Shows a :class:`NeighbourModel`."""

    previewed = Signal(object)
    followed = Signal(object)
    more_like = Signal(object)
    less_like = Signal(object)
    left = Signal()
    """The hit that was looked at is gone, and no other took its place."""

    def __init__(self, theme: Theme, model: NeighbourModel) -> None:
        super().__init__()
        self.hits = model
        self.seen: int | None = None
        self.setModel(model)
        self.neighbour_delegate = NeighbourDelegate(theme, self)
        self.setItemDelegate(self.neighbour_delegate)
        self.setAccessibleName("Similar papers")
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.doubleClicked.connect(self._follow)
        self.clicked.connect(self._look)

    def _id(self, index: QModelIndex) -> int:
        return self.hits.hits[index.row()].paper_id

    def _look(self, index: QModelIndex) -> None:
        self.seen = self._id(index)
        self.previewed.emit(self.seen)

    def stay(self, row: int, gone: Collection[int]) -> None:
        """Stay in a row after hits were ranked anew; -1: they are others, shown from the first.

        What took the place of a hit that was looked at and is gone is looked at instead.
        """
        lost = row >= 0 and self.seen in gone
        if row < 0 or lost:
            self.seen = None
        if row < 0:
            self.scrollToTop()
        if row >= 0 and self.hits.hits:
            self.setCurrentIndex(self.hits.index(min(row, len(self.hits.hits) - 1), 0))
            if lost:
                self._look(self.currentIndex())
        elif lost:
            self.left.emit()

    def _follow(self, index: QModelIndex) -> None:
        self.followed.emit(self._id(index))

    def viewportSizeHint(self) -> QSize:
        """Any."""
        return QSize(200, 200)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines break anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the paper, + and − steer, arrows look."""
        index = self.currentIndex()
        signals = {"+": self.more_like, "-": self.less_like, "−": self.less_like}
        if index.isValid() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._follow(index)
        elif index.isValid() and event.text() in signals:
            signals[event.text()].emit(self._id(index))
        else:
            super().keyPressEvent(event)
            moved = self.currentIndex()
            if moved.isValid() and moved.row() != index.row():
                self._look(moved)

    def _button_at(self, at: QPoint) -> tuple[str, QModelIndex]:
        index = self.indexAt(at)
        if index.isValid():
            hit = self.hits.hits[index.row()]
            rect = self.visualRect(index)
            for name, place in self.neighbour_delegate.buttons(rect, hit).items():
                if place.contains(at):
                    return name, index
        return "", index

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the row; show a hand over its buttons."""
        name, index = self._button_at(event.position().toPoint())
        row = index.row() if index.isValid() else -1
        if row != self.neighbour_delegate.hovered:
            self.neighbour_delegate.hovered = row
            self.viewport().update()
        shape = Qt.CursorShape.PointingHandCursor if name else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No row is under the pointer."""
        self.neighbour_delegate.hovered = -1
        self.viewport().update()
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The buttons act, without choosing the row."""
        name, index = self._button_at(event.position().toPoint())
        if name and event.button() == Qt.MouseButton.LeftButton:
            signal = self.more_like if name == "plus" else self.less_like
            signal.emit(self._id(index))
            return
        super().mousePressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what a button does."""
        if isinstance(event, QHelpEvent):
            name, index = self._button_at(event.pos())
            if name:
                words = {"plus": "More like this (+)", "minus": "Less like this (−)"}
                if self.hits.hits[index.row()].reference is not None:
                    words["plus"] = "Add to the library (+)"
                QToolTip.showText(event.globalPos(), words[name], self)
                return True
        return super().viewportEvent(event)
