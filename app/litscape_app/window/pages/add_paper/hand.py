"""A paper written by hand: its fields, checked when it is added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QWidget

from litscape.errors import UserError
from litscape.field_values import checked
from litscape.paper import PaperDraft
from litscape_app.window.pages.page_frame import named
from litscape_app.window.widgets.basics import horizontal, vertical

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

TYPES = (
    ("article", "Article"),
    ("inproceedings", "Paper in proceedings"),
    ("book", "Book"),
    ("incollection", "Chapter in a book"),
    ("thesis", "Thesis"),
    ("report", "Report"),
    ("online", "Web page"),
    ("dataset", "Data set"),
    ("software", "Software"),
    ("misc", "Something else"),
)
_LINES = (
    ("year", "Year"),
    ("venue", "Appeared in"),
    ("doi", "DOI"),
    ("arxiv", "arXiv id"),
    ("url", "Web address"),
    ("tags", "Tags"),
)
_HINTS = {
    "venue": "Journal, proceedings or book",
    "tags": "Parted by semicolons",
}


class HandForm(QWidget):
    """The fields that most papers need; the others can be set in the details afterwards."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.title = QLineEdit()
        self.type = QComboBox()
        for key, title in TYPES:
            self.type.addItem(title, key)
        self.authors = _box(64)
        self.authors.setPlaceholderText("Vaswani, Ashish\nNoam Shazeer")
        self.abstract = _box(110)
        self.lines = {key: QLineEdit() for key, _name in _LINES}
        self.lines["year"].setMaximumWidth(120)
        self.lines["year"].setPlaceholderText("2019, in press")
        names = dict(_LINES)
        rows = {
            key: named(theme, names[key], line, _HINTS.get(key, ""))
            for key, line in self.lines.items()
        }
        kind = named(theme, "Type", self.type)
        vertical(
            self,
            named(theme, "Title", self.title),
            named(theme, "Authors", self.authors, "One on each line; curly braces for a body"),
            horizontal(None, kind, rows["year"], 0, spacing=16),
            rows["venue"],
            horizontal(None, rows["doi"], rows["arxiv"], spacing=16),
            rows["url"],
            named(theme, "Abstract", self.abstract, "Similarity reads it; without, only the title"),
            rows["tags"],
            spacing=10,
        )
        self.title.textChanged.connect(lambda _text: self.changed.emit())

    @property
    def ready(self) -> bool:
        """Whether there is a title."""
        return bool(self.title.text().strip())

    def draft(self) -> PaperDraft:
        """The paper as written.

        Raises:
            UserError: a field does not fit; the sentence names it.
        """
        given = {key: line.text() for key, line in self.lines.items()}
        given |= {
            "title": self.title.text(),
            "type": str(self.type.currentData()),
            "authors": _joined(self.authors.toPlainText()),
            "abstract": self.abstract.toPlainText(),
        }
        if given["year"].strip() and not given["year"].strip().isdecimal():
            given["year_raw"] = given.pop("year")
        try:
            values = checked({key: text for key, text in given.items() if text.strip()})
        except UserError as error:
            raise UserError(_worded(str(error))) from None
        return PaperDraft(**values)

    def clear(self) -> None:
        """Empty all fields for the next paper."""
        for line in (self.title, *self.lines.values()):
            line.clear()
        for box in (self.authors, self.abstract):
            box.clear()
        self.title.setFocus()


def _worded(sentence: str) -> str:
    """A sentence about a field with the field's name as it stands on the page."""
    key, _blank, rest = sentence.partition(" ")
    rest = rest.replace("nothing was changed", "nothing was added")
    return f"{dict(_LINES).get(key, key.capitalize())} {rest}"


def _joined(lines: str) -> str:
    return ";".join(line.strip(" ;,") for line in lines.splitlines() if line.strip(" ;,"))


def _box(height: int) -> QPlainTextEdit:
    box = QPlainTextEdit()
    box.setTabChangesFocus(True)
    box.setFixedHeight(height)
    return box
