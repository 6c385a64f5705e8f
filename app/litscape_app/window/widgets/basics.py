"""Labels, lines and buttons in the window's style; text from a library is never markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape_app.window.theme import Theme

Box = TypeVar("Box", QVBoxLayout, QHBoxLayout)
_FROM_FRAME = 6


class WrappingLabel(QLabel):
    """Words in as many lines as the width asks for; no long word holds its column wide.

    A least width set on the label itself would make it ask for the height it has at that width.
    """

    def minimumSizeHint(self) -> QSize:
        """A few letters."""
        return QSize(40, self.fontMetrics().height())


class ElidingLabel(QLabel):
    """One line whose end is left out where there is no room; the pointer shows all of it."""

    def minimumSizeHint(self) -> QSize:
        """A few letters."""
        return QSize(40, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits."""
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        tip = plain_tooltip(self.text()) if shown != self.text() else ""
        if tip != self.toolTip():
            self.setToolTip(tip)
        self.style().drawItemText(
            QPainter(self), room, self.alignment().value, self.palette(), self.isEnabled(), shown,
            self.foregroundRole(),
        )  # fmt: skip


def label(text: str = "", tone: str = "", wrap: bool = False, select: bool = False) -> QLabel:
    """Plain text, whatever it contains."""
    result = WrappingLabel() if wrap else QLabel()
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setText(text)
    result.setWordWrap(wrap)
    if tone:
        result.setProperty("tone", tone)
    if wrap:
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        result.setSizePolicy(policy)
    if select:
        result.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        result.setCursor(Qt.CursorShape.IBeamCursor)
        result.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    return result


def literal(text: str) -> str:
    """``text`` for a button or menu, where a single ampersand would mark a key."""
    return text.replace("&", "&&")


def set_tone(target: QLabel, tone: str) -> None:
    """Change the colour of a label by its token's name."""
    if target.property("tone") != tone:
        target.setProperty("tone", tone)
        restyle(target)


def ground(widget: QWidget, role: str) -> None:
    """Give a plain widget the background of its role; Qt leaves that out unless told."""
    widget.setProperty("role", role)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def restyle(widget: QWidget) -> None:
    """Look the widget's style rules up again after a property changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def heading(theme: Theme, text: str) -> QLabel:
    """A small quiet heading over a group."""
    result = label(text.upper(), "muted")
    font = theme.font("small", bold=True)
    font.setLetterSpacing(font.SpacingType.PercentageSpacing, 106)
    result.setFont(font)
    return result


def as_list(table: QTableView) -> None:
    """Let a table be read like a list: no grid, nothing edited in it, Tab leads out of it."""
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setCornerButtonEnabled(False)


def hairline() -> QFrame:
    """A line of one pixel between groups."""
    result = QFrame()
    result.setProperty("role", "hairline")
    return result


def tool_button(
    theme: Theme,
    icon: str,
    name: str,
    act: Callable[[], object] | None = None,
    text: str = "",
    token: str = "muted",
    kind: str = "",
) -> QToolButton:
    """A flat button with an icon; ``name`` is its tooltip and accessible name."""
    result = QToolButton()
    if icon:
        theme.set_icon(result, icon, token)
        result.setIconSize(QSize(16, 16))
    if text:
        result.setText(literal(text))
        style = (
            Qt.ToolButtonStyle.ToolButtonTextBesideIcon
            if icon
            else Qt.ToolButtonStyle.ToolButtonTextOnly
        )
        result.setToolButtonStyle(style)
    result.setToolTip(plain_tooltip(name) if "<" in name else name)
    result.setAccessibleName(name)
    result.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    result.setCursor(Qt.CursorShape.PointingHandCursor)
    if kind:
        result.setProperty("kind", kind)
    if act is not None:
        result.clicked.connect(lambda _checked=False: act())
    return result


def push_button(
    text: str, act: Callable[[], object] | None = None, kind: str = "", name: str = ""
) -> QPushButton:
    """A button with words; ``kind`` is primary, danger or empty."""
    result = QPushButton(literal(text))
    result.setAutoDefault(False)
    if kind:
        result.setProperty("kind", kind)
    if name:
        result.setAccessibleName(name)
    result.setCursor(Qt.CursorShape.PointingHandCursor)
    if act is not None:
        result.clicked.connect(lambda _checked=False: act())
    return result


def roomy(box: QAbstractSpinBox) -> None:
    """Keep a number off the frame of its box: Qt heeds a style's padding there only upright."""
    box.lineEdit().setTextMargins(_FROM_FRAME, 0, 0, 0)


def vertical(
    parent: QWidget | None,
    *parts: QWidget | QLayout | int,
    margins: tuple[int, ...] = (0,) * 4,
    spacing: int = 8,
) -> QVBoxLayout:
    """Parts under each other; a number is a gap, 0 a stretch."""
    return _fill(QVBoxLayout(), parent, parts, margins, spacing)


def horizontal(
    parent: QWidget | None,
    *parts: QWidget | QLayout | int,
    margins: tuple[int, ...] = (0,) * 4,
    spacing: int = 8,
) -> QHBoxLayout:
    """Parts beside each other; a number is a gap, 0 a stretch."""
    return _fill(QHBoxLayout(), parent, parts, margins, spacing)


def _fill(
    box: Box,
    parent: QWidget | None,
    parts: tuple[QWidget | QLayout | int, ...],
    margins: tuple[int, ...],
    spacing: int,
) -> Box:
    if parent is not None:
        parent.setLayout(box)
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            if part:
                box.addSpacing(part)
            else:
                box.addStretch(1)
        elif isinstance(part, QWidget):
            box.addWidget(part)
        else:
            box.addLayout(part)
    return box


def clear(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)
