"""The question before anything is asked over the internet; remembered when one says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLineEdit

from litscape_app.window.pages.page_frame import named
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

MAIL_HINT = (
    "Optional. Crossref asks who is asking, and answers faster then. It is remembered, and sent "
    "to OpenAlex too where you look citations up there."
)
_TOLD = (
    "A DOI is sent to Crossref (api.crossref.org), an arXiv id to arXiv "
    "(export.arxiv.org). Nothing else leaves this computer."
)


class Consent(QFrame):
    """Says what would be sent where, and lets the person say yes once, for good, or no."""

    once = Signal()
    always = Signal(str)
    """Yes for good, with the mail address that was given."""

    def __init__(self, theme: Theme, told: str = _TOLD, hint: str = MAIL_HINT) -> None:
        """``told`` says what is sent where, ``hint`` whom the mail address goes to."""
        super().__init__()
        self.setProperty("role", "card")
        heading = label("Look this up on the internet?")
        heading.setFont(theme.font("body", bold=True))
        self.text = label(told, wrap=True)
        self.mail = QLineEdit()
        self.mail.setPlaceholderText("name@example.org")
        self.this_time = push_button("Look up this time", self.once.emit, kind="primary")
        self.for_good = push_button(
            "Always look up without asking", lambda: self.always.emit(self.mail.text().strip())
        )
        no = push_button("Don’t", self.hide, name="Don’t look up")
        vertical(
            self,
            heading, self.text, 4,
            named(theme, "Your mail address", self.mail, hint), 4,
            horizontal(None, self.this_time, self.for_good, no, 0),
            margins=(16, 12, 16, 12),
        )  # fmt: skip
        self.hide()
