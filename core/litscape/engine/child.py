"""A child of the engine: ``python -m litscape.engine.child``, spoken to through its pipes.

It ends by itself when its standard input ends, in the middle of work too, so that no child ever
outlives the program. Heavy libraries are imported only after the first message says what for.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import sys
import threading
from typing import IO, TYPE_CHECKING, Any

from litscape.engine.frames import read_frame, write_frame
from litscape.errors import LitscapeError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = tuple[dict[str, Any], bytes]
    Serve = Callable[[dict[str, Any]], Answer]

_SYSTEM = re.compile(r"(No space left on device|[\w' ]+(?= \(os error \d+\)))")
"""What libraries that are not Python's own say of a full disk or a missing permission."""


class Channel:
    """The pipes to the program: requests in order, answers as they come."""

    def __init__(self) -> None:
        # Whatever a library prints must not get between the messages.
        self._out: IO[bytes] = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self._requests: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self, idle_s: float | None) -> dict[str, Any] | None:
        """The next request; None after ``idle_s`` seconds without one, if that is given."""
        try:
            return self._requests.get(timeout=idle_s)
        except queue.Empty:
            return None

    def send(self, header: dict[str, Any], payload: bytes = b"") -> None:
        """Send a message; the end of the program is the end of this child."""
        try:
            write_frame(self._out, header, payload)
        except OSError:
            os._exit(0)

    def _listen(self) -> None:
        while (frame := read_frame(sys.stdin.buffer)) is not None:
            header, _payload = frame
            if header["op"] == "drop":
                self._drop(set(header["ids"]))
            else:
                self._requests.put(header)
        os._exit(0)

    def _drop(self, numbers: set[int]) -> None:
        kept = []
        with contextlib.suppress(queue.Empty):
            while True:
                kept.append(self._requests.get_nowait())
        for request in kept:
            if request["id"] not in numbers:
                self._requests.put(request)


def main() -> int:
    """Serve one role until there is nothing left to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's to handle
    channel = Channel()
    start = channel.next(None)
    if start is None:
        return 0
    if start.get("nice") and hasattr(os, "nice"):
        os.nice(int(start["nice"]))
    try:
        from litscape.engine import roles

        serve, hello = roles.prepare(start, channel.send)
    except Exception as error:  # noqa: BLE001 - told to the program, which decides
        channel.send({"id": start["id"], **_problem(error)})
        return 0
    channel.send({"id": start["id"], **hello})
    held = False
    while (request := channel.next(None if held else start.get("idle_s"))) is not None:
        if request["op"] in ("hold", "release"):
            held = request["op"] == "hold"
            answer: Answer = ({}, b"")
        else:
            answer = _answer(serve, request)
        channel.send({"id": request["id"], **answer[0]}, answer[1])
    return 0


def _answer(serve: Serve, request: dict[str, Any]) -> Answer:
    try:
        return serve(request)
    except Exception as error:  # noqa: BLE001 - told to the program, which decides
        return _problem(error), b""


def _problem(error: Exception) -> dict[str, Any]:
    """An error as a message; one that is a bug takes its traceback along."""
    if isinstance(error, LitscapeError):
        kind = "user" if isinstance(error, UserError) else "environment"
        return {"error": str(error), "kind": kind}
    if isinstance(error, MemoryError):
        return {"error": "There is not enough memory for this model.", "kind": "environment"}
    told = _SYSTEM.search(str(error))
    if isinstance(error, OSError) or told:
        reason = getattr(error, "strerror", None) or (told[1].strip() if told else error)
        name = getattr(error, "filename", None)
        place = f" {name}" if name else ""
        text = f"A file{place} that the model needs could not be read or written: {reason}."
        return {"error": text, "kind": "environment"}
    import traceback

    return {"error": "".join(traceback.format_exception(error)), "kind": "bug"}


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # Not sys.exit: the interpreter aborts when it ends while a thread waits for standard input.
    os._exit(code)
