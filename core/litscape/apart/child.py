"""A child that does one piece of work on a library: ``python -m litscape.apart.child``.

What to do comes as the first message (:mod:`litscape.apart.call`). Like every child it ends when
its standard input ends; what it has committed by then is kept, as after a loss of power.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from typing import IO, TYPE_CHECKING, Any

from litscape.engine.frames import read_frame, write_frame
from litscape.errors import LitscapeError
from litscape.jobs import JobCancelledError, JobContext

if TYPE_CHECKING:
    from litscape.jobs.context import Event


class _Program:
    """The pipes to the program that asked."""

    def __init__(self) -> None:
        # Whatever a library prints must not get between the messages.
        self._out: IO[bytes] = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        first = read_frame(sys.stdin.buffer)
        if first is None:
            os._exit(0)
        self.start, self.payload = first

    def listen(self, ctx: JobContext) -> None:
        """Hear of the wish to end, and of the end of the program."""

        def follow() -> None:
            while (frame := read_frame(sys.stdin.buffer)) is not None:
                if frame[0]["op"] == "cancel":
                    ctx.cancel()
            os._exit(0)

        threading.Thread(target=follow, daemon=True).start()

    def publish(self, event: Event) -> None:
        """Pass on what a context is told."""
        if event.kind in ("progress", "partial"):
            self.send({event.kind: True}, event.value)

    def send(self, header: dict[str, Any], value: object) -> None:
        """Send a value; the end of the program is the end of this child."""
        try:
            write_frame(self._out, {"id": self.start["id"], **header}, pickle.dumps(value))
        except OSError:
            os._exit(0)


def main() -> int:
    """Do the work and answer with its result, or with the error that ended it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's to handle
    program = _Program()
    ctx = JobContext(program.publish)
    program.listen(ctx)
    if hasattr(os, "nice"):
        os.nice(int(program.start["nice"]))
    try:
        program.send({}, _work(program.payload, ctx))
    except (LitscapeError, JobCancelledError) as error:
        program.send({"raised": True}, error)
    except Exception as error:  # noqa: BLE001 - told to the program, which shows it as a bug
        import traceback

        told = {"error": "".join(traceback.format_exception(error)), "kind": "bug"}
        program.send(told, None)
    return 0


def _work(payload: bytes, ctx: JobContext) -> object:
    from litscape.library import Library

    task, folder, settings, args, kwargs = pickle.loads(payload)  # from our own program's pipe
    with Library.open(folder, create=False, settings=settings) as library:
        return task(library, ctx, *args, **kwargs)


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # Not sys.exit: the interpreter aborts when it ends while a thread waits for standard input.
    os._exit(code)
