"""One model's list: the nearest papers, those that the other has too marked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.widgets.basics import clear, horizontal, label, tool_button, vertical
from litscape_app.window.words import authors_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.paper import PaperId, PaperRow
    from litscape_app.window.theme import Theme

_NONE = "This model has no vector of the paper: use it once, and its vectors stay."


class ModelColumn(QWidget):
    """The model above, its list below.

    Signals:
        opened: a paper of the list was clicked.
    """

    opened = Signal(int)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.model = QComboBox()
        self.model.setAccessibleName(name)
        self.said = Sentence()
        self._inner = QWidget()
        self._column = vertical(self._inner, spacing=6)
        vertical(self, self.model, self.said, self._inner, 0, spacing=8)

    @property
    def version(self) -> str:
        """The chosen model."""
        return str(self.model.currentData() or "")

    def show_list(
        self,
        found: Sequence[tuple[PaperId, float]],
        rows: Mapping[PaperId, PaperRow],
        shared: frozenset[PaperId],
    ) -> None:
        """Show a list; what the other model has too is quiet, what it lacks stands out."""
        clear(self._column)
        self.said.say("" if found else _NONE)
        for paper, cosine in found:
            row = rows.get(paper)
            if row is None:
                continue
            title = label(row.title or "No title", wrap=True)
            if paper not in shared:
                title.setFont(self._theme.font("body", bold=True))
            beside = f"{authors_line(row.authors.split('; '))} · {row.year or 'no year'}"
            told = label(f"{cosine:.2f} · {beside}", "muted", wrap=True)
            told.setFont(self._theme.font("small"))
            look = tool_button(
                self._theme, "book", f"Show {row.title or 'the paper'}",
                partial(self.opened.emit, paper),
            )  # fmt: skip
            line = horizontal(None, vertical(None, title, told, spacing=0), look)
            line.setStretch(0, 1)
            self._column.addLayout(line)
