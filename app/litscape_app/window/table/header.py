"""The line above the list: the place's name, how many papers, and how a query was understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame

from litscape_app.window.similarity import Phase, Standing
from litscape_app.window.widgets.basics import (
    ElidingLabel,
    horizontal,
    label,
    tool_button,
    vertical,
)
from litscape_app.window.words import count, sentence, shorten

if TYPE_CHECKING:
    from litscape_app.window.listing import Listing
    from litscape_app.window.session import Session

_IN = {
    "collection": "in",
    "tag": "tagged",
    "unread": "among the",
    **dict.fromkeys(("trash", "import", "list"), "in the"),
}


class ListHeader(QFrame):
    """States what the list below is."""

    save_wanted = Signal()
    facets_wanted = Signal()
    clear_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        theme = session.theme
        about = "Facets: years, venues, authors … (Ctrl+Shift+F)"
        self.facets = tool_button(theme, "filter", about, self.facets_wanted.emit)
        self.facets.setCheckable(True)
        self.title = ElidingLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setFont(theme.font("title"))
        self.count = label(tone="muted")
        self.save = tool_button(
            theme, "bookmark", "Save this search in the tree", self.save_wanted.emit, "Save search"
        )
        self.clear = tool_button(
            theme, "close", "Clear the search (Esc)", self.clear_wanted.emit, "Clear"
        )
        self.note = label(tone="muted", wrap=True)
        self.note.setFont(theme.font("small"))
        line = horizontal(None, self.facets, self.title, 0, self.save, self.clear, 4, self.count)
        vertical(self, line, self.note, margins=(16, 10, 16, 10), spacing=2)
        self._standing = Standing()
        self.note.hide()
        self.save.hide()
        self.clear.hide()

    def show_listing(self, listing: Listing) -> None:
        """Say what is listed."""
        request = listing.request
        scope = request.scope
        searching = bool(request.query)
        self.save.setVisible(searching and scope.kind != "search")
        self.clear.setVisible(searching)
        shown = len(listing.ids)
        if not searching:
            self.title.setText(shorten(scope.title, 60))
            self.count.setText(count(shown, "paper"))
            self.note.hide()
            return
        self.title.setText(shorten(scope.title if scope.kind == "search" else request.query, 60))
        first = f"{shown:,}" if listing.complete else f"Best {shown:,}"
        self.count.setText(f"{first} of {count(listing.scope_count, 'paper')}")
        said = listing.understood
        parts = [said if tells_more(said, request.query) else ""]
        if scope.kind in _IN:
            parts.append(f"{_IN[scope.kind]} {scope.title}")
        said = ", ".join(part for part in parts if part)
        sentences: list[str] = []
        if shown:  # an empty list says for itself how it was asked for and why nothing is there
            sentences = [sentence(said) if listing.notes else said, *listing.notes]
        if listing.only_words:
            sentences.insert(0, self._words_now())
        text = " ".join(one for one in sentences if one)
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def show_searching(self, query: str) -> None:
        """Say that a query is being answered: what is listed is of the one before."""
        self.title.setText(shorten(query, 60))
        self.count.setText("Searching…")
        self.note.hide()

    def follow(self, standing: Standing) -> None:
        """Know how far similarity is, for the sentence on a search without it."""
        self._standing = standing

    def _words_now(self) -> str:
        standing = self._standing
        if standing.phase is Phase.READY:
            return "Words are searched now; meaning follows when the model is ready for it."
        if standing.damaged and standing.phase is not Phase.RUNNING:
            return (
                "Words are searched: the vectors are damaged; meaning can be searched once "
                "similarity is computed again."
            )
        if standing.phase is not Phase.RUNNING:
            return "Words are searched; meaning can be searched once similarity is computed."
        left = standing.left.removesuffix(" left")
        return f"Words are searched now; meaning follows{f' in about {left}' if left else ''}."


def tells_more(understood: str, query: str) -> bool:
    """Whether a query was understood otherwise than it is typed."""
    return _letters(understood) != _letters(query)


def _letters(text: str) -> str:
    """What a query says, apart from how quotes, colons and spaces are set."""
    return "".join(one for one in text.casefold() if one.isalnum())
