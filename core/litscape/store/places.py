"""Where the parts of one library lie in its folder."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE = "library.sqlite"
BACKUPS = "backups"
FULLTEXT = "fulltext.sqlite"


def backups(folder: Path) -> tuple[Path, ...]:
    """The backups in a library's own backup folder, newest first."""
    found = (folder / BACKUPS).glob("*.sqlite")
    return tuple(sorted(found, key=lambda path: (path.stat().st_mtime, path.name), reverse=True))


def free_name(folder: Path, reason: str) -> Path:
    """A name not yet taken in a folder: ``<date>-<reason>.sqlite``, date and time in UTC."""
    stem = f"{datetime.now(UTC).strftime('%Y%m%dT%H%M%SZ')}-{reason}"
    names = (f"{stem}.sqlite" if n == 1 else f"{stem}-{n}.sqlite" for n in count(1))
    return next(path for name in names if not (path := folder / name).exists())


def log_of(file: Path) -> Path:
    """The write-ahead log of a database file."""
    return file.with_name(file.name + "-wal")
