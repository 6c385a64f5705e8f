"""The small table of a paper's further fields, each edited where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from litscape_app.window.details.editable import Editable
from litscape_app.window.widgets.basics import label, tool_button

if TYPE_CHECKING:
    from litscape.paper import Paper
    from litscape_app.window.theme import Theme

FIELDS: tuple[tuple[str, str], ...] = (
    ("citekey", "Citekey"),
    ("type", "Type"),
    ("year", "Year"),
    ("venue", "Venue"),
    ("publisher", "Publisher"),
    ("volume", "Volume"),
    ("issue", "Issue"),
    ("pages", "Pages"),
    ("doi", "DOI"),
    ("arxiv", "arXiv"),
    ("pmid", "PubMed"),
    ("isbn", "ISBN"),
    ("url", "Web page"),
)
_BREAKS = "/.-_?&="


class Facts(QWidget):
    """Filled fields; the empty ones show on demand, so that they can be filled."""

    committed = Signal(str, str)
    """A field's name and its new text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self.rows: dict[str, tuple[QLabel, Editable]] = {}
        small = theme.font("small")
        for number, (key, title) in enumerate(FIELDS):
            name = label(title, "muted")
            name.setFont(small)
            name.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            name.setContentsMargins(0, 2, 0, 0)
            value = Editable(theme, title, empty="—", font=small)
            value.committed.connect(lambda text, one=key: self.committed.emit(one, text))
            self._grid.addWidget(name, number, 0)
            self._grid.addWidget(value, number, 1)
            self.rows[key] = (name, value)
        self.more = tool_button(
            theme, "", "Show empty fields", self._toggle, "Empty fields", kind="quiet"
        )
        self.more.setFont(small)
        self.looked_up = label("", "muted", wrap=True)
        self.looked_up.setFont(small)
        self._grid.addWidget(self.looked_up, len(FIELDS), 0, 1, 2)
        self._grid.addWidget(self.more, len(FIELDS) + 1, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
        self._all = False
        self._paper: Paper | None = None

    def show_paper(self, paper: Paper, looked_up: str = "", *, stay: bool = False) -> None:
        """Show a paper's fields, and which of its values were looked up where.

        Args:
            paper: the paper.
            looked_up: in words, which values were.
            stay: leave what is being written as it is.
        """
        self.looked_up.setText(f"Looked up: {looked_up}." if looked_up else "")
        self.looked_up.setVisible(bool(looked_up))
        self._show_fields(paper, stay)

    def _show_fields(self, paper: Paper, stay: bool = True) -> None:
        self._paper = paper
        for key, (name, value) in self.rows.items():
            text = fact_text(paper, key)
            value.show_value(text, breakable(text), stay=stay)
            shown = bool(text) or self._all or value.editing
            name.setVisible(shown)
            value.setVisible(shown)

    def edit(self, key: str) -> None:
        """Begin editing a field."""
        name, value = self.rows[key]
        name.show()
        value.show()
        value.begin()

    def _toggle(self) -> None:
        self._all = not self._all
        self.more.setText("Filled fields only" if self._all else "Empty fields")
        self.more.setToolTip("Hide empty fields" if self._all else "Show empty fields")
        if self._paper is not None:
            self._show_fields(self._paper)


def fact_text(paper: Paper, key: str) -> str:
    """A field as text; a year that is no number as the source wrote it."""
    if key == "year":
        return str(paper.year) if paper.year is not None else (paper.year_raw or "")
    value = getattr(paper, key)
    return "" if value is None else str(value)


def breakable(text: str) -> str:
    """``text`` with invisible places to break a line, for addresses and identifiers."""
    if len(text) < 24 or " " in text.strip():
        return text
    for mark in _BREAKS:
        text = text.replace(mark, f"{mark}\u200b")
    return text
