"""A child that reads PDFs, one after the other: ``python -m litscape.pdfs.child``.

PDFium is written in C++, and files come from anywhere: what ends or holds up this process costs the
file at hand, and not the program.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from litscape.engine.frames import read_frame, write_frame
from litscape.errors import LitscapeError, UserError
from litscape.pdfs.pages import read_pages
from litscape.pdfs.text import readable

_NICE = 10
_TELL_S = 0.5
_MOST_MEMORY = 4 << 30


def main() -> int:
    """Answer requests until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's to handle
    out: IO[bytes] = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get between the messages
    if hasattr(os, "nice"):
        os.nice(_NICE)
    _limit_memory()
    requests: queue.Queue[dict[str, Any]] = queue.Queue()

    def listen() -> None:
        while (frame := read_frame(sys.stdin.buffer)) is not None:
            if "path" in frame[0]:
                requests.put(frame[0])
        os._exit(0)  # also from the middle of a file: the program is gone

    threading.Thread(target=listen, daemon=True).start()
    while True:
        request = requests.get()
        try:
            answer, payload = _read(out, request)
        except LitscapeError as error:
            kind = "user" if isinstance(error, UserError) else "environment"
            answer, payload = {"error": str(error), "kind": kind}, b""
        except Exception as error:  # noqa: BLE001 - whatever a file does, the next is read
            said = f"{request['path']} can't be read ({type(error).__name__})."
            answer, payload = {"error": said, "kind": "user"}, b""
        write_frame(out, {"id": request["id"], **answer}, payload)


def _read(out: IO[bytes], request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    told = 0.0  # the first page is told at once: the child is there, and at work

    def tell(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told >= _TELL_S:
            told = time.monotonic()
            write_frame(out, {"id": request["id"], "progress": [done, total]})

    raw = read_pages(Path(request["path"]), tell)
    pages = readable(raw.pages)
    return {"total": raw.total}, json.dumps(pages).encode()


def _limit_memory() -> None:
    """A file that asks for more ends this process, before the computer is out of memory."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = _MOST_MEMORY if hard == resource.RLIM_INFINITY else min(_MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


if __name__ == "__main__":
    sys.exit(main())
