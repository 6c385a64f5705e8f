"""What a reader makes of the shown papers: state, stars, colour, the reading list."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from litscape.reading import BEGUN, COLOURS, MOST, READ, STATES, UNREAD
from litscape_app.window.table.model import stars_in_words
from litscape_app.window.widgets.basics import horizontal, tool_button
from litscape_app.window.widgets.flow import FlowLayout
from litscape_resources import LABELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent

    from litscape.paper import Paper, PaperRow
    from litscape_app.window.theme import Theme

STATE_NAMES = {UNREAD: "Unread", BEGUN: "Reading", READ: "Read"}
STATE_ICONS = {UNREAD: "circle", BEGUN: "half", READ: "check"}
_MIXED = "Mixed"


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one paper, with the day it was read; or what several have in common.

    None stands where they differ.
    """

    state: str | None = UNREAD
    rating: int | None = 0
    colour: str | None = ""
    listed: bool | None = False
    read_on: str = ""


def marks_of(paper: Paper) -> Marks:
    """Those of one paper."""
    return Marks(
        paper.read_state or UNREAD,
        paper.rating or 0,
        paper.colour or "",
        paper.list_position is not None,
        (paper.read_at or "")[:10],
    )


def common_marks(rows: Sequence[PaperRow]) -> Marks:
    """What all rows have in common."""
    states = {row.read_state or UNREAD for row in rows}
    ratings = {row.rating or 0 for row in rows}
    colours = {row.colour or "" for row in rows}
    lists = {row.listed for row in rows}
    return Marks(
        states.pop() if len(states) == 1 else None,
        ratings.pop() if len(ratings) == 1 else None,
        colours.pop() if len(colours) == 1 else None,
        lists.pop() if len(lists) == 1 else None,
    )


class Stars(QWidget):
    """Five stars: a click, an arrow or a digit rates; the same star again takes the rating away."""

    rated = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._buttons = [
            tool_button(theme, "star", f"Rate {stars_in_words(n)} ({n})", partial(self._press, n))
            for n in range(1, MOST + 1)
        ]
        for button in self._buttons:
            button.setFixedSize(21, 26)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a button takes arrows for itself
            button.setStyleSheet("padding: 0;")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._theme = theme
        self.rating: int | None = 0
        horizontal(self, *self._buttons, spacing=0)
        self.show_rating(0)

    def show_rating(self, rating: int | None) -> None:
        """Show a rating; None for several."""
        self.rating = rating
        for number, button in enumerate(self._buttons, 1):
            full = rating is not None and number <= rating
            self._theme.set_icon(
                button, "star-full" if full else "star", "accent" if full else "mark"
            )
        said = "differing ratings" if rating is None else stars_in_words(rating) or "not rated"
        self.setAccessibleName(f"Rating: {said}; 0 to {MOST} rate")

    def _press(self, number: int) -> None:
        self.rated.emit(0 if number == self.rating else number)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line around them while they have the keyboard."""
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.colour("accent"), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
            painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits rate, arrows move the rating."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if event.text() in tuple("012345"):
            self.rated.emit(int(event.text()))
        elif step is not None:
            self.rated.emit(max(0, min(MOST, (self.rating or 0) + step)))
        else:
            super().keyPressEvent(event)


class MarksRow(QWidget):
    """All marks in a line; each choice is told, and shown when the library has made it."""

    marked = Signal(object)
    """What to set, as names of :meth:`litscape.edits.Editor.mark` with their values."""
    listed = Signal(bool)
    """Whether the papers are to be in the reading list."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.marks = Marks()
        self.state = _menu_button(theme)
        self.state.setMenu(self._state_menu())
        self.stars = Stars(theme)
        self.stars.rated.connect(lambda number: self.marked.emit({"rating": number}))
        self.colour = _menu_button(theme)
        self.colour.setMenu(self._colour_menu())
        self.in_list = tool_button(
            theme, "reading-list", "Put into the reading list or take out (L)",
            self._turn_list, kind="quiet",
        )  # fmt: skip
        self.in_list.setCheckable(True)
        flow = FlowLayout(self, gap=2)
        for part in (self.state, self.stars, self.colour, self.in_list):
            flow.addWidget(part)
        theme.changed.connect(self._restyle)
        self.show_marks(self.marks)

    def show_marks(self, marks: Marks) -> None:
        """Show other marks."""
        self.marks = marks
        state = STATE_NAMES.get(marks.state or "", _MIXED)
        self._theme.set_icon(self.state, STATE_ICONS.get(marks.state or "", "circle"), "muted")
        self.state.setText(state)
        when = f" on {marks.read_on}" if marks.read_on else ""
        _name(self.state, f"Read or not: {state}{when} (U)")
        self.stars.show_rating(marks.rating)
        named = _MIXED if marks.colour is None else marks.colour.capitalize() or "No colour"
        self.colour.setText(named if marks.colour is None else "")
        self.colour.setIcon(dot_icon(self._theme, marks.colour or ""))
        _name(self.colour, f"Colour: {named}")
        self.in_list.setChecked(bool(marks.listed))

    def _restyle(self) -> None:
        """Draw the outline of the colour anew."""
        self.show_marks(self.marks)

    def _state_menu(self) -> QMenu:
        menu = QMenu(self)
        for state in STATES:
            action = menu.addAction(STATE_NAMES[state])
            self._theme.set_icon(action, STATE_ICONS[state], "muted")
            action.triggered.connect(partial(self._emit, {"read_state": state}))
        return menu

    def _colour_menu(self) -> QMenu:
        menu = QMenu(self)
        for name in (*COLOURS, ""):
            action = menu.addAction(name.capitalize() or "None")
            action.setIcon(dot_icon(self._theme, name))
            action.triggered.connect(partial(self._emit, {"colour": name or "none"}))
        return menu

    def _emit(self, values: dict[str, object], _checked: bool = False) -> None:
        self.marked.emit(values)

    def _turn_list(self) -> None:
        # It shows what is so: the library answers first.
        wanted = not self.marks.listed
        self.in_list.setChecked(bool(self.marks.listed))
        self.listed.emit(wanted)


def _menu_button(theme: Theme) -> QToolButton:
    button = tool_button(theme, "circle", "", text=" ", kind="quiet")
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return button


def _name(button: QToolButton, name: str) -> None:
    button.setToolTip(name)
    button.setAccessibleName(name)


def dot_icon(theme: Theme, colour: str) -> QIcon:
    """A colour as a dot inside an outline; an empty one for none."""
    icon = QIcon()
    for ratio in (1.0, 2.0):
        pixmap = QPixmap(QSize(round(16 * ratio), round(16 * ratio)))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("mark"), 1))
        if colour in LABELS:
            painter.setBrush(QColor(LABELS[colour]))
        painter.drawEllipse(QRectF(3.5, 3.5, 9, 9))
        if colour not in LABELS:
            painter.drawLine(QPointF(5, 11), QPointF(11, 5))
        painter.end()
        icon.addPixmap(pixmap)
    return icon
