"""The new papers that were found, and adding those that are chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from litscape.errors import UserError
from litscape.jobs.runners import Lane
from litscape_app.window.pages.add_paper import adding
from litscape_app.window.pages.collection_choice import CollectionChoice
from litscape_app.window.pages.feed_page.found import FoundList
from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.widgets.basics import (
    horizontal,
    label,
    push_button,
    tool_button,
    vertical,
)
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.words import count, sentence

if TYPE_CHECKING:
    from litscape.alike.feed import Feed
    from litscape.paper import LibraryChanges, PaperId
    from litscape_app.window.session import Session


@dataclass(frozen=True, slots=True)
class _Batch:
    """What was added at once: places among the hits, the papers they became, the import."""

    places: tuple[int, ...]
    ids: frozenset[PaperId]
    number: int | None


class Results(QWidget):
    """A sentence, the list, and what can be done with what is chosen in it."""

    again_wanted = Signal()
    failed = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.feed: Feed | None = None
        self._name = ""
        self._batches: list[_Batch] = []
        self._hidden: set[int] = set()
        self._busy = False
        theme = session.theme
        self.head, self.notes = Sentence(tone=""), Sentence()
        self.list = FoundList(theme)
        self.collection = CollectionChoice(session)
        self.collection.setAccessibleName("Into collection")
        self.add = push_button("Add to the library", self.add_chosen, kind="primary")
        self.again = push_button("Look for others", self.again_wanted.emit)
        self.outcome = Sentence()
        self.undo = tool_button(theme, "", "Undo adding", self._undo, text="Undo", kind="link")
        self._lay_out()
        self.list.add_wanted.connect(self.add_chosen)
        self.list.chosen_changed.connect(self._enable)
        session.changed.connect(self._changed)

    def _lay_out(self) -> None:
        into = QWidget()
        self._into = into
        name = label("into")
        name.setBuddy(self.collection)
        horizontal(into, name, self.collection)
        said = horizontal(None, self.outcome, self.undo)
        said.setStretch(0, 1)
        column = vertical(self, self.head, self.notes, spacing=8)
        column.addWidget(self.list, 1)
        column.addLayout(said)
        column.addWidget(flowing(self.add, into, self.again))

    def show_feed(self, feed: Feed, name: str, path: str) -> None:
        """Show what was found.

        Args:
            feed: the papers, the closest first.
            name: what they should be like, as the person chose it.
            path: the collection that they are added to unless another is chosen; empty for none.
        """
        self.forget()
        self.feed, self._name = feed, name
        self.collection.setEditText(path)
        self.notes.say(" ".join(sentence(note) for note in feed.notes))
        self._list()

    def forget(self) -> None:
        """Show nothing, as when another library is opened."""
        self.feed = None
        self._batches, self._hidden, self._busy = [], set(), False
        self.outcome.say("")
        self.notes.say("")
        self.undo.hide()
        self.list.show_hits(())

    def _list(self) -> None:
        feed = self.feed
        if feed is None:
            return
        self.list.show_hits(feed.hits, self._hidden)
        left = len(self.list.papers.hits)
        known = f" {count(feed.known, 'paper')} of these you have already." if feed.known else ""
        if left:
            text = f"{count(left, 'new paper')}, the closest to “{self._name}” first."
        else:
            text = "All of these are in the library now." if feed.hits else "There is nothing new."
        self.head.say(text + known, "")
        for part in (self.list, self.add, self._into):
            part.setVisible(left > 0)
        self._enable()

    def _enable(self) -> None:
        number = len(self.list.places)
        library = self._session.library
        free = library is not None and not library.database.read_only and not self._busy
        self.add.setEnabled(number > 0 and free)
        more = f"Add {count(number, 'paper')} to the library"
        self.add.setText(more if number > 1 else "Add to the library")
        if library is not None and library.database.read_only and self.feed is not None:
            self.outcome.say("This library is open for reading only: nothing can be added.")

    # -- adding ----------------------------------------------------------------------------------

    def add_chosen(self) -> None:
        """Add the chosen papers, into the collection that is named, as one change."""
        places, drafts = self.list.places, self.list.chosen
        if not drafts or not self.add.isEnabled():
            return
        try:
            path = self.collection.path()
        except UserError as error:
            self.failed.emit(error)
            return
        feed = self.feed

        def done(added: adding.Added) -> str:
            if self.feed is feed:
                self._take(places, added)
            self._session.announce(added.report.changes)
            return added.sentence

        entry = self._session.work(
            "Add new papers",
            lambda library, ctx: adding.add_new(library, drafts, path, ctx),
            Lane.WRITE,
            done=done,
            failed=self.failed.emit,
            ended=self._ended,
        )
        if entry is not None:
            self._busy = True
            self.undo.hide()
            self.outcome.say("Adding …")
            self._enable()

    def _take(self, places: tuple[int, ...], added: adding.Added) -> None:
        report = added.report
        self._batches.append(_Batch(places, report.changes.added, report.batch))
        self._hidden.update(places)
        self.outcome.say(added.sentence, "good")
        self.undo.setVisible(report.batch is not None and bool(report.changes))
        self._list()

    def _ended(self) -> None:
        self._busy = False
        if self.outcome.text() == "Adding …":
            self.outcome.say("")
        self._enable()

    def _undo(self) -> None:
        batch = self._batches[-1].number if self._batches else None
        if batch is None:
            return
        self.undo.hide()
        self.outcome.say("")
        self._session.write(
            "Undo adding", lambda library: library.history.undo_batch(batch), "Not added any more"
        )

    def _changed(self, changes: LibraryChanges) -> None:
        """Papers that leave the library are new again; redone, they are not."""
        before = set(self._hidden)
        for batch in self._batches:
            if batch.ids & changes.removed:
                self._hidden.difference_update(batch.places)
                self.undo.hide()
            elif batch.ids & changes.added:
                self._hidden.update(batch.places)
        if self._hidden != before:
            self._list()
