"""The only Qt in job running: a dispatcher, a slot per place on screen, and the list of jobs.

Worker threads never touch a QObject that a window may delete: they put calls in a plain queue and
wake one dispatcher that lives as long as the application. A signal emitted from a worker on an
object of a closing window ends the process, so this is the one way in.
"""

from __future__ import annotations

import time
import weakref
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

from litscape.jobs.context import Event, Progress
from litscape.jobs.runners import Job, JobHandle, Runner, State

if TYPE_CHECKING:
    from collections.abc import Callable

_SLICE_S = 0.008
"""Longest time that the queue is worked on before the window may paint again."""


class Dispatcher(QObject):
    """Runs plain callables on the main thread; lives as long as the application."""

    _wake = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._queue: deque[Callable[[], None]] = deque()
        self._open = True
        self._wake.connect(self._drain, Qt.ConnectionType.QueuedConnection)

    @property
    def is_open(self) -> bool:
        """Whether the application goes on."""
        return self._open

    def post(self, call: Callable[[], None]) -> None:
        """Run ``call`` soon on the main thread; from any thread."""
        if self._open:
            self._queue.append(call)
            self._wake.emit()

    def close(self) -> None:
        """Drop what is queued and take nothing more: the application ends."""
        self._open = False
        self._queue.clear()

    def _drain(self) -> None:
        end = time.perf_counter() + _SLICE_S
        while self._queue:
            self._queue.popleft()()
            if self._queue and time.perf_counter() > end:
                self._wake.emit()
                return


class _Relay:
    """Carries one handle's events to the main thread, only the newest progress of each burst."""

    def __init__(self, dispatcher: Dispatcher, deliver: Callable[[Event], None]) -> None:
        self._dispatcher = dispatcher
        self._deliver = deliver
        self._newest: Event | None = None

    def __call__(self, event: Event) -> None:
        if event.kind != "progress":
            self._dispatcher.post(lambda: self._deliver(event))
            return
        waiting = self._newest is not None
        self._newest = event
        if not waiting:
            self._dispatcher.post(self._deliver_progress)

    def _deliver_progress(self) -> None:
        event, self._newest = self._newest, None
        if event is not None:
            self._deliver(event)


