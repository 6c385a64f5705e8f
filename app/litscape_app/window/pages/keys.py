"""All keys on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QGridLayout, QWidget

from litscape_app.actions import COMMANDS, MENUS, Command
from litscape_app.window.pages.page_frame import PageFrame, scroll_area
from litscape_app.window.widgets.basics import ground, heading, horizontal, label, vertical
from litscape_app.window.widgets.flow import FlowLayout

if TYPE_CHECKING:
    from litscape_app.actions.command import Desk
    from litscape_app.window.theme import Theme

_MORE = (
    ("Down, Enter", "From the search line to the list"),
    ("Ctrl+Space", "In the search line: fields and values that can come next"),
    ("Down", "In the empty search line: past searches; Delete forgets one"),
    ("Tab, Enter", "In what the search line offers: take it"),
    ("F1", "In the search line: how to search"),
    ("Esc", "Clear the search; leave what is being written"),
    ("Enter", "Keep what is being written"),
    ("Tab", "On to the next part of the window"),
    ("Enter", "In similar papers: go to the paper"),
    ("+, −", "In similar papers: more like this, less like this"),
    ("M, N, S", "In duplicates: merge, not duplicates, skip"),
    ("J, K, X", "In duplicates: next, previous, leave a paper out"),
    ("Arrows, Enter", "On the map: to the next paper, open it; Ctrl moves the map"),
    ("+, −, 0", "On the map: come nearer, go away, show all"),
    ("Shift, Alt", "On the map, while dragging: draw around papers, to add or take away"),
)
_STARS = ("1 … 5, 0", "Rate with stars, take the rating away")
_KEYS_WIDTH = 120
_NAMES = {"Return": "Enter", "Del": "Delete"}


class KeysPage(PageFrame):
    """The keys of every command, by menu."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Keys")
        theme = self.theme
        inner = QWidget()
        ground(inner, "reading")
        blocks = QWidget()
        flow = FlowLayout(blocks, gap=24)
        for menu in MENUS:
            rows = _rows([one for one in COMMANDS if one.keys and _menu(one) == menu])
            if rows:
                flow.addWidget(_block(theme, menu, rows))
        flow.addWidget(_block(theme, "Everywhere", list(_MORE)))
        note = label("Single letters work while the list of papers has the keyboard.", "muted")
        column = vertical(inner, note, 8, margins=(0, 0, 0, 16))
        column.addWidget(blocks)
        column.addStretch(1)
        area = scroll_area(inner)
        # Arrow keys scroll; what it does not know, Escape too, comes to the page.
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocusProxy(area)
        self.body.addWidget(area, 1)


def _menu(command: Command) -> str:
    return command.menu or "View"


def _rows(commands: list[Command]) -> list[tuple[str, str]]:
    """Keys and what they do; what stands in a menu inside the menu says in which."""
    rows: list[tuple[str, str]] = []
    for one in commands:
        if one.submenu != "Rate":  # one key a star
            inside = f"{one.submenu}: " if one.submenu else ""
            rows.append((_shown(one), f"{inside}{one.title}"))
        elif _STARS not in rows:
            rows.append(_STARS)
    return rows


def _shown(command: Command) -> str:
    keys = [_NAMES.get(key, key) for key in command.keys]
    native = QKeySequence.SequenceFormat.NativeText
    shown = (key if key in _NAMES.values() else QKeySequence(key).toString(native) for key in keys)
    return ", ".join(shown).replace("+Return", "+Enter")


def _block(theme: Theme, title: str, rows: list[tuple[str, str]]) -> QWidget:
    block = QWidget()
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(1, 1)
    grid.setColumnMinimumWidth(0, _KEYS_WIDTH)
    for number, (keys, what) in enumerate(rows):
        name = label(keys)
        name.setFont(theme.font("body", bold=True))
        grid.addWidget(name, number, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(what, "muted", wrap=True), number, 1)
    vertical(block, heading(theme, title), horizontal(None, grid), 0, spacing=6)
    block.setFixedWidth(326)
    return block
