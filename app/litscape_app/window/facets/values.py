"""The values of one facet with their numbers, as a list to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent

    from litscape.facets import FacetValue
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
VALUE = Qt.ItemDataRole.UserRole
_NOWHERE = QModelIndex()


class ValueModel(QAbstractListModel):
    """The values in the order of the report."""

    def __init__(
        self,
        shown: Callable[[Sequence[str]], list[str]],
        whole: Callable[[str], str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._shown, self._whole = shown, whole
        self._names: dict[str, str] = {}
        self.values: tuple[FacetValue, ...] = ()
        self.most = 1

    def show_values(self, values: Sequence[FacetValue]) -> None:
        """Show others; the same ones in the same places change quietly, so that nothing jumps."""
        fresh = tuple(values)
        same = [one.value for one in fresh] == [one.value for one in self.values]
        if not same:
            self.beginResetModel()
            whole = [one.value for one in fresh]
            self._names = dict(zip(whole, self._shown(whole), strict=True))
        self.values = fresh
        self.most = max((one.papers for one in fresh), default=1)
        if not same:
            self.endResetModel()
        elif fresh:
            self.dataChanged.emit(self.index(0), self.index(len(fresh) - 1))

    def name(self, value: FacetValue) -> str:
        """A value as it is shown."""
        return self._names.get(value.value, value.value)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row a value."""
        return 0 if parent.isValid() else len(self.values)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Name, tooltip, accessible text, or the value."""
        if not index.isValid() or index.row() >= len(self.values):
            return None
        value = self.values[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.name(value)
        if role == VALUE:
            return value
        if role == Qt.ItemDataRole.ToolTipRole:
            told = self._whole(value.value)
            return plain_tooltip(f"{told}\nClick to choose, Ctrl+click or − to leave out")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = ", chosen" if value.chosen else ", left out" if value.left_out else ""
            return f"{self.name(value)}, {count(value.papers, 'paper')}{state}"
        return None


class ValueDelegate(QStyledItemDelegate):
    """Draws a value over a bar as long as its share of the largest."""

    def __init__(self, theme: Theme, model: ValueModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model
        self.restyle()
        theme.changed.connect(self.restyle)

    def restyle(self) -> None:
        """Take fonts anew."""
        self._body = self._theme.font("body")
        self._figures = self._theme.font("small")
        self._figures.setFeature(QFont.Tag("tnum"), 1)

    @property
    def height(self) -> int:
        """Of one row."""
        return QFontMetrics(self._body).height() + 8

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line."""
        return QSize(60, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one value."""
        value: FacetValue | None = index.data(VALUE)
        if value is None:
            return
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = QRectF(rect.adjusted(4, 1, -4, -1))
        self._draw_ground(painter, row, state, value)
        left = rect.x() + 12
        if value.chosen or value.left_out:
            device = painter.device()
            ratio = device.devicePixelRatioF() if device is not None else 1.0
            name = "check" if value.chosen else "minus"
            icon = self._theme.pixmap(name, 14, "accent" if value.chosen else "muted", ratio)
            painter.drawPixmap(rect.x() + 8, rect.y() + (rect.height() - 14) // 2, icon)
            left = rect.x() + 26
        right = self._draw_number(painter, rect, value)
        font = QFont(self._body)
        font.setStrikeOut(value.left_out)
        painter.setFont(font)
        painter.setPen(self._theme.colour("muted" if value.left_out else "text"))
        place = QRect(left, rect.y(), max(0, right - left), rect.height())
        text = painter.fontMetrics().elidedText(
            self._model.name(value), Qt.TextElideMode.ElideRight, place.width()
        )
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def _draw_ground(
        self, painter: QPainter, row: QRectF, state: QStyle.StateFlag, value: FacetValue
    ) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        if state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(self._theme.colour("hover"))
            painter.drawRoundedRect(row, 4, 4)
        if value.papers:
            share = value.papers / self._model.most
            painter.setBrush(self._theme.colour("accent" if value.chosen else "line"))
            width = max(3.0, (row.width() - 16) * share)
            painter.drawRoundedRect(QRectF(row.x() + 8, row.bottom() - 2, width, 2), 1, 1)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(row.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _draw_number(self, painter: QPainter, rect: QRect, value: FacetValue) -> int:
        if value.left_out:
            return rect.right() - 12
        text = f"{value.papers:,}"
        painter.setFont(self._figures)
        painter.setPen(self._theme.colour("muted"))
        width = painter.fontMetrics().horizontalAdvance(text)
        place = QRect(rect.right() - 11 - width, rect.y(), width + 1, rect.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
        return rect.right() - width - 19


class ValueList(QListView):
    """As high as its values; a click or Enter chooses, Ctrl and click or minus leaves out."""

    toggled = Signal(str, bool)
    """A value, and whether it is to be left out."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        shown: Callable[[Sequence[str]], list[str]],
        whole: Callable[[str], str],
    ) -> None:
        super().__init__()
        self.values = ValueModel(shown, whole, self)
        self._delegate = ValueDelegate(theme, self.values, self)
        self.setModel(self.values)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "facet")
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        theme.changed.connect(self.fit)

    def show_values(self, values: Sequence[FacetValue]) -> None:
        """Show values; the keyboard stays at the same one, or at the first."""
        before = self.currentIndex().data(VALUE)
        self.values.show_values(values)
        if before is not None and self.hasFocus():
            names = [one.value for one in self.values.values]
            row = names.index(before.value) if before.value in names else 0
            self.setCurrentIndex(self.values.index(row))
        self.fit()

    def fit(self) -> None:
        """Be as high as the values are."""
        self.setFixedHeight(self.values.rowCount() * self._delegate.height)

    def _toggle(self, index: QModelIndex, leave_out: bool) -> None:
        value: FacetValue | None = index.data(VALUE)
        if value is not None:
            self.toggled.emit(value.value, leave_out or value.left_out)

    def _menu(self, at: QPoint) -> None:
        index = self.indexAt(at)
        value: FacetValue | None = index.data(VALUE)
        if value is None:
            return
        menu = QMenu(self)
        taken = "Let go" if value.chosen else "Choose"
        menu.addAction(taken).triggered.connect(lambda: self.toggled.emit(value.value, False))
        out = "Take in again" if value.left_out else "Leave out"
        menu.addAction(out).triggered.connect(lambda: self.toggled.emit(value.value, True))
        menu.exec(self.viewport().mapToGlobal(at))
        menu.deleteLater()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a value."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            self._toggle(index, bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space choose, minus leaves out; arrow keys go on to the next list."""
        key = event.key()
        index = self.currentIndex()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and index.isValid():
            leave = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._toggle(index, leave)
        elif key == Qt.Key.Key_Minus and index.isValid():
            self._toggle(index, True)
        elif key == Qt.Key.Key_Down and index.row() == self.values.rowCount() - 1:
            self.focusNextChild()
        elif key == Qt.Key.Key_Up and index.row() == 0:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the first value."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.values.rowCount():
            self.setCurrentIndex(self.values.index(0))
