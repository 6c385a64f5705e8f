"""Looking for new papers: the choice, how far it is, and the list to add from."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from litscape.apart import run_apart
from litscape.apart.tasks import find_new
from litscape.errors import LitscapeError
from litscape.jobs.runners import Lane, State
from litscape.outline import read_collections
from litscape_app.window.pages.add_paper.consent import Consent
from litscape_app.window.pages.feed_page.form import FeedForm
from litscape_app.window.pages.feed_page.results import Results
from litscape_app.window.pages.first_run import take_copies
from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch, scrolled
from litscape_app.window.pages.running import Running
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.words import count

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QShowEvent

    from litscape.alike.feed import Feed
    from litscape.lookup import Services
    from litscape.paper import Collection
    from litscape_app.actions.command import Desk
    from litscape_app.qtjobs import Entry

_ABOUT = (
    "New papers from files, such as an alert that was mailed to you, or from a search: those that "
    "are closest to a collection come first. Nothing is added before you say so."
)
_TOLD = (
    "The words and the year are sent to the service that is chosen: OpenAlex (api.openalex.org) or "
    "arXiv (export.arxiv.org). Nothing else leaves this computer."
)
_HINT = "Optional. Both ask who is asking. It is remembered, and sent with look-ups too."
_TITLE = "Find new papers"
_BEAT_MS = 15
"""Between the making of two parts: what was pressed meanwhile comes first."""
_LATER = ("running", "consent", "results")


class FeedPage(PageFrame):
    """The page; the reading itself runs in a process of its own and outlives a look elsewhere."""

    services: Services | None = None
    """Where to search; the real services unless set."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "New papers")
        self.setAcceptDrops(True)
        self.form = FeedForm(self.theme)
        self.go = push_button(_TITLE, self.start, kind="primary")
        self.said = Sentence()
        self.entry: Entry | None = None
        self._wish: int | None = None
        self._asked = False
        self._slot = self.session.slot(self)
        self._lay_out()
        self._connect()
        self._show()
        self._making = QTimer(self)
        self._making.timeout.connect(self._make_next)
        self._making.start(_BEAT_MS)

    # -- what is not seen at first: made when it is wanted, or else a part a beat ------------------

    @cached_property
    def consent(self) -> Consent:
        """The question before anything goes over the internet."""
        consent = Consent(self.theme, _TOLD, _HINT)
        consent.once.connect(self._agreed)
        consent.always.connect(lambda _mail: self._agreed(always=True))
        self._column.insertWidget(1, consent)
        return consent

    @cached_property
    def running(self) -> Running:
        """How far the look is."""
        running = Running("the look for new papers")
        self.session.jobs.updated.connect(running.follow)
        self._switch.add_part(running)
        return running

    @cached_property
    def results(self) -> Results:
        """What was found."""
        results = Results(self.session)
        results.again_wanted.connect(self._choose_again)
        results.failed.connect(lambda error: self.tell(error, "Add new papers"))
        self._switch.add_part(results)
        if self.isVisible():
            results.collection.read()
        return results

    def _is_made(self, part: str) -> bool:
        return part in self.__dict__

    def _make_next(self) -> None:
        for part in _LATER:
            if not self._is_made(part):
                getattr(self, part)
                return
        self._making.stop()

    def _lay_out(self) -> None:
        self._choosing = QWidget()
        self._column = vertical(
            self._choosing,
            scrolled(label(_ABOUT, "muted", wrap=True), 8, self.form),
            self.said,
            horizontal(None, self.go, 0),
        )
        self._switch = Switch(self._choosing)
        self.body.addWidget(self._switch, 1)

    def _connect(self) -> None:
        self.form.changed.connect(self._moved)
        self._slot.done.connect(self._offer)
        self._slot.failed.connect(lambda error: self.tell(error, "Read collections"))
        self.session.opened.connect(self._opened)

    # -- the choice ------------------------------------------------------------------------------

    def like_collection(self, key: int) -> None:
        """Look for papers like those of this collection."""
        self._wish = key
        if self.entry is None:
            self._choose_again()

    def _offer(self, collections: tuple[Collection, ...]) -> None:
        self.form.offer(collections, self._wish)
        self._wish = None

    def _read(self) -> None:
        self.session.read(
            self._slot,
            "Read collections",
            lambda library, _ctx: read_collections(library.database),
        )

    def _show(self) -> None:
        library = self.session.library
        self.go.setEnabled(library is not None and self.form.ready and self.entry is None)
        if not self.form.searches:
            self._hide_consent()
        if library is None:
            self.said.say("Open a library first: new papers are compared with its papers.")
        elif not self.form.ready:
            self.said.say("Write words to search for." if self.form.searches else "")

    def _hide_consent(self) -> None:
        if self._is_made("consent"):
            self.consent.hide()

    def _moved(self) -> None:
        self.said.say("")
        self._show()

    def _choose_again(self) -> None:
        self.problem.hide()
        self._switch.show_part(self._choosing)
        self.setFocus()

    # -- looking ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Look for new papers, with a question before anything goes over the internet."""
        self.problem.hide()
        if self.form.searches and not self.session.settings.lookup_consent:
            self.consent.mail.setText(self.session.settings.mail)
            self.consent.show()
            self.consent.this_time.setFocus()
            return
        self._find()

    def _agreed(self, *, always: bool = False) -> None:
        settings = self.session.settings
        self.consent.hide()
        try:
            settings = settings.with_value("mail", self.consent.mail.text().strip())
        except LitscapeError as error:
            self.tell(error)
            return
        consent = settings.lookup_consent or always
        self.session.remember(replace(settings, lookup_consent=consent))
        self._find()

    def _find(self) -> None:
        try:
            wanted = self.form.wanted(self.session.settings.mail)
        except LitscapeError as error:
            self.tell(error)
            return
        wanted = replace(wanted, services=self.services)
        name, collection = self.form.like.currentText(), self.form.collection
        path = name if collection is not None else ""
        holder: list[Entry] = []
        entry = self.session.work(
            _TITLE,
            lambda library, ctx: run_apart(library, find_new, ctx, wanted),
            Lane.READ,  # it reads in a process of its own: what is written must not wait for it
            done=lambda feed: self._done(feed, name, path),
            failed=lambda error: self._ended(holder[0], error),
            ended=lambda: self._ended(holder[0], None),
        )
        if entry is not None:
            holder.append(entry)
            self.entry = entry
            self.running.begin(entry)
            self._switch.show_part(self.running)
            self.running.cancel.setFocus()

    def _done(self, feed: Feed, name: str, path: str) -> str:
        self.results.show_feed(feed, name, path)
        self._switch.show_part(self.results)
        said = f"{count(len(feed.hits), 'new paper')} found."
        if self.isVisible():
            self.results.list.setFocus()
        else:
            self.session.say(said, Offer("Show", self._come_back))
        return said

    def _ended(self, entry: Entry, error: BaseException | None) -> None:
        if entry is not self.entry:
            return
        cancelled = error is None and entry.state is State.CANCELLED
        if entry.state.ended:
            self.entry = None
        if error is not None:
            self.tell(error, _TITLE)
            if not self.isVisible():
                self.session.trouble(error, _TITLE)
        if error is not None or cancelled:
            self._switch.show_part(self._choosing)
        self._show()
        if cancelled:
            self.said.say("Cancelled.")

    def _come_back(self) -> None:
        self.desk.show_page("feed", again=True)

    # -- showing ---------------------------------------------------------------------------------

    def _opened(self) -> None:
        self.entry = None
        self.problem.hide()
        self._hide_consent()
        self.form.offer((), None)
        if self._is_made("results"):
            self.results.forget()
        self._switch.show_part(self._choosing)
        self._wish = None
        self._asked = False
        if self.isVisible():
            self._ask_what_is_there()
        self._show()

    def _ask_what_is_there(self) -> None:
        """Offer the collections; the one that is shown is the first choice."""
        if not self._asked and self._wish is None and self.session.library is not None:
            scope = self.desk.scope
            if scope.kind == "collection" and isinstance(scope.key, int):
                self._wish = scope.key
        self._asked = True
        self._read()

    def showEvent(self, event: QShowEvent) -> None:
        """The collections as they are now."""
        super().showEvent(event)
        self._ask_what_is_there()
        if self._is_made("results"):
            self.results.collection.read()
        self._show()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere on the page."""
        take_copies(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Wherever they are."""
        take_copies(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Look in dropped files; they are not imported."""
        files = take_copies(event)
        if files and self.entry is None:
            self.form.take([str(one) for one in files])
            self._choose_again()
