"""The page that adds single papers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from litscape.errors import UserError
from litscape.jobs.runners import Lane
from litscape_app.window.pages.add_paper import adding
from litscape_app.window.pages.add_paper.consent import Consent
from litscape_app.window.pages.add_paper.hand import HandForm
from litscape_app.window.pages.add_paper.pasted import PastedBox
from litscape_app.window.pages.collection_choice import HINT, CollectionChoice
from litscape_app.window.pages.page_frame import PageFrame, Sentence, named, scrolled
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import horizontal, push_button, tool_button
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent

    from litscape.importers.pasted import Pasted
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.lookup import Services
    from litscape_app.actions.command import Desk
    from litscape_app.qtjobs import Entry

_WAYS = (
    ("find", "DOI, arXiv or record", "Look a paper up, or paste its record"),
    ("hand", "By hand", "Write down what is known of it"),
)


class AddPage(PageFrame):
    """Look up, paste or write; a paper that is there already is joined with, and that is said."""

    services: Services | None = None
    """Where identifiers are looked up; the real services unless set."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Add a paper")
        theme = self.theme
        self.ways = Segments(_WAYS, "How to add")
        self.box = PastedBox(self.session)
        self.consent = Consent(theme)
        self.hand = HandForm(theme)
        self.collection = CollectionChoice(self.session)
        self.add_button = push_button("Add", self.add, kind="primary")
        self.stop_button = push_button("Cancel", self._stop)
        self.outcome = Sentence()
        self.go_button = tool_button(theme, "", "Go to it", self._go, text="Go to it", kind="link")
        self.undo_button = tool_button(theme, "", "Undo", self._undo, text="Undo", kind="link")
        self.failed = Sentence()
        self.entry: Entry | None = None
        self._added: adding.Added | None = None
        self._build()
        self.session.opened.connect(self._opened)
        self.session.jobs.updated.connect(self._progressed)
        self._show()

    def _build(self) -> None:
        said = horizontal(None, self.outcome, self.go_button, self.undo_button)
        said.setStretch(0, 1)
        self.body.addLayout(horizontal(None, self.ways, 0))
        self.body.addWidget(
            scrolled(
                4,
                self.box,
                self.consent,
                self.hand,
                4,
                named(self.theme, "Into collection", self.collection, HINT),
            ),
            1,
        )
        self.body.addLayout(said)
        self.body.addWidget(self.failed)
        self.body.addLayout(horizontal(None, self.add_button, self.stop_button, 0))
        self.ways.chosen.connect(lambda _key: self._choose_way())
        self.box.recognised.connect(lambda _found: self._show())
        self.hand.changed.connect(self._show)
        self.consent.once.connect(self._look_up)
        self.consent.always.connect(self._always)

    @property
    def way(self) -> str:
        """``find`` or ``hand``."""
        return self.ways.choice

    def take_text(self, text: str) -> None:
        """Put an identifier or a record in the box."""
        self.ways.choose("find")
        self.box.take(text)
        self._show()

    def _choose_way(self) -> None:
        self._forget()
        self.consent.hide()
        self._show()
        self._to_first_field()

    def _show(self) -> None:
        finding = self.way == "find"
        self.box.setVisible(finding)
        self.hand.setVisible(not finding)
        busy = self.entry is not None
        library = self.session.library
        locked = library is not None and library.database.read_only
        ready = self.box.found is not None if finding else self.hand.ready
        self.add_button.setEnabled(ready and not busy and not locked)
        self.add_button.setText("Look up and add" if self._identifiers() and finding else "Add")
        self.stop_button.setVisible(busy)
        if locked:
            self.failed.say("This library is open for reading only.", "warn")
        added = self._added
        self.go_button.setVisible(added is not None and added.paper is not None)
        self.undo_button.setVisible(added is not None and bool(added.report.changes))

    def _identifiers(self) -> tuple[str, ...]:
        found: Pasted | None = self.box.found
        return found.identifiers if found is not None else ()

    # -- adding ----------------------------------------------------------------------------------

    def add(self) -> None:
        """Add what is written, with a question before anything goes over the internet."""
        self._forget()
        try:
            collection = self.collection.path()
            draft = self.hand.draft() if self.way == "hand" else None
        except UserError as error:
            self.tell(error)
            return
        if draft is not None:
            self._start(lambda library, ctx: adding.add_draft(library, draft, collection, ctx))
        elif self._identifiers():
            if self.session.settings.lookup_consent:
                self._look_up()
            else:
                self._ask()
        elif self.box.found is not None:
            text = self.box.found.text
            self._start(lambda library, ctx: adding.read_and_add(library, text, collection, ctx))

    def _ask(self) -> None:
        self.consent.mail.setText(self.session.settings.mail)
        self.consent.show()
        self._show()
        self.consent.this_time.setFocus()

    def _always(self, mail: str) -> None:
        self.session.remember(replace(self.session.settings, lookup_consent=True, mail=mail))
        self._look_up()

    def _look_up(self) -> None:
        mail = self.consent.mail.text().strip() or self.session.settings.mail
        if mail != self.session.settings.mail:
            self.session.remember(replace(self.session.settings, mail=mail))
        self.consent.hide()
        identifiers, services = self._identifiers(), self.services
        collection = self.collection.path()

        def found(result: adding.LookedUp) -> None:
            self._start(lambda library, ctx: adding.add_looked_up(library, result, collection, ctx))

        # Asking waits for others, writing does not: the two have lanes of their own.
        self._with_library(
            lambda: self._work(
                "Look up",
                lambda _library, ctx: adding.look_up(identifiers, mail, services, ctx),
                found,
                Lane.READ,
            )
        )

    def _start(self, act: Callable[[Library, JobContext], adding.Added]) -> None:
        self._with_library(lambda: self._work("Add a paper", act, self._done, Lane.WRITE))

    def _with_library(self, go: Callable[[], None]) -> None:
        if self.session.library is not None:
            go()
            return
        from litscape_app.window.libraries import own_library

        def opened() -> None:
            self.desk.show_page("add", again=True)
            go()

        self.session.open(own_library(), opened, self.tell)

    def _work(
        self,
        title: str,
        act: Callable[[Library, JobContext], Any],
        done: Callable[[Any], str | None],
        lane: Lane,
    ) -> None:
        mine: list[Entry] = []

        def current() -> bool:
            return bool(mine) and self.entry is mine[0]

        def failed(error: BaseException) -> None:
            if current():
                self.entry = None
                self._failed(error)

        def finished(result: Any) -> str | None:
            if not current():
                return None
            self.entry = None
            return done(result)

        entry = self.session.work(title, act, lane, done=finished, failed=failed, ended=self._show)
        if entry is not None:
            mine.append(entry)
            self.entry = entry
        self.outcome.say("Adding …" if lane is Lane.WRITE else "Asking …")
        self._show()

    def _done(self, added: adding.Added) -> str:
        self.session.announce(added.report.changes)
        self._added = added
        self.outcome.say(added.sentence, "good" if added.report.added else "")
        self.failed.say(" ".join(added.failed), "warn")
        if self.way == "hand":
            self.hand.clear()
        else:
            self.box.text.clear()
        if not self.isVisible():
            self.session.say(added.sentence, Offer("Go to it", self._go) if added.paper else None)
        return added.sentence

    def _failed(self, error: BaseException) -> None:
        self.outcome.say("")
        self.tell(error, "Add a paper")

    def _progressed(self, entry: Entry) -> None:
        if entry is self.entry and not entry.state.ended and entry.progress.text:
            self.outcome.say(f"{entry.progress.text} …")

    def _stop(self) -> None:
        if self.entry is not None:
            self.entry.handle.cancel()
            # A service that does not answer would hold the page up: what it says is dropped.
            self.entry = None
            self.outcome.say("Cancelled.")
            self._show()

    def _forget(self) -> None:
        self.problem.hide()
        self._added = None
        self.outcome.say("")
        self.failed.say("")

    def _go(self) -> None:
        if self._added is not None and self._added.paper is not None:
            self.desk.leave_page()
            self.desk.table.go_to(self._added.paper)

    def _undo(self) -> None:
        batch = self._added.report.batch if self._added is not None else None
        if batch is None:
            return
        self._forget()
        self._show()
        self.session.write(
            "Undo adding", lambda library: library.history.undo_batch(batch), "Not added any more"
        )

    # -- showing ---------------------------------------------------------------------------------

    def _opened(self) -> None:
        self._forget()
        if self.isVisible():
            self.collection.read()
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Offer the collections there are; the keyboard goes to the first field."""
        super().showEvent(event)
        self.collection.read()
        self._show()
        self._to_first_field()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Whoever shows the page gives it the keyboard: that means its first field."""
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.OtherFocusReason:
            self._to_first_field()

    def _to_first_field(self) -> None:
        (self.box.text if self.way == "find" else self.hand.title).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter adds."""
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
            and self.add_button.isEnabled()
        ):
            self.add()
        else:
            super().keyPressEvent(event)
