"""What the list says when it is empty: why, and what to do next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from litscape_app.window.table.header import tells_more
from litscape_app.window.widgets.basics import (
    ground,
    horizontal,
    label,
    literal,
    push_button,
    vertical,
)
from litscape_app.window.words import sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape_app.qtjobs import Entry
    from litscape_app.window.listing import Listing
    from litscape_app.window.session import Session


class EmptyState(QWidget):
    """One heading, one sentence, at most two buttons."""

    import_wanted = Signal()
    add_wanted = Signal()
    clear_wanted = Signal()
    everywhere_wanted = Signal()
    loosen_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        ground(self, "reading")
        self._theme, self._jobs = session.theme, session.jobs
        self._listing: Listing | None = None
        session.jobs.updated.connect(self._job_moved)
        self._mark = QLabel()
        self.heading = label(wrap=True)
        self.heading.setFont(session.theme.font("title"))
        self.sentence = label(tone="muted", wrap=True)
        for part in (self._mark, self.heading, self.sentence):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.heading.setFixedWidth(420)
        self.sentence.setFixedWidth(420)
        self.first = push_button("", kind="primary")
        self.second = push_button("")
        self._acts: list[Callable[[], None]] = [lambda: None, lambda: None]
        self.first.clicked.connect(lambda _checked: self._acts[0]())
        self.second.clicked.connect(lambda _checked: self._acts[1]())
        buttons = horizontal(None, 0, self.first, self.second, 0)
        block = vertical(None, self._mark, 4, self.heading, self.sentence, 8, buttons, spacing=8)
        vertical(self, 0, horizontal(None, 0, block, 0), 0, 0, margins=(16, 16, 16, 16))

    def explain(self, listing: Listing) -> None:
        """Say why nothing is listed."""
        self._listing = listing
        request = listing.request
        if request.query:
            self._nothing_found(listing)
            return
        kind = request.scope.kind
        if kind == "trash":
            self._say(
                "trash", "The trash is empty", "Deleted papers wait here; restore them any time."
            )
        elif kind == "collection":
            said = "Drag papers from the list onto it, or choose papers and press C."
            self._say("folder", "Nothing in this collection yet", said)
        elif kind == "tag":
            said = "Choose papers and press T to tag them."
            self._say("tag", f"No paper is tagged “{request.scope.title}”", said)
        elif kind == "list":
            said = "Choose papers and press L, or drag them onto it; order them by dragging."
            self._say("reading-list", "Nothing in the reading list yet", said)
        elif kind == "unread":
            self._say("check", "Everything is read", "Press U on a paper to mark it as unread.")
        elif kind == "import":
            said = "What the newest import brought in is listed here."
            self._say("inbox", "Nothing left of the last import", said)
        elif any(job.title.startswith("Import ") for job in self._jobs.running):
            self._say("book", "Papers are coming in", "The list shows them in a moment.")
        else:
            self._say(
                "book",
                "This library is empty",
                "Bring your papers in: BibTeX, RIS, EndNote, PubMed and many more kinds. "
                "You can also drop a file on this window.",
                ("Import a file…", self.import_wanted.emit),
                ("Add one paper…", self.add_wanted.emit),
            )

    def _job_moved(self, job: Entry) -> None:
        """An import that ended without papers leaves the library empty after all."""
        if self._listing is not None and job.state.ended:
            self.explain(self._listing)

    def _nothing_found(self, listing: Listing) -> None:
        request = listing.request
        more = tells_more(listing.understood, request.query)
        understood = sentence(f"Understood as: {listing.understood}") if more else ""
        said = " ".join([understood, *listing.notes]).strip()
        choices: list[tuple[str, Callable[[], None]]] = []
        if request.scope.kind not in ("all", "search"):
            choices.append(("Look in all papers", self.everywhere_wanted.emit))
        looser = loosen(request.query)
        if looser:
            choices.append((f"Try “{looser}”", lambda: self.loosen_wanted.emit(looser)))
        if not choices:
            choices.append(("Clear the search", self.clear_wanted.emit))
        said = said or "Fewer or shorter words find more."
        self._say("search", f"Nothing found for “{request.query}”", said, *choices[:2])

    def _say(
        self, icon: str, heading: str, said: str, *choices: tuple[str, Callable[[], None]]
    ) -> None:
        pixmap = self._theme.pixmap(icon, 40, "mark", self.devicePixelRatioF())
        self._mark.setPixmap(pixmap)
        self.heading.setText(heading)
        self.sentence.setText(said)
        for number, button in enumerate((self.first, self.second)):
            button.setVisible(number < len(choices))
            if number < len(choices):
                button.setText(literal(choices[number][0]))
                self._acts[number] = choices[number][1]


def loosen(query: str) -> str:
    """A query that finds more: without quotes and exclusions, or without its last word."""
    words = query.split()
    kept = [word for word in words if not word.startswith("-")]
    # A name in quotes after its field stays one: without them, only its first word would be a name.
    plain = re.sub(r'(?<![:=])"([^"]*)"', r"\1", " ".join(kept)).strip()
    if plain and plain != query.strip():
        return plain
    return " ".join(words[:-1]) if len(words) > 1 else ""
