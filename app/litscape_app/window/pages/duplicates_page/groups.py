"""The list of groups: a tick, a title, what speaks for one work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from litscape_app.window.text_lines import draw_lines
from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from litscape_app.window.pages.duplicates_page.finding import Listed
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
LISTED = Qt.ItemDataRole.UserRole
_ROOT = QModelIndex()
_SIDE, _TOP, _BOX = 10, 7, 14


class GroupModel(QAbstractListModel):
    """The groups, each with a tick."""

    ticked = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.groups: list[Listed] = []
        self.tickable = True
        self._ticks: set[tuple[int, ...]] = set()

    def show(self, groups: Sequence[Listed], *, tickable: bool = True) -> None:
        """Show other groups; those that were ticked stay so."""
        self.beginResetModel()
        self.groups, self.tickable = list(groups), tickable
        self._ticks &= {one.ids for one in groups}
        self.endResetModel()
        self.ticked.emit()

    def remove(self, gone: Collection[tuple[int, ...]]) -> None:
        """Take the groups with these papers off the list."""
        self._ticks.difference_update(gone)
        rows = [row for row, one in enumerate(self.groups) if one.ids in gone]
        if len(rows) == 1:
            self.beginRemoveRows(_ROOT, rows[0], rows[0])
            del self.groups[rows[0]]
            self.endRemoveRows()
        elif rows:
            self.beginResetModel()
            self.groups = [one for one in self.groups if one.ids not in gone]
            self.endResetModel()
        self.ticked.emit()

    @property
    def ticks(self) -> list[Listed]:
        """The groups that are ticked, in order."""
        return [one for one in self.groups if one.ids in self._ticks]

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One row a group."""
        return 0 if parent.isValid() else len(self.groups)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title, reasons, tick."""
        one = self.groups[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one.title
        if role == LISTED:
            return one
        if role == Qt.ItemDataRole.CheckStateRole and self.tickable:
            ticked = one.ids in self._ticks
            return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(f"{one.title[:1000]}\n{one.about}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{one.title}, {one.about}{', certain' if one.certain else ''}"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tick or untick."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        ids = self.groups[index.row()].ids
        if Qt.CheckState(value) == Qt.CheckState.Checked:
            self._ticks.add(ids)
        else:
            self._ticks.discard(ids)
        self.dataChanged.emit(index, index)
        self.ticked.emit()
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Chosen from, and ticked."""
        flag = Qt.ItemFlag
        own = flag.ItemIsUserCheckable if self.tickable else flag(0)
        return flag.ItemIsEnabled | flag.ItemIsSelectable | own


class GroupDelegate(QStyledItemDelegate):
    """Two lines of title and one of reasons beside the tick."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view
        self.restyle()
        theme.changed.connect(self.restyle)

    def restyle(self) -> None:
        """Take fonts anew."""
        self._body, self._small = self._theme.font("body"), self._theme.font("small")

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The same for all: lists of thousands are laid out at once."""
        lines = 2 * QFontMetrics(self._body).lineSpacing()
        return QSize(60, lines + QFontMetrics(self._small).lineSpacing() + 2 * _TOP)

    def _box(self, rect: QRect) -> QRect:
        return QRect(rect.x() + _SIDE, rect.y() + _TOP + 2, _BOX, _BOX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one group."""
        one: Listed = index.data(LISTED)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        theme = self._theme
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("selection"))
            if state & QStyle.StateFlag.State_HasFocus:
                painter.fillRect(
                    QRect(rect.x(), rect.y(), 3, rect.height()), theme.colour("accent")
                )
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.colour("hover"))
        ticked = index.data(Qt.ItemDataRole.CheckStateRole)
        left = _SIDE
        if ticked is not None:
            self._draw_box(painter, self._box(rect), Qt.CheckState(ticked) == Qt.CheckState.Checked)
            left = 2 * _SIDE + _BOX
        inner = rect.adjusted(left, _TOP, -_SIDE, -_TOP)
        top = draw_lines(painter, inner, inner.y(), one.title, self._body, theme.colour("text"), 2)
        token = "good" if one.certain else "muted"
        about = f"Certain · {one.about}" if one.certain else one.about
        draw_lines(painter, inner, top, about, self._small, theme.colour(token), 1)
        painter.setPen(QPen(theme.colour("line"), 0))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def _draw_box(self, painter: QPainter, box: QRect, checked: bool) -> None:
        theme = self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("accent" if checked else "mark"), 1))
        painter.setBrush(theme.colour("accent" if checked else "surface"))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.restore()
        if checked:
            ratio = self._view.devicePixelRatioF()
            painter.drawPixmap(
                box.x() + 1, box.y() + 1, theme.pixmap("check", 12, "on_accent", ratio)
            )

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """A click beside the title ticks; the space bar does as ever."""
        if isinstance(event, QMouseEvent):
            at = event.position().toPoint()
            beside = self._box(option.rect).adjusted(-_SIDE, -_SIDE, _SIDE // 2, _SIDE)
            if event.type() != QEvent.Type.MouseButtonRelease or not beside.contains(at):
                return False
            state = index.data(Qt.ItemDataRole.CheckStateRole)
            if state is None:
                return False
            now = Qt.CheckState(state) == Qt.CheckState.Checked
            turned = Qt.CheckState.Unchecked if now else Qt.CheckState.Checked
            return model.setData(index, turned, Qt.ItemDataRole.CheckStateRole)
        return super().editorEvent(event, model, option, index)
