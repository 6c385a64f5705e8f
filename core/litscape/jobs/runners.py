"""Jobs, their handles, and the runners that carry them out."""

from __future__ import annotations

import enum
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from litscape.errors import LitscapeError
from litscape.jobs.context import Event, JobCancelledError, JobContext

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)
T = TypeVar("T")


class Lane(enum.Enum):
    """Where a job waits: WRITE runs one at a time, READ several at once."""

    WRITE = "write"
    READ = "read"
    COMPUTE = "compute"


class State(enum.Enum):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self in (State.DONE, State.FAILED, State.CANCELLED)


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    """A titled function that takes a context; the title is what a person reads."""

    title: str
    run: Callable[[JobContext], T]
    lane: Lane = Lane.READ


class JobHandle(Generic[T]):
    """One run of a job: its state, result or error, listeners and cancel."""

    def __init__(self, job: Job[T]) -> None:
        self.job = job
        self.state = State.QUEUED
        self.error: BaseException | None = None
        self.context = JobContext(self._publish)
        self._future: Future[T] = Future()
        self._listeners: list[Callable[[Event], None]] = []

    def subscribe(self, listener: Callable[[Event], None]) -> None:
        """Call ``listener`` with every event, on the thread that the job runs on."""
        self._listeners.append(listener)

    def cancel(self) -> None:
        """Ask the job to end at its next check."""
        self.context.cancel()

    def result(self, timeout: float | None = None) -> T:
        """The job's value or the error it raised; :class:`TimeoutError` after ``timeout`` s."""
        return self._future.result(timeout)

    def execute(self) -> None:
        """Run the job on the calling thread; runners call this."""
        try:
            self.context.check()
            self._enter(State.RUNNING)
            value = self.job.run(self.context)
        except JobCancelledError as stop:
            self._future.set_exception(stop)
            self._enter(State.CANCELLED)
        except BaseException as error:  # the one place where any error ends a job
            if not isinstance(error, LitscapeError):
                log.exception("job failed: %s", self.job.title)
            self.error = error
            self._future.set_exception(error)
            self._enter(State.FAILED)
        else:
            self._future.set_result(value)
            self._enter(State.DONE)

    def _enter(self, state: State) -> None:
        self.state = state
        self._publish(Event("state", state))

    def _publish(self, event: Event) -> None:
        for listener in tuple(self._listeners):
            listener(event)


class Runner(Protocol):
    """Whatever can carry out a job."""

    def start(self, handle: JobHandle[T]) -> JobHandle[T]:
        """Begin the job of ``handle`` and return the handle."""
        ...


class InlineRunner:
    """Runs at once on the caller's thread: command line and tests."""

    def start(self, handle: JobHandle[T]) -> JobHandle[T]:
        """Run the job to its end."""
        handle.execute()
        return handle


class ThreadRunner:
    """Runs on threads, a pool a lane; writes and bulk computing never overlap in their lane."""

    def __init__(self, readers: int = 2) -> None:
        sizes = {Lane.WRITE: 1, Lane.COMPUTE: 1, Lane.READ: readers}
        self._pools = {
            lane: ThreadPoolExecutor(size, thread_name_prefix=f"job-{lane.value}")
            for lane, size in sizes.items()
        }

    def start(self, handle: JobHandle[T]) -> JobHandle[T]:
        """Queue the job in its lane."""
        self._pools[handle.job.lane].submit(handle.execute)
        return handle

    def shutdown(self) -> None:
        """Wait for running jobs, drop queued ones."""
        for pool in self._pools.values():
            pool.shutdown(wait=True, cancel_futures=True)