class JobSlot(QObject):
    """One place on screen that shows at most one running job; a new one replaces the old."""

    progress = Signal(object)
    partial = Signal(object)
    done = Signal(object)
    failed = Signal(object)
    busy = Signal(bool)

    def __init__(
        self, runner: Runner, dispatcher: Dispatcher, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._dispatcher = runner, dispatcher
        self._serial = 0
        self._handle: JobHandle[Any] | None = None

    @property
    def running(self) -> bool:
        """Whether a job was started whose end has not been shown yet."""
        return self._handle is not None

    def start(self, job: Job[Any]) -> JobHandle[Any]:
        """Cancel what runs here, start ``job``, and show only its events from now on."""
        self.cancel()
        self._serial += 1
        serial, me = self._serial, weakref.ref(self)

        def deliver(event: Event) -> None:
            slot = me()
            if slot is not None and shiboken6.isValid(slot):
                slot._deliver(serial, event)

        handle: JobHandle[Any] = JobHandle(job)
        handle.subscribe(_Relay(self._dispatcher, deliver))
        self._handle = handle
        self.busy.emit(True)
        self._runner.start(handle)
        return handle

    def cancel(self) -> None:
        """Ask the job to end and show nothing more of it."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
            self._serial += 1
            self.busy.emit(False)

    def _deliver(self, serial: int, event: Event) -> None:
        handle = self._handle
        if serial != self._serial or handle is None:
            return
        if event.kind == "progress":
            self.progress.emit(event.value)
        elif event.kind == "partial":
            self.partial.emit(event.value)
        elif isinstance(event.value, State) and event.value.ended:
            self._handle = None
            self.busy.emit(False)
            if event.value is State.DONE:
                self.done.emit(handle.result(0))
            elif event.value is State.FAILED:
                self.failed.emit(handle.error)


@dataclass(eq=False, slots=True)
class Entry:
    """One job as the list of jobs shows it."""

    title: str
    handle: JobHandle[Any]
    state: State = State.QUEUED
    progress: Progress = field(default_factory=lambda: Progress(0))
    outcome: str = ""
    listed: bool = True
    first: tuple[float, int] | None = None

    def advance(self, progress: Progress) -> None:
        """Take note of how far the job is."""
        if self.first is None or progress.done < self.first[1]:
            self.first = (time.monotonic(), progress.done)
        self.progress = progress

    @property
    def seconds_left(self) -> float | None:
        """Estimate from the pace since the first step; None while there is too little to tell.

        The time before it went into starting up, which does not come again.
        """
        done, total = self.progress.done, self.progress.total
        if self.state is not State.RUNNING or not total or self.first is None:
            return None
        spent = time.monotonic() - self.first[0]
        made = done - self.first[1]
        if made <= 0 or spent < 1:
            return None
        return spent / made * (total - done)


class JobList(QObject):
    """The jobs that a person can see, follow and cancel; writes and long computations."""

    added = Signal(object)
    updated = Signal(object)
    removed = Signal(object)

    def __init__(
        self, runner: Runner, dispatcher: Dispatcher, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._dispatcher = runner, dispatcher
        self.entries: list[Entry] = []

    @property
    def running(self) -> list[Entry]:
        """The entries that are queued or at work."""
        return [entry for entry in self.entries if not entry.state.ended]

    def start(
        self,
        job: Job[Any],
        done: Callable[[Any], str | None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
        partial: Callable[[Any], None] | None = None,
        ended: Callable[[], None] | None = None,
    ) -> Entry:
        """Start ``job`` and list it.

        Args:
            job: what to run.
            done: called with the result on the main thread; a text it returns is kept as outcome.
            failed: called with the error; ``entry.outcome`` holds its sentence.
            partial: called with each partial result.
            ended: called last, whatever the end was.
        """
        handle: JobHandle[Any] = JobHandle(job)
        entry = Entry(job.title, handle)
        me = weakref.ref(self)

        def deliver(event: Event) -> None:
            jobs = me()
            if jobs is None or not shiboken6.isValid(jobs):
                return
            if event.kind == "partial" and partial is not None:
                partial(event.value)
            elif event.kind == "progress" and isinstance(event.value, Progress):
                entry.advance(event.value)
            elif isinstance(event.value, State):
                jobs._enter(entry, event.value, done, failed)
            jobs.updated.emit(entry)
            if entry.state.ended and ended is not None:
                ended()
            if not entry.listed:
                jobs.remove(entry)

        handle.subscribe(_Relay(self._dispatcher, deliver))
        self.entries.append(entry)
        self.added.emit(entry)
        self._runner.start(handle)
        return entry

    def _enter(
        self,
        entry: Entry,
        state: State,
        done: Callable[[Any], str | None] | None,
        failed: Callable[[BaseException], None] | None,
    ) -> None:
        entry.state = state
        if state is State.DONE and done is not None:
            entry.outcome = done(entry.handle.result(0)) or ""
        elif state is State.FAILED and entry.handle.error is not None:
            entry.outcome = str(entry.handle.error) or type(entry.handle.error).__name__
            if failed is not None:
                failed(entry.handle.error)

    def remove(self, entry: Entry) -> None:
        """Take an ended entry off the list."""
        if entry in self.entries and entry.state.ended:
            self.entries.remove(entry)
            self.removed.emit(entry)

    def cancel_all(self) -> None:
        """Ask every job to end."""
        for entry in self.running:
            entry.handle.cancel()

    def clear(self) -> None:
        """Take all off the list: ended ones now, others when they have ended."""
        for entry in list(self.entries):
            entry.listed = False
            self.remove(entry)
