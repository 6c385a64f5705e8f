"""One paper of an example: its part, title, the beginning of its abstract, and why it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.widgets.basics import heading, label, vertical
from litscape_app.window.words import shorten

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme
    from litscape_trainer.runs.examples import ShownPaper

_BEGINNING = 280


class PaperCard(QFrame):
    """Says whatever fits; empty where the example has no such paper."""

    def __init__(self, theme: Theme, part: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(part)
        self.title = label("", wrap=True, select=True)
        self.title.setFont(theme.font("body", bold=True))
        self.why = Sentence()
        self.text = label("", wrap=True, select=True)
        vertical(
            self, heading(theme, part), self.title, self.why, self.text,
            0, margins=(12, 12, 12, 12), spacing=6,
        )  # fmt: skip

    def show_paper(self, paper: ShownPaper | None) -> None:
        """Show a paper, or that there is none but those of the other examples."""
        if paper is None:
            self.title.setText("Every other paper of the step")
            self.why.say("This recipe names no wrong papers: those of other examples serve.")
            self.text.setText("")
            return
        self.title.setText(paper.title or "No title")
        self.why.say(paper.why)
        self.text.setText(shorten(paper.abstract, _BEGINNING))
