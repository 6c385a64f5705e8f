"""Progress on stderr: one line that changes on a terminal, sparse lines elsewhere."""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from litscape.jobs.context import Event, JobContext, Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

_ON_TERMINAL = 0.1
_ELSEWHERE = 10.0
_WIDTH = 78


class ProgressLine:
    """Shows the progress events of one job."""

    def __init__(self, partial: Callable[[object], None] | None = None) -> None:
        self._partial = partial
        self._terminal = sys.stderr.isatty()
        self._shown_at = time.monotonic() if not self._terminal else 0.0
        self._open = False

    def __call__(self, event: Event) -> None:
        """Show an event, unless the last one was shown a moment ago; hand partial results on."""
        if event.kind == "partial" and self._partial is not None:
            self.close()
            self._partial(event.value)
        if event.kind != "progress" or not isinstance(event.value, Progress):
            return
        now = time.monotonic()
        if now - self._shown_at < (_ON_TERMINAL if self._terminal else _ELSEWHERE):
            return
        self._shown_at = now
        line = describe(event.value)
        if self._terminal:
            sys.stderr.write(f"\r\x1b[K{line[:_WIDTH]}")
            self._open = True
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def close(self) -> None:
        """Take the line away; what follows begins at the left."""
        if self._open:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._open = False


def describe(progress: Progress) -> str:
    """``Reading papers.bib (7 %)``; what ``done`` counts stands in the text, where it matters."""
    text = progress.text or "Working"
    return f"{text} ({100 * progress.done // progress.total} %)" if progress.total else text


@contextmanager
def job_context(
    partial: Callable[[object], None] | None = None,
    *,
    terminated: bool = False,
    told: str = "Stopping … (Ctrl-C again stops at once)",
) -> Iterator[JobContext]:
    """A context for one long function, with progress shown and Ctrl-C obeyed.

    The first Ctrl-C asks the job to end at its next whole step, the second ends it at once; what
    had been committed stays in both cases. ``partial`` takes each partial result as it comes.
    Where ``terminated``, a request to terminate (SIGTERM) is obeyed in the same way. ``told`` is
    what the first Ctrl-C says; nothing where empty.
    """
    line = ProgressLine(partial)
    context = JobContext(line)

    def stop(_number: int, _frame: FrameType | None) -> None:
        if context.cancelled:
            raise KeyboardInterrupt
        context.cancel()
        line.close()
        if told:
            sys.stderr.write(f"{told}\n")

    in_main = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, *((signal.SIGTERM,) if terminated else ()))
    before = {one: signal.signal(one, stop) for one in numbers} if in_main else {}
    try:
        yield context
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        line.close()
