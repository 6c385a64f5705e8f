"""What a file held when it was read last, so that a look at it can tell whether it changed."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.importers.zotero_http import SCHEME
from litscape.store.bulk import now
from litscape.store.settings import get_setting, put_setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.store.database import Database

_ZOTERO = "zotero.sqlite"
_CHUNK = 1 << 20

Sign = tuple[tuple[int, ...], ...]
"""Size, times and number of each file of a source: cheap to take, different after any write."""


def is_address(location: str | Path) -> bool:
    """Whether a source is asked over the network and has no file."""
    return str(location).startswith(SCHEME)


def location_of(location: str | Path) -> str:
    """The absolute path or the address by which a source is known."""
    if is_address(location):
        return str(location)
    return str(Path(location).absolute()).encode("utf-8", "backslashreplace").decode("utf-8")


def sign_of(location: str | Path) -> Sign | None:
    """The present sign of a source; None where it has no file (any more)."""
    signs = []
    for path in _files(location):
        with suppress(OSError, ValueError):
            now = path.stat()
            signs.append((now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino))
    return tuple(signs) or None


def mark_of(location: str | Path) -> str | None:
    """A hash of what a source holds now; None where it has no file that can be read."""
    hashed, found = hashlib.sha256(), False
    for path in _files(location):
        with suppress(OSError, ValueError), path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                hashed.update(chunk)
            found = True
    return hashed.hexdigest() if found else None


@dataclass(frozen=True, slots=True)
class Mark:
    """How a source stood when it was read last.

    Attributes:
        hash: of what it held; None for an address.
        kind: the reader's name.
        at: when, UTC.
    """

    hash: str | None
    kind: str
    at: str


def marks_of(locations: Sequence[str | Path]) -> list[str | None]:
    """The hashes of sources; to be taken before they are read, so that no change is overlooked."""
    return [mark_of(location) for location in locations]


def kept_mark(database: Database, location: str | Path) -> Mark | None:
    """How a source stood when it was read last; None where it never was."""
    with database.read() as conn:
        kept = get_setting(conn, _key(location))
    return Mark(kept["hash"], kept["kind"], kept["at"]) if kept else None


def keep_marks(
    database: Database,
    locations: Sequence[str | Path],
    hashes: Sequence[str | None],
    kinds: Sequence[str],
) -> None:
    """Note that sources were read to their end."""
    with database.write() as conn:
        for location, hashed, kind in zip(locations, hashes, kinds, strict=True):
            put_setting(conn, _key(location), {"hash": hashed, "kind": kind, "at": now()})


def _key(location: str | Path) -> str:
    """One for a file, by whatever path it is named."""
    if is_address(location):
        return f"watch.read.{location}"
    try:
        return f"watch.read.{location_of(Path(location).resolve())}"
    except (OSError, RuntimeError, ValueError):  # a circle of links, or no path at all
        return f"watch.read.{location_of(location)}"


def _files(location: str | Path) -> tuple[Path, ...]:
    """The files of a source; a database has its newest pages in a second one."""
    if is_address(location):
        return ()
    path = Path(location)
    with suppress(OSError, ValueError):
        if path.is_dir():
            path = path / _ZOTERO
        if not path.is_file():
            return ()
    return (path, path.with_name(path.name + "-wal")) if path.suffix == ".sqlite" else (path,)
