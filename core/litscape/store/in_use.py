"""Which library files this process has open.

Closing a file ends every lock that the process has on it (POSIX), those of SQLite as well. Another
program that closes the library then takes itself for the last one and deletes the log that is
still written to. So a library file that is open here is opened by SQLite alone.
"""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

_lock = threading.Lock()
_open: Counter[tuple[int, int]] = Counter()


def note_opened(file: Path) -> tuple[int, int]:
    """Remember that a library file is open; returns what :func:`note_closed` takes."""
    found = file.stat()
    key = (found.st_dev, found.st_ino)
    with _lock:
        _open[key] += 1
    return key


def note_closed(key: tuple[int, int]) -> None:
    """One use of a file is over."""
    with _lock:
        _open[key] -= 1
        if not _open[key]:
            del _open[key]


def is_open_here(file: str | Path) -> bool:
    """Whether this process has a file open as a library."""
    with suppress(OSError, ValueError):
        found = Path(file).stat()
        return (found.st_dev, found.st_ino) in _open
    return False
