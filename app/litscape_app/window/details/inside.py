"""What the PDFs of a paper hold: how much of it is read, and where searched words stand."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from litscape.errors import LitscapeError
from litscape_app.window.details.viewers import open_at
from litscape_app.window.widgets.basics import clear, label, vertical
from litscape_app.window.words import marked_html

if TYPE_CHECKING:
    from litscape.fulltext.records import PaperText, Passage
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId
    from litscape_app.window.fulltext import TextStanding
    from litscape_app.window.listing import Listing, Request
    from litscape_app.window.session import Session

MOST = 5
"""Passages shown of one paper."""
_FLAGS = Qt.TextInteractionFlag
_LINKS = _FLAGS.LinksAccessibleByMouse | _FLAGS.LinksAccessibleByKeyboard


@dataclass(frozen=True, slots=True)
class Inside:
    """What is shown of one paper's PDFs."""

    paper: PaperId
    texts: tuple[PaperText, ...]
    passages: tuple[Passage, ...] = ()


class InsidePart(QWidget):
    """Sentences on each PDF, and passages that open it at their page.

    Attributes:
        passages: a widget of its own, to stand further up.
    """

    opened = Signal(str, int)
    """A PDF and a page of it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.paper: PaperId | None = None
        self.shown: Inside | None = None
        self._query = ""
        self._typing = False
        self._read = 0
        self._column = vertical(self, spacing=3)
        self.passages = QWidget()
        self._passages = vertical(self.passages, spacing=6)
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: session.trouble(error, "Read the full text"))
        self.opened.connect(self._open)
        self.hide()

    def show_paper(self, paper: PaperId) -> None:
        """Show what is known of the PDFs of a paper."""
        if paper != self.paper:
            self.paper = paper
            self.hide()
            self.passages.hide()
        self._ask()

    def follow(self, listing: Listing) -> None:
        """Show passages for the search that is listed, where it looks inside PDFs."""
        query, typing = _asked(listing.request), listing.request.typing
        if (query, typing) != (self._query, self._typing):
            self._query, self._typing = query, typing
            self._ask()

    def look(self, standing: TextStanding) -> None:
        """Look again when more is read."""
        read = standing.status.counts.read if standing.status is not None else 0
        if read != self._read:
            self._read = read
            self._ask()

    def _ask(self) -> None:
        paper, query, typing = self.paper, self._query, self._typing
        if paper is not None:
            self._session.read(
                self._slot,
                "Read the full text",
                lambda lib, ctx: fetch(lib, paper, query, ctx, typing=typing),
            )

    def _show(self, inside: Inside) -> None:
        if inside.paper != self.paper:
            return
        self.shown = inside
        for column in (self._column, self._passages):
            clear(column)
        many = len(inside.texts) > 1
        small = self._session.theme.font("small")
        for text in inside.texts:
            name = text.path.replace("\\", "/").rpartition("/")[2]
            said = label(f"{name}: {text.sentence}" if many else text.sentence, "muted", wrap=True)
            said.setFont(small)
            self._column.addWidget(said)
        for passage in inside.passages:
            self._passages.addWidget(self._passage(passage))
        self.setVisible(bool(inside.texts))
        self.passages.setVisible(bool(inside.passages))

    def _passage(self, passage: Passage) -> QLabel:
        """The page as a link, then what stands there."""
        shown = label(wrap=True)
        shown.setTextFormat(Qt.TextFormat.RichText)
        accent = self._session.theme.tokens.accent
        link = f'<a href="page" style="color:{accent}">PDF, page {passage.page:,}</a>'
        shown.setText(f"{link} {marked_html(passage.text, passage.marks)}")
        shown.setFont(self._session.theme.font("small"))
        shown.setTextInteractionFlags(_LINKS)
        shown.setAccessibleName(f"Page {passage.page}: {passage.text}")
        shown.setToolTip(html.escape(f"Open {passage.file} at page {passage.page:,}"))
        shown.linkActivated.connect(lambda _link: self.opened.emit(passage.file, passage.page))
        return shown

    def _open(self, file: str, page: int) -> None:
        slot = self._session.slot(self)
        slot.done.connect(lambda problem: self._session.say(problem) if problem else None)
        slot.done.connect(lambda _problem: slot.deleteLater())
        self._session.look(slot, "Open the PDF", lambda _ctx: open_at(file, page))


def _asked(request: Request) -> str:
    """The query whose words are to be shown inside PDFs; empty where none are looked for there."""
    inside = request.inside and request.mode != "semantic"
    return request.query if inside or "text:" in request.query.casefold() else ""


def fetch(
    library: Library, paper: PaperId, query: str, ctx: JobContext, *, typing: bool = False
) -> Inside:
    """What is known of a paper's PDFs, with the passages for a query."""
    try:
        texts = library.fulltext.of(paper)
        ctx.check()
        if not query or not any(text.read for text in texts):
            return Inside(paper, texts)
        from litscape.search.inside import inside_terms

        terms = inside_terms(query, as_you_type=typing)
        return Inside(paper, texts, library.fulltext.passages(paper, terms, MOST))
    except LitscapeError:
        return Inside(paper, ())  # the search itself says what is wrong
