"""What all pages of the middle share: a title, the way back, a column of readable width."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLayout,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from litscape_app.window.troubles import explain
from litscape_app.window.widgets.basics import (
    WrappingLabel,
    as_list,
    ground,
    heading,
    horizontal,
    label,
    set_tone,
    tool_button,
    vertical,
)
from litscape_app.window.widgets.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QKeyEvent

    from litscape_app.actions.command import Desk
    from litscape_app.window.session import Offer
    from litscape_app.window.theme import Theme

READABLE = 680
"""Most pixels that a column of forms and sentences takes."""
_EDGE = 24
_FEW_ROWS = 120


ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PageFrame(QWidget):
    """A page with a title line, a place for what went wrong, and a body; Escape goes back."""

    def __init__(self, desk: Desk, title: str, *beside: QWidget) -> None:
        """``beside`` stands at the right of the title."""
        super().__init__()
        ground(self, "reading")
        self.desk = desk
        self.session = desk.session
        self.theme = desk.session.theme
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.title = label(title)
        self.title.setFont(self.theme.font("title"))
        self.close_button = tool_button(
            self.theme, "close", "Back to the papers (Esc)", desk.leave_page
        )
        line = self.title_line = horizontal(None, self.title, 0, *beside, self.close_button)
        line.setContentsMargins(_EDGE, 14, 12, 4)
        self.problem = Notice(self.theme)
        self.body = vertical(None, margins=(_EDGE, 8, _EDGE, 16), spacing=8)
        whole = vertical(self, line, self.problem, spacing=4)
        whole.addLayout(self.body, 1)

    def tell(self, error: BaseException, doing: str = "", offer: Offer | None = None) -> None:
        """Show what went wrong on the page itself."""
        self.problem.state(explain(error, doing), offer)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape goes back to the papers; Enter presses the button that has the keyboard."""
        button = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape:
            self.desk.leave_page()
        elif event.key() in ENTER and isinstance(button, QAbstractButton) and button.hasFocus():
            button.click()
        else:
            super().keyPressEvent(event)


class Scrolling(QWidget):
    """What an area scrolls: as high as its lines are at the width that it is given.

    Wrapped labels claim the height that they would have in a narrow column as their least; the
    area would keep that much below them blank.
    """

    def __init__(self) -> None:
        super().__init__()
        ground(self, "reading")

    def minimumSizeHint(self) -> QSize:
        """As wide as its parts need; the height follows from the width."""
        return QSize(super().minimumSizeHint().width(), 0)


def scrolled(*parts: QWidget | QLayout | int, spacing: int = 8) -> QScrollArea:
    """Parts under each other in a column of readable width that scrolls."""
    inner = Scrolling()
    column = QWidget()
    column.setMaximumWidth(READABLE)
    vertical(column, *parts, 0, spacing=spacing)
    row = horizontal(inner, spacing=0)
    row.addWidget(column, 100)
    row.addStretch(1)
    return scroll_area(inner)


def scroll_area(inner: QWidget) -> QScrollArea:
    """A frameless area that scrolls what does not fit under each other."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inner)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def section(theme: Theme, title: str, *parts: QWidget | QLayout | int) -> QVBoxLayout:
    """Parts under a small heading."""
    return vertical(None, heading(theme, title), *parts, 12, spacing=6)


def named(
    theme: Theme, name: str, control: QWidget, hint: str = "", beside: QWidget | None = None
) -> QVBoxLayout:
    """A control under its name, perhaps with a button beside it and a hint below."""
    words = label(name)
    words.setBuddy(control)
    control.setAccessibleName(name)
    parts: list[QWidget | QLayout | int] = [words, control]
    if beside is not None:
        line = horizontal(None, control, beside)
        line.setStretch(0, 1)
        parts[1] = line
    if hint:
        below = label(hint, "muted", wrap=True)
        below.setFont(theme.font("small"))
        control.setAccessibleDescription(hint)
        parts.append(below)
    return vertical(None, *parts, spacing=4)


def elide(view: QAbstractItemView) -> None:
    """Leave out the middle of what is too wide, as of long paths, rather than scroll sideways."""
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setTextElideMode(Qt.TextElideMode.ElideMiddle)


class ListTable(QTableView):
    """A table that is content with a few rows where there is no room for more."""

    def sizeHint(self) -> QSize:
        """A few rows."""
        return QSize(240, _FEW_ROWS)


def list_table(model: QAbstractItemModel, name: str, widths: Sequence[int]) -> QTableView:
    """A plain table that is read and chosen from, a row at a time.

    Args:
        model: its rows.
        name: what a screen reader calls it.
        widths: pixels of each column; the one of 0 takes what is left.
    """
    table = ListTable()
    table.setProperty("role", "list")
    table.setModel(model)
    table.setAccessibleName(name)
    as_list(table)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setWordWrap(False)
    table.setMinimumHeight(72)
    rows = table.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(table.fontMetrics().height() + 10)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setMinimumSectionSize(24)
    for column, width in enumerate(widths):
        if width:
            header.resizeSection(column, width)
        else:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
    return table


class Switch(QWidget):
    """Shows one of its parts; unlike in a stacked widget, the hidden ones reserve no room."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        self._parts: list[QWidget] = []
        self._column = vertical(self)
        for part in parts:
            self.add_part(part)
        self.show_part(parts[0])

    def add_part(self, part: QWidget) -> None:
        """Take one more, hidden at first."""
        part.hide()
        self._parts.append(part)
        self._column.addWidget(part, 1)

    @property
    def part(self) -> QWidget:
        """The part that is shown."""
        return next(one for one in self._parts if not one.isHidden())

    def show_part(self, part: QWidget) -> None:
        """Show ``part`` alone."""
        for one in self._parts:
            if one is not part:
                one.hide()
        part.show()


class Sentence(WrappingLabel):
    """One sentence in a tone; gone while there is nothing to say."""

    def __init__(self, text: str = "", tone: str = "muted") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.say(text, tone)

    def say(self, text: str, tone: str = "muted") -> None:
        """Say ``text``, or nothing."""
        self.setText(text)
        self.setAccessibleName(text)
        set_tone(self, tone)
        if text and self.parent() is None:
            # Shown with what it will be put into: alone it would be a window and take the keyboard.
            self.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)
        else:
            self.setVisible(bool(text))


def when(stamp: str) -> str:
    """A stored time (UTC) as the person's clock showed it: ``30 Nov 01:43``, with other years."""
    try:
        then = datetime.fromisoformat(stamp).astimezone()
    except ValueError:
        return stamp
    year = "" if then.year == datetime.now().astimezone().year else f" {then.year}"
    return f"{then.day} {then:%b}{year} {then:%H:%M}"
