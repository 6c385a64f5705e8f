"""Looking citations up: what is sent where, the choice, how far it is, what it brought."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QCheckBox, QWidget

from litscape.apart import run_apart
from litscape.errors import LitscapeError, UserError
from litscape.jobs.runners import Lane, State
from litscape.online import describe
from litscape.online.options import fetch_options
from litscape.online.task import estimate_look_up, look_up
from litscape.paper import LibraryChanges
from litscape_app.window.pages.lookup_page.form import LookupForm
from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch, scrolled
from litscape_app.window.pages.running import Running
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.online.records import Estimate, FetchOptions, FetchReport
    from litscape.settings import AppSettings
    from litscape_app.actions.command import Desk
    from litscape_app.qtjobs import Entry

_PROMISE = (
    "Services on the internet know what papers cite, and often an abstract or a year that yours "
    "lack. Nothing is sent before you press Look up. What was answered is kept in the library, "
    "so that nothing is asked twice; what you wrote is never replaced."
)
_CONSENT = "Let the command line look up without asking, too"
_QUICK = 2_000
"""Papers of which an estimate is made sooner than a process of its own is there."""
_PAUSE_MS = 250


class LookupPage(PageFrame):
    """The page; the look-up itself runs in a process of its own and outlives a look elsewhere."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Look up citations")
        self.form = LookupForm(self.theme)
        self.consent = QCheckBox(_CONSENT)
        self.estimate = Sentence()
        self.go = push_button("Look up", self.start, kind="primary")
        self.report = Sentence(tone="")
        self.undo = push_button("Undo", self._undo, name="Undo the look-up")
        self.running = Running("the look-up")
        self.entry: Entry | None = None
        self._change: int | None = None
        self._slot = self.session.slot(self)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._lay_out()
        self._connect()
        self._show()

    def _lay_out(self) -> None:
        self._choosing = QWidget()
        vertical(
            self._choosing,
            scrolled(label(_PROMISE, "muted", wrap=True), 8, self.form, self.consent),
            self.estimate,
            horizontal(None, self.go, 0),
        )
        self._switch = Switch(self._choosing, self.running)
        self.body.addWidget(self.report)
        self.body.addLayout(horizontal(None, self.undo, 0))
        self.body.addSpacing(4)
        self.body.addWidget(self._switch, 1)

    def _connect(self) -> None:
        self.form.changed.connect(self._pause.start)
        self.consent.clicked.connect(self._allow)
        self._pause.timeout.connect(self._estimate)
        self._slot.done.connect(self._estimated)
        self._slot.failed.connect(lambda error: self.tell(error, "Estimate the look-up"))
        self.session.opened.connect(self._opened)
        self.session.selected.connect(lambda _ids: self._selected())
        self.session.changed.connect(lambda _changes: self._pause.start())
        self.session.jobs.updated.connect(self.running.follow)

    # -- the choice ------------------------------------------------------------------------------

    def _options(self, settings: AppSettings) -> FetchOptions:
        form, chosen = self.form, self.form.papers.choice == "chosen"
        return fetch_options(
            settings,
            form.chosen,
            papers=self.session.selection if chosen else None,
            fill=form.fill.isChecked(),
            again=form.again.isChecked(),
            citing=form.asks_citing,
        )

    def _settings(self) -> AppSettings:
        """The settings with what is written here.

        Raises:
            UserError: the mail address or a key is none.
        """
        settings = self.session.settings.with_value("mail", self.form.mail.text().strip())
        for name, key in self.form.keys.items():
            settings = settings.with_value(f"{name}_key", key)
        return settings

    def _allow(self, on: bool) -> None:
        self.session.remember(replace(self.session.settings, citations_consent=on))

    def _estimate(self) -> None:
        """Say what a look-up would take, worked out beside the window."""
        if not self.isVisible() or self.entry is not None:
            return
        self._show()
        if self.session.library is None or not self.form.chosen:
            self._slot.cancel()
            self.estimate.say("" if self.form.chosen else "Choose at least one service.")
            return
        options = self._options(self.session.settings)
        self.session.read(
            self._slot,
            "Estimate the look-up",
            lambda library, ctx: _work_out(library, ctx, options),
        )

    def _estimated(self, told: Estimate) -> None:
        self.estimate.say(describe.estimated(told))

    # -- the look-up -----------------------------------------------------------------------------

    def start(self) -> None:
        """Look up what is chosen; pressing the button below what is sent is the consent."""
        self.problem.hide()
        self._forget()
        try:
            settings = self._settings()
        except LitscapeError as error:
            self.tell(error)
            return
        self.session.remember(settings)
        options = self._options(settings)
        holder: list[Entry] = []
        entry = self.session.work(
            "Look up citations",
            lambda library, ctx: run_apart(library, look_up, ctx, options),
            Lane.READ,  # it waits for others: what is written meanwhile must not wait for it
            done=self._done,
            failed=lambda error: self._ended(holder[0], error),
            ended=lambda: self._ended(holder[0], None),
        )
        if entry is not None:
            holder.append(entry)
            self.entry = entry
            self.running.begin(entry)
        self._show()

    def _done(self, report: FetchReport) -> str:
        self.session.announce(report.changes)
        said = describe.reported(report)
        self._change = report.changes.change_id
        self.report.say(said, "warn" if report.failures else "")
        first = said.partition("\n")[0]
        if not self.isVisible():
            self.session.say(f"Citations: {first}", Offer("Report", self._come_back))
        return first

    def _ended(self, entry: Entry, error: BaseException | None) -> None:
        if entry is not self.entry:
            return
        if error is not None:
            self.tell(error, "Look up citations")
            if not self.isVisible():
                self.session.trouble(error, "Look up citations")
        elif entry.state is State.CANCELLED:
            # Where it was writing already, what is written stays.
            self.session.announce(LibraryChanges(structure=True))
            self.report.say("Cancelled. What was answered is kept: look up again to go on.")
        if entry.state.ended:
            self.entry = None
        self._show()
        self._estimate()

    def _come_back(self) -> None:
        self.desk.show_page("lookup", again=True)

    def _undo(self) -> None:
        change = self._change
        if change is None:
            return
        self._forget()
        self._show()
        self.session.write(
            "Undo the look-up", lambda library: _take_back(library, change), "Look-up undone"
        )

    # -- showing ---------------------------------------------------------------------------------

    def _forget(self) -> None:
        self._change = None
        self.report.say("")

    def _opened(self) -> None:
        self.entry = None
        self.problem.hide()
        self._forget()
        self._show()
        self._estimate()

    def _selected(self) -> None:
        self.form.show_selection(len(self.session.selection))
        if self.form.papers.choice == "chosen":
            self._pause.start()

    def _show(self) -> None:
        library = self.session.library
        locked = library is not None and library.database.read_only
        self._switch.show_part(self.running if self.entry is not None else self._choosing)
        self.go.setEnabled(library is not None and not locked and bool(self.form.chosen))
        self.undo.setVisible(self._change is not None and self.entry is None)
        if locked:
            self.estimate.say("This library is open for reading only.", "warn")

    def showEvent(self, event: QShowEvent) -> None:
        """Show what is remembered and chosen now."""
        super().showEvent(event)
        self.form.show_settings(self.session.settings)
        self.consent.setChecked(self.session.settings.citations_consent)
        self.form.show_selection(len(self.session.selection))
        self._show()
        self._estimate()


def _take_back(library: Library, change: int) -> LibraryChanges:
    """Undo the look-up where nothing was changed after it."""
    newest = next((one for one in library.history.entries(50) if one.state == "done"), None)
    if newest is None or newest.id != change:
        raise UserError(
            "Other changes were made after the look-up: undo them first, with Undo in the menu "
            "Edit, and the look-up after them."
        )
    return library.history.undo()


def _work_out(library: Library, ctx: JobContext, options: FetchOptions) -> Estimate:
    if library.papers.count() > _QUICK:
        return run_apart(library, estimate_look_up, ctx, options)
    return estimate_look_up(library, ctx, options)
