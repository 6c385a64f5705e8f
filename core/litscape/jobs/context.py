"""The context that a long function takes: progress, partial results and cancellation."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable


class JobCancelledError(Exception):
    """Raised inside a job at its next check after somebody asked for its end."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is; ``total`` is None while it is not known."""

    done: int
    total: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """What a job tells its listeners."""

    kind: Literal["state", "progress", "partial"]
    value: object


class JobContext:
    """Handed to every long function; ``progress`` and ``check`` are its cancellation points."""

    def __init__(self, publish: Callable[[Event], None]) -> None:
        self._publish = publish
        self._cancelled = threading.Event()

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked the job to end."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Ask the job to end at its next check."""
        self._cancelled.set()

    def check(self) -> None:
        """Raise :class:`JobCancelledError` once the job has been asked to end."""
        if self._cancelled.is_set():
            raise JobCancelledError

    def progress(self, done: int, total: int | None = None, text: str = "") -> None:
        """Publish how far the job is."""
        self.check()
        self._publish(Event("progress", Progress(done, total, text)))

    def partial(self, value: object) -> None:
        """Publish a partial result worth showing, such as the ids written so far."""
        # Told before the check: what is committed is committed, also when the job is to end.
        self._publish(Event("partial", value))
        self.check()


def null_context() -> JobContext:
    """A context that nobody listens to."""
    return JobContext(lambda _event: None)
