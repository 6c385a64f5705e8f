"""The list below the search line; the keyboard stays in the line."""

from __future__ import annotations

from dataclasses import dataclass
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
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from litscape_app.window.widgets.basics import label, vertical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
LINE = Qt.ItemDataRole.UserRole
_MOST_SHOWN = 12
_SIDE, _ICON = 10, 16
_ICONS = {"past": "search", "field": "filter", "forget": "trash"}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One line of the list.

    Attributes:
        kind: ``past``, ``field``, ``value``, ``forget``.
        shown: its words.
        text: what it puts into the line.
        detail: quiet words beside them.
        papers: a number at the end, None for none.
    """

    kind: str
    shown: str
    text: str = ""
    detail: str = ""
    papers: int | None = None

    @property
    def spoken(self) -> str:
        """All of it in one line, for screen readers."""
        number = "" if self.papers is None else f"{self.papers:,} papers"
        return ", ".join(part for part in (self.shown, self.detail, number) if part)


class SuggestionModel(QAbstractListModel):
    """The lines."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines: tuple[Suggestion, ...] = ()

    def show(self, lines: Sequence[Suggestion]) -> None:
        """Show other lines."""
        self.beginResetModel()
        self.lines = tuple(lines)
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Lines."""
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The words, or the line itself."""
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.shown
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.spoken
        return line if role == LINE else None


class SuggestionDelegate(QStyledItemDelegate):
    """Draws a line: icon, words, quiet words, number."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.restyle()
        theme.changed.connect(self.restyle)

    def restyle(self) -> None:
        """Take the fonts anew."""
        self._body, self._small = self._theme.font("body"), self._theme.font("small")
        self._figures = QFont(self._small)
        self._figures.setFeature(QFont.Tag("tnum"), 1)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line of text with a little air."""
        return QSize(200, QFontMetrics(self._body).height() + 10)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one line."""
        line: Suggestion = index.data(LINE)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("selection"))
            painter.drawRoundedRect(QRectF(rect.adjusted(4, 1, -4, -1)), 5, 5)
        inner = rect.adjusted(_SIDE + 4, 0, -_SIDE - 4, 0)
        name = _ICONS.get(line.kind)
        if name:
            device = painter.device()
            ratio = device.devicePixelRatioF() if device is not None else 1.0
            icon = self._theme.pixmap(name, _ICON, "muted", ratio)
            painter.drawPixmap(inner.x(), inner.y() + (inner.height() - _ICON) // 2, icon)
            inner.setLeft(inner.x() + _ICON + 8)
        if line.papers is not None:
            inner.setRight(self._number(painter, inner, f"{line.papers:,}"))
        self._words(painter, inner, line)
        painter.restore()

    def _number(self, painter: QPainter, rect: QRect, text: str) -> int:
        painter.setFont(self._figures)
        painter.setPen(self._theme.colour("muted"))
        painter.drawText(
            rect, Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignRight.value, text
        )
        return rect.right() - painter.fontMetrics().horizontalAdvance(text) - 12

    def _words(self, painter: QPainter, rect: QRect, line: Suggestion) -> None:
        painter.setFont(self._body)
        painter.setPen(self._theme.colour("muted" if line.kind == "forget" else "text"))
        metrics = painter.fontMetrics()
        words = metrics.elidedText(line.shown, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter.value, words)
        used = metrics.horizontalAdvance(words) + 12
        if line.detail and rect.width() > used + 24:
            rest = rect.adjusted(max(used, 110 if line.kind == "field" else 0), 0, 0, 0)
            painter.setFont(self._small)
            painter.setPen(self._theme.colour("muted"))
            detail = painter.fontMetrics().elidedText(
                line.detail, Qt.TextElideMode.ElideRight, rest.width()
            )
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter.value, detail)


class SuggestionPopup(QFrame):
    """The list itself, a part of the window that lies over the others."""

    taken = Signal(object)
    """The :class:`Suggestion` that was chosen."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "popup")
        self.setAccessibleName("Suggestions")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.model = SuggestionModel(self)
        self.list = QListView()
        self.list.setAccessibleName("Suggestions")
        self.list.setModel(self.model)
        self.list.setItemDelegate(SuggestionDelegate(theme, self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.entered.connect(self.list.setCurrentIndex)
        self.list.clicked.connect(self._clicked)
        self.foot = label("", "muted")
        self.foot.setFont(theme.font("small"))
        self.foot.setContentsMargins(14, 2, 14, 4)
        vertical(self, self.list, self.foot, margins=(1, 5, 1, 3), spacing=2)
        self.hide()

    @property
    def current(self) -> Suggestion | None:
        """The marked line; None where none is."""
        index = self.list.currentIndex()
        return self.model.lines[index.row()] if index.isValid() else None

    def offer(self, lines: Sequence[Suggestion], below: QWidget, foot: str) -> None:
        """Show lines below a part of the window, none of them marked; nothing without lines."""
        if not lines:
            self.hide()
            return
        window = below.window()
        if self.parent() is not window:
            self.setParent(window)
        self.model.show(lines)
        self.list.setCurrentIndex(QModelIndex())
        self.foot.setText(foot)
        row = self.list.sizeHintForRow(0)
        self.list.setFixedHeight(row * min(len(lines), _MOST_SHOWN) + 2)
        self.place(below)
        self.show()
        self.raise_()

    def place(self, below: QWidget) -> None:
        """Lie right below a part of the window."""
        at = below.mapTo(below.window(), QPoint(0, below.height() + 2))
        self.setFixedWidth(min(below.width(), 640))
        self.adjustSize()
        self.move(at)

    def step(self, by: int) -> None:
        """Mark the next or the previous line; none above the first."""
        index = self.list.currentIndex()
        row = index.row() + by if index.isValid() else (0 if by > 0 else -1)
        last = len(self.model.lines) - 1
        self.list.setCurrentIndex(
            self.model.index(min(row, last), 0) if row >= 0 else QModelIndex()
        )

    def _clicked(self, index: QModelIndex) -> None:
        self.taken.emit(self.model.lines[index.row()])
