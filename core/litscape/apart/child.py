"""A child that works on a library: ``python -m litscape.apart.child``.

What to do comes as messages (:mod:`litscape.apart.call`). A child for one task ends with it; one
that stays (:mod:`litscape.apart.standing`) does one after the other. Like every child it ends when
its standard input ends; what it has committed by then is kept, as after a loss of power.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
from typing import IO, TYPE_CHECKING, Any

from litscape.engine.frames import read_frame, write_frame
from litscape.errors import LitscapeError
from litscape.jobs import JobCancelledError, JobContext

if TYPE_CHECKING:
    from litscape.jobs.context import Event


class _Work:
    """One task that was asked for."""

    def __init__(self, number: int, payload: bytes, program: _Program) -> None:
        self.number = number
        self._payload = payload
        self._program = program
        self.ctx = JobContext(self._publish)

    def _publish(self, event: Event) -> None:
        if event.kind in ("progress", "partial"):
            self._program.send(self.number, {event.kind: True}, event.value)

    def do(self) -> None:
        """Do it and answer with its result, or with the error that ended it."""
        try:
            self.ctx.check()
            self._program.send(self.number, {}, _result(self._payload, self.ctx))
        except (LitscapeError, JobCancelledError) as error:
            self._program.send(self.number, {"raised": True}, error)
        except Exception as error:  # noqa: BLE001 - told to the program, which shows it as a bug
            import traceback

            told = {"error": "".join(traceback.format_exception(error)), "kind": "bug"}
            self._program.send(self.number, told, None)


class _Program:
    """The pipes to the program that asks."""

    def __init__(self) -> None:
        # Whatever a library prints must not get between the messages.
        self._out: IO[bytes] = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        first = read_frame(sys.stdin.buffer)
        if first is None:
            os._exit(0)
        self.start, payload = first
        self._lock = threading.Lock()
        self._open: dict[int, _Work] = {}
        self._waiting: queue.Queue[_Work] = queue.Queue()
        if payload:
            self._take(int(self.start["id"]), payload)
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self, idle_s: float | None) -> _Work | None:
        """The next task; None after ``idle_s`` seconds without one."""
        try:
            return self._waiting.get(timeout=idle_s)
        except queue.Empty:
            return None

    def done(self, work: _Work) -> None:
        """Nothing more is to be heard of a task."""
        with self._lock:
            del self._open[work.number]

    def send(self, number: int, header: dict[str, Any], value: object) -> None:
        """Send a value; the end of the program is the end of this child."""
        try:
            write_frame(self._out, {"id": number, **header}, pickle.dumps(value))
        except OSError:
            os._exit(0)

    def _take(self, number: int, payload: bytes) -> None:
        work = _Work(number, payload, self)
        with self._lock:
            self._open[number] = work
        self._waiting.put(work)

    def _listen(self) -> None:
        """Hear of more work, of the wish to end some, and of the end of the program."""
        while (frame := read_frame(sys.stdin.buffer)) is not None:
            header, payload = frame
            if header["op"] == "work":
                self._take(int(header["id"]), payload)
            elif header["op"] == "cancel":
                with self._lock:
                    work = self._open.get(int(header["job"]))
                if work is not None:
                    work.ctx.cancel()
        os._exit(0)


def main() -> int:
    """Do one task, or one after the other until none came for a while."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's to handle
    program = _Program()
    if hasattr(os, "nice"):
        os.nice(int(program.start["nice"]))
    stays = "idle_s" in program.start
    while (work := program.next(program.start["idle_s"] if stays else None)) is not None:
        work.do()
        program.done(work)
        if not stays:
            break
    return 0


def _result(payload: bytes, ctx: JobContext) -> object:
    from litscape.library import Library

    task, folder, settings, args, kwargs = pickle.loads(payload)  # from our own program's pipe
    with Library.open(folder, create=False, settings=settings) as library:
        return task(library, ctx, *args, **kwargs)


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # Not sys.exit: the interpreter aborts when it ends while a thread waits for standard input.
    os._exit(code)
