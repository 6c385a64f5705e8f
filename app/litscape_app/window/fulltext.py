"""Keeps the text of PDFs up to date while nobody works, and says in a sentence how far it is."""

from __future__ import annotations

import enum
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QCursor

from litscape.apart import run_apart
from litscape.apart.tasks import build_fulltext
from litscape.errors import LibraryBusyError
from litscape.jobs.runners import Lane, State
from litscape.store.places import FULLTEXT
from litscape_app.window.troubles import explain
from litscape_app.window.words import count

if TYPE_CHECKING:
    from litscape.fulltext.records import TextReport, TextStatus
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape_app.qtjobs import Entry
    from litscape_app.window.session import Session

TITLE = "Text of PDFs"
IDLE_S = 60.0
"""How long nobody has to have done anything before PDFs are read by themselves."""
_TICK_MS = 2000
_LOOK_MS = 4000
"""How long after opening the PDFs are looked for: the list comes first."""
_AGAIN_MS = 15_000
"""How long after a change they are looked for again: every one is, and there may be thousands."""
_RETRY_MS = 30_000


class TextPhase(enum.Enum):
    """What the text of PDFs is doing."""

    NONE = "none"
    READY = "ready"
    BEHIND = "behind"
    RUNNING = "running"
    WAITING = "waiting"
    PAUSED = "paused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TextStanding:
    """How far the text of PDFs is.

    Attributes:
        phase: what it is doing.
        status: what is read, as of the last look; None before the first.
        done: files read by the job that runs.
        total: files that it is to read; 0 while that is not known.
        problem: what went wrong, one sentence.
    """

    phase: TextPhase = TextPhase.NONE
    status: TextStatus | None = None
    done: int = 0
    total: int = 0
    problem: str = ""

    @property
    def there(self) -> bool:
        """Whether there is a text to search in."""
        status = self.status
        return status is not None and status.counts.read > 0 and not status.damaged

    @property
    def sentence(self) -> str:
        """What is being done, in one line; empty where nothing is."""
        of = f" {self.done:,} of {self.total:,}" if self.total else ""
        words = {
            TextPhase.RUNNING: f"Reading PDFs:{of}" if of else "Looking for PDFs",
            TextPhase.WAITING: f"Reading PDFs: waiting{f' at{of}' if of else ''}",
            TextPhase.PAUSED: f"Reading PDFs: paused{f' at{of}' if of else ''}",
            TextPhase.FAILED: "Reading PDFs stopped",
        }
        return words.get(self.phase, "")


