"""What all parts of the window share: the open library, its jobs, and what just happened."""

from __future__ import annotations

import contextlib
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from litscape import settings as app_settings
from litscape.errors import LitscapeError
from litscape.jobs.runners import Job, JobHandle, Lane, State, ThreadRunner
from litscape_app.qtjobs import Dispatcher, Entry, JobList, JobSlot
from litscape_app.window.list_first import ListFirst
from litscape_app.window.troubles import Trouble, explain
from litscape_app.window.words import shorten

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from litscape.jobs import JobContext
    from litscape.jobs.context import Event
    from litscape.library import Library
    from litscape.paper import LibraryChanges, PaperId
    from litscape_app.window.theme import Theme

log = logging.getLogger(__name__)
T = TypeVar("T")
_POLL_MS = 1500
_GLANCE_S = 3.0


@dataclass(frozen=True, slots=True)
class Offer:
    """A button beside a message."""

    label: str
    act: Callable[[], None]


@dataclass(frozen=True, slots=True)
class UndoState:
    """Titles of the changes that Undo and Redo would move; None where there is none."""

    undo: str | None = None
    redo: str | None = None
    seen: tuple[tuple[int, str], ...] = ()
    """The newest changes and how they stand; no job but an import moves them."""


class Session(QObject):
    """The open library and the lanes that work on it; every panel takes one."""

    opened = Signal()
    """Another library is open, or none."""
    changed = Signal(object)
    """:class:`LibraryChanges` of a write of this window."""
    refreshed = Signal()
    """Another program changed the library."""
    selected = Signal(object)
    """Ids of the chosen papers, as a tuple."""
    told = Signal(str, object)
    """Something to say in passing, with an :class:`Offer` or None."""
    troubled = Signal(object)
    """A :class:`Trouble` to show."""
    history_moved = Signal(object)
    """:class:`UndoState`."""

    def __init__(self, theme: Theme, settings: app_settings.AppSettings, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme
        self.settings = self._stored = settings
        self.dispatcher = Dispatcher()
        self.runner = ThreadRunner(readers=3)
        self._edits = ThreadRunner(readers=1)
        self._list_first = ListFirst(self.runner, self.dispatcher, self)
        self.jobs = JobList(self.runner, self.dispatcher, self)
        self._acts = 0
        self.library: Library | None = None
        self.selection: tuple[PaperId, ...] = ()
        self._history = self.slot(self)
        self._history.done.connect(self._take_history)
        self._changes: tuple[tuple[int, str], ...] = ()
        self._glance = self.slot(self)
        self._glance.done.connect(self._take_glance)
        self._glanced_at = 0.0
        self._seen_version = 0
        self._poll = QTimer(self)
        self._poll.setInterval(_POLL_MS)
        self._poll.timeout.connect(self._look_outside)

    # -- libraries ---------------------------------------------------------------------------

    def open(
        self,
        folder: Path,
        done: Callable[[], None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
        *,
        create: bool = True,
        read_only: bool = False,
    ) -> None:
        """Open the library in ``folder`` in place of the open one, which stays when that fails.

        Args:
            folder: the library's folder.
            done: called when it is open.
            failed: called with the error in place of showing it over the window.
            create: whether a missing library is made.
            read_only: open it for reading alone.
        """
        settings = self.settings

        def load(_ctx: JobContext) -> Library:
            # Imported beside the window, for it takes longer than a frame.
            from litscape.library import Library

            return Library.open(folder, create=create, read_only=read_only, settings=settings)

        def ended(handle: JobHandle[Library]) -> None:
            try:
                library = handle.result(0)
            except Exception as error:  # noqa: BLE001 - shown, with the open library kept
                if failed is not None:
                    failed(error)
                else:
                    self.trouble(error, handle.job.title)
                return
            self._take(library, folder)
            if done is not None:
                done()

        self._start_edit(Job(f"Open {folder.name}", load, Lane.WRITE), ended)

    def _start_edit(self, job: Job[T], ended: Callable[[JobHandle[T]], None]) -> None:
        """Run a short job in the lane of edits; ``ended`` is called on the main thread."""
        handle: JobHandle[T] = JobHandle(job)
        self._acts += 1

        def over() -> None:
            self._acts -= 1
            ended(handle)

        def listen(event: Event) -> None:
            if isinstance(event.value, State) and event.value.ended:
                self.dispatcher.post(over)

        handle.subscribe(listen)
        self._edits.start(handle)

    def _take(self, library: Library, folder: Path) -> None:
        self._let_go()
        self.library = library
        self.remember(self.settings.opened(folder))
        self._seen_version = library.database.data_version()
        self._poll.start()
        self.select(())
        self._list_first.hold()
        self.opened.emit()
        self._read_history()
        self._list_first.settle()

    def leave(self) -> None:
        """Close the library and show none; a job of the WRITE lane finds it closed."""
        self._let_go()
        self.select(())
        self.opened.emit()

    def _let_go(self) -> None:
        library, self.library = self.library, None
        self._poll.stop()
        self._list_first.drop()
        self.jobs.cancel_all()
        self.jobs.clear()
        if library is not None:
            # Behind whatever still works on it: lanes run their jobs in order.
            self.runner.start(JobHandle(Job("Close", lambda _ctx: library.close(), Lane.WRITE)))

    def close(self) -> None:
        """End all work and close the library; what is committed stays, the rest resumes later."""
        self._poll.stop()
        library, self.library = self.library, None
        self._list_first.drop()
        self.jobs.cancel_all()
        self.dispatcher.close()
        if library is not None and "engine" in vars(library):
            library.engine.close()
        self._edits.shutdown()
        self.runner.shutdown()
        if library is not None:
            library.close()
        if self._stored != self.settings:
            with contextlib.suppress(LitscapeError):  # the window that could say so is gone
                app_settings.save(self.settings)

    def remember(self, settings: app_settings.AppSettings) -> None:
        """Use changed settings from now on, and store them beside the window's thread."""
        if settings == self.settings:
            return
        self.settings = settings

        def store() -> None:
            try:
                app_settings.save(settings)
            except LitscapeError as error:
                failed = error
                self.dispatcher.post(lambda: self.trouble(failed, "Save settings"))
            self._stored = settings

        self._edits.start(JobHandle(Job("Save settings", lambda _ctx: store(), Lane.WRITE)))

    # -- work --------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a job or an act is queued or at work."""
        return self._acts > 0 or bool(self.jobs.running)

    def slot(self, parent: QObject) -> JobSlot:
        """A place for reads: a new one there replaces the old."""
        return JobSlot(self._list_first, self.dispatcher, parent)

    def first_slot(self, parent: QObject) -> JobSlot:
        """A place for the reads that are wanted first when a library opens; others wait."""
        return self._list_first.first_slot(parent)

    def read(self, slot: JobSlot, title: str, fetch: Callable[[Library, JobContext], Any]) -> None:
        """Run ``fetch`` on the library in the READ lane; ``slot`` tells the result."""
        library = self.library
        if library is None:
            slot.cancel()
            return
        slot.start(Job(title, lambda ctx: fetch(library, ctx), Lane.READ))

    def look(self, slot: JobSlot, title: str, fetch: Callable[[JobContext], Any]) -> None:
        """Run ``fetch`` in the READ lane; like :meth:`read`, for what needs no library."""
        if self.dispatcher.is_open:
            slot.start(Job(title, fetch, Lane.READ))

    def write(
        self,
        title: str,
        act: Callable[[Library], LibraryChanges],
        said: str = "",
        done: Callable[[LibraryChanges], None] | None = None,
        failed: Callable[[BaseException], bool] | None = None,
    ) -> None:
        """Make a short change in a lane of its own, so that it never waits for an import.

        Args:
            title: what a person calls it.
            act: makes the change and returns what changed.
            said: a sentence to show afterwards, with Undo beside it.
            done: called with the changes on the main thread.
            failed: called with the error there; whether it is dealt with and needs no showing.
        """
        library = self.library
        if library is None:
            return

        def ended(handle: JobHandle[LibraryChanges]) -> None:
            try:
                changes = handle.result(0)
            except Exception as error:  # noqa: BLE001 - shown; a failed write changed nothing
                if failed is None or not failed(error):
                    self.trouble(error, title)
                return
            self.announce(changes, said)
            if done is not None:
                done(changes)

        self._start_edit(Job(title, lambda _ctx: act(library), Lane.WRITE), ended)

    def work(
        self,
        title: str,
        act: Callable[[Library, JobContext], Any],
        lane: Lane = Lane.WRITE,
        **hooks: Any,
    ) -> Entry | None:
        """Start long work that the jobs panel shows; hooks as in :meth:`JobList.start`.

        Hooks are called only while the library is open that the work is on.
        """
        library = self.library
        if library is None:
            return None
        hooks.setdefault("failed", lambda error: self.trouble(error, title))

        def here(hook: Callable[..., Any]) -> Callable[..., Any]:
            return lambda *values: hook(*values) if self.library is library else None

        job = Job(title, lambda ctx: act(library, ctx), lane)
        return self.jobs.start(job, **{name: here(hook) for name, hook in hooks.items() if hook})

    # -- telling -----------------------------------------------------------------------------

    def announce(self, changes: LibraryChanges, said: str = "") -> None:
        """Tell every panel what a write changed, and the person, with Undo where it can be."""
        if self.library is None:
            return
        if changes:
            # What this write changed is shown by its changes; only others' move the poll.
            self._seen_version = self.library.database.data_version()
            self.changed.emit(changes)
            self._read_history()
        if said:
            undoable = changes.change_id is not None
            self.told.emit(said, Offer("Undo", self.undo) if undoable else None)

    def say(self, text: str, offer: Offer | None = None) -> None:
        """Say something in passing."""
        self.told.emit(text, offer)

    def trouble(self, error: BaseException | Trouble, doing: str = "") -> None:
        """Show an error."""
        shown = error if isinstance(error, Trouble) else explain(error, doing)
        self.troubled.emit(shown)

    def select(self, ids: tuple[PaperId, ...]) -> None:
        """Make ``ids`` the chosen papers everywhere."""
        if ids != self.selection:
            self.selection = ids
            self.selected.emit(ids)

    # -- undo --------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the newest change."""
        self._turn("Undo", "Undone", Offer("Redo", self.redo))

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._turn("Redo", "Redone", Offer("Undo", self.undo))

    def _turn(self, title: str, said: str, offer: Offer) -> None:
        names: list[str | None] = []

        def act(library: Library) -> LibraryChanges:
            state = undo_state(library)
            names.append(state.undo if title == "Undo" else state.redo)
            return library.history.undo() if title == "Undo" else library.history.redo()

        def done(_changes: LibraryChanges) -> None:
            self.say(f"{said}: {shorten(names[0])}" if names[0] else said, offer)

        self.write(title, act, done=done)

    def _read_history(self) -> None:
        self.read(self._history, "Read the history", lambda library, _ctx: undo_state(library))

    # -- other programs ----------------------------------------------------------------------

    def _look_outside(self) -> None:
        if self.library is None:
            return
        version = self.library.database.data_version()
        if version == self._seen_version:
            return
        if self.jobs.running:
            # Most of what is written now is the job's: only another change is worth a new list.
            if time.monotonic() - self._glanced_at >= _GLANCE_S:
                self._glanced_at = time.monotonic()
                self.read(self._glance, "Look outside", lambda library, _ctx: undo_state(library))
            return
        self._seen_version = version
        self.refreshed.emit()
        self._read_history()

    def _take_glance(self, state: UndoState) -> None:
        if state.seen != self._changes:
            self.refreshed.emit()
            self._take_history(state)

    def _take_history(self, state: UndoState) -> None:
        self._changes = state.seen
        self.history_moved.emit(state)


def undo_state(library: Library) -> UndoState:
    """What Undo and Redo would do now."""
    entries = library.history.entries(100)
    undo = next((entry.title for entry in entries if entry.state == "done"), None)
    redo = None
    for entry in entries:
        if entry.state == "done":
            break
        if entry.state == "undone":
            redo = entry.title
    return UndoState(undo, redo, tuple((entry.id, entry.state) for entry in entries))
