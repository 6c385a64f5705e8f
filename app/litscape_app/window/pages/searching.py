"""How to search: every part of the language with an example that can be tried."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from litscape.search.fields import HELP
from litscape_app.window.pages.page_frame import PageFrame, scroll_area
from litscape_app.window.widgets.basics import (
    ground,
    heading,
    horizontal,
    label,
    tool_button,
    vertical,
)

if TYPE_CHECKING:
    from litscape_app.window.main_window import MainWindow

WORDS = (
    ("graph networks", "papers with both words, in any form: graphs, network"),
    ('"message passing"', "the words as they stand, next to each other"),
    ("transf*", "words that begin so; the last word you type always may go on"),
    ("retreival", "a slip: where no paper has a word, one near to it is searched, and it says so"),
)
JOINED = (
    ("robot OR drone", "one of them is enough; | does the same"),
    (
        "graph (survey OR review)",
        "brackets, within each other too; words side by side bind more than OR",
    ),
    ("graph -survey", "without a word; NOT does the same, also before a bracket or a field"),
    ("tag:(red OR blue)", "one field for all in the bracket; tag:red|blue is shorter"),
)
FIELDS = (
    ("title:attention", "title"),
    ("author:lee", "author"),
    ("venue:nature", "venue"),
    ('venue:="Nature"', ""),
    ("abstract:noise", "abstract"),
    ("keyword:vision", "keyword"),
    ("year:2015..2020", "year"),
    ('tag:"to read"', "tag"),
    ("collection:Vision", "collection"),
    ('topic:"machine translation"', "topic"),
    ("type:book", "type"),
    ("has:pdf", "has"),
    ("is:unread", "is"),
    ("rating:>=4", "rating"),
    ("colour:red", "colour"),
    ("in:list", "in"),
    ("source:refs.bib", "source"),
    ("cites:lee2001", "cites"),
    ("citedby:lee2001", "citedby"),
    ("key:lee2001", "key"),
    ("text:backpropagation", "text"),
    ("note:replicate", "note"),
)
_EXACT = "exactly this venue; author:= likewise"
_EXAMPLE_WIDTH = 210


class SearchingPage(PageFrame):
    """The language of the search line."""

    def __init__(self, desk: MainWindow) -> None:
        super().__init__(desk, "How to search")
        self._window = desk
        inner = QWidget()
        ground(inner, "reading")
        note = label(
            "Choose an example to try it. In the search line Ctrl+Space shows what can come next; "
            "an empty line shows past searches. A pasted DOI, other identifier or citation key "
            "finds its paper.",
            "muted",
            wrap=True,
        )
        fields = tuple((text, HELP[name] if name else _EXACT) for text, name in FIELDS)
        column = vertical(
            inner,
            note,
            *(self._block(title, rows) for title, rows in (
                ("Words", WORDS), ("Joined", JOINED), ("Fields", fields),
            )),
            0,
            margins=(0, 0, 0, 16),
            spacing=16,
        )  # fmt: skip
        column.addStretch(1)
        area = scroll_area(inner)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocusProxy(area)
        self.body.addWidget(area, 1)

    def _block(self, title: str, rows: tuple[tuple[str, str], ...]) -> QWidget:
        block = QWidget()
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, _EXAMPLE_WIDTH)
        for number, (text, what) in enumerate(rows):
            example = tool_button(self.theme, "", f"Search {text}", None, text, kind="link")
            example.setToolTip("Put it into the search line")
            example.clicked.connect(partial(self._try, text))
            place = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
            grid.addWidget(example, number, 0, place)
            grid.addWidget(label(what, "muted", wrap=True), number, 1)
        vertical(block, heading(self.theme, title), horizontal(None, grid), spacing=6)
        return block

    def _try(self, text: str, _checked: bool = False) -> None:
        self._window.leave_page()
        self._window.search.line.setText(text)
        self._window.search.line.setFocus()