class TextKeeper(QObject):
    """Starts, pauses and resumes the reading of PDFs.

    By itself it starts only where the settings say so, when nobody has touched the window for a
    while and no other job is at work; both also make it wait. Asked for, it waits for other jobs
    alone.
    """

    moved = Signal(object)
    """The :class:`TextStanding` now."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.standing = TextStanding()
        self._entry: Entry | None = None
        self._asked = False
        self._paused = False
        self._again = self._stopping = False
        self._touched_at = time.monotonic()
        self._pointer = QCursor.pos()
        self._slot = session.slot(self)
        self._slot.done.connect(self._looked)
        self._slot.failed.connect(lambda _error: None)  # the next look may fare better
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.look)
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self.consider)
        session.opened.connect(self._opened)
        session.changed.connect(self._changed)
        session.refreshed.connect(self._refreshed)
        session.selected.connect(lambda _ids: self.touch())
        session.jobs.updated.connect(self._progressed)
        session.jobs.added.connect(self._make_room)

    # -- what a person can ask for -------------------------------------------------------------

    def start(self, *, again: bool = False) -> None:
        """Read what is new or changed now; ``again``: also what could not be read."""
        self._asked, self._paused, self._again = True, False, again
        self.consider()
        self._tick.start()

    def pause(self) -> None:
        """Stop after the file at hand, until it is asked to go on; what is read is kept."""
        self._paused, self._asked = True, False
        self._stop()
        if self.standing.phase in (TextPhase.RUNNING, TextPhase.WAITING):
            self._set(phase=TextPhase.PAUSED)

    def clear(self) -> None:
        """Remove the text that was read."""
        from litscape.paper import LibraryChanges

        self.pause()

        def act(library: Library) -> LibraryChanges:
            library.fulltext.clear()
            return LibraryChanges()

        said = "The text of PDFs was removed; the PDFs stay."
        self._session.write("Remove the text of PDFs", act, said, done=lambda _none: self.look())

    def touch(self) -> None:
        """Somebody works: what started by itself waits."""
        self._touched_at = time.monotonic()
        if self._entry is not None and not self._asked:
            self._stop()

    # -- following the library -----------------------------------------------------------------

    def look(self) -> None:
        """See how much is read and what is not; every PDF is looked for, beside the window."""
        self._soon.stop()
        self._session.read(self._slot, "Look for PDFs", lambda lib, ctx: lib.fulltext.status(ctx))

    def _opened(self) -> None:
        self._slot.cancel()
        self._entry, self._asked, self._paused = None, False, False
        self.standing = TextStanding()
        self.moved.emit(self.standing)
        if self._session.library is None:
            self._tick.stop()
            self._soon.stop()
        elif self._matters:
            self._soon.start(_LOOK_MS)

    @property
    def _matters(self) -> bool:
        """Whether there is a text to search in, or there is to be one."""
        library = self._session.library
        return library is not None and (
            self._session.settings.fulltext_when_idle
            or self._asked
            # Asked of the folder: the service is read beside the window alone.
            or (library.folder / FULLTEXT).exists()
        )

    def _changed(self, changes: LibraryChanges) -> None:
        self.touch()
        if self._matters and (changes.added or changes.changed or changes.removed):
            self._soon.start(_AGAIN_MS)

    def _refreshed(self) -> None:
        if self._matters:
            self._soon.start(_AGAIN_MS)

    def _looked(self, status: TextStatus) -> None:
        if self._entry is not None:
            self._set(status=status)
            return
        todo = bool(status.pending or status.damaged) and not status.running
        phase = TextPhase.BEHIND if todo else TextPhase.READY
        if not status.linked:
            phase = TextPhase.NONE
        elif self._paused and todo:
            phase = TextPhase.PAUSED
        elif self._asked and todo:
            phase = TextPhase.WAITING
        self._set(status=status, phase=phase, problem="")
        if todo and self._wanted:
            self._tick.start()
        elif not self._asked:
            self._tick.stop()

    @property
    def _wanted(self) -> bool:
        library = self._session.library
        if library is None or library.database.read_only or self._paused:
            return False
        return self._asked or self._session.settings.fulltext_when_idle

    # -- when to work --------------------------------------------------------------------------

    def consider(self) -> None:
        """Start, or wait, by what else goes on; called now and then."""
        pointer = QCursor.pos()
        if pointer != self._pointer:
            self._pointer = pointer
            self.touch()
        if self._entry is not None or not self._wanted:
            return
        others = self._session.busy
        idle = time.monotonic() - self._touched_at >= IDLE_S
        if others or not (idle or self._asked):
            if self._asked or self.standing.phase is TextPhase.WAITING:
                self._set(phase=TextPhase.WAITING)
            return
        self._begin()

    def _make_room(self, entry: Entry) -> None:
        """Another job goes first."""
        if self._entry is not None and entry is not self._entry and entry.title != TITLE:
            self._stop()

    def _stop(self) -> None:
        if self._entry is not None:
            self._stopping = True
            self._entry.handle.cancel()

    def _begin(self) -> None:
        again, self._again = self._again, False

        def act(library: Library, ctx: JobContext) -> TextReport:
            return run_apart(library, build_fulltext, ctx, again=again)

        self._set(phase=TextPhase.RUNNING, done=0, total=0, problem="")
        self._entry = self._session.work(
            TITLE, act, Lane.COMPUTE, done=self._done, failed=self._failed, ended=self._ended
        )

    def _progressed(self, entry: Entry) -> None:
        if entry is self._entry and entry.state is State.RUNNING and entry.progress.total:
            done, total = entry.progress.done, entry.progress.total
            if (done, total) != (self.standing.done, self.standing.total):
                self._set(phase=TextPhase.RUNNING, done=done, total=total)

    def _done(self, report: TextReport) -> str:
        asked, self._asked = self._asked, False
        parts = [f"{count(report.read, 'PDF')} read"]
        if report.unread:
            parts.append(f"{len(report.unread):,} without text")
        said = ", ".join(parts) if report.files else "No paper has a PDF"
        if asked:
            self._session.say(said)
        return said

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, LibraryBusyError):
            self._soon.start(_RETRY_MS)  # another program does the same work
            self._set(phase=TextPhase.WAITING, problem=str(error))
            return
        self._asked, self._paused = False, True
        trouble = explain(error, TITLE)
        self._set(phase=TextPhase.FAILED, problem=trouble.sentence)
        self._session.trouble(trouble)

    def _ended(self) -> None:
        entry, self._entry = self._entry, None
        if entry is None or entry.state is State.FAILED:
            return
        stopped, self._stopping = self._stopping, False
        if entry.state is State.CANCELLED and stopped:
            entry.listed = False  # it goes on later: that is no end to be listed
            if not self._paused:
                self._set(phase=TextPhase.WAITING)
                self._tick.start()
        elif entry.state is State.CANCELLED:  # in the list of jobs
            self._paused, self._asked = True, False
            self._set(phase=TextPhase.PAUSED)
        self.look()

    def _set(self, **changes: Any) -> None:
        self.standing = replace(self.standing, **changes)
        self.moved.emit(self.standing)
