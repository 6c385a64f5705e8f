"""What a file held when it was read last, so that a look at it can tell whether it changed."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.importers.base import ReadOptions
from litscape.importers.zotero_http import SCHEME, read_address
from litscape.store.bulk import now
from litscape.store.in_use import is_open_here
from litscape.store.settings import get_setting, put_setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import ImportReport
    from litscape.store.database import Database

OUTCOMES = ("added", "updated", "merged", "unchanged", "skipped")
_ZOTERO = "zotero.sqlite"
_CHUNK = 1 << 20
_READ, _CHOICE = "watch.read", "watch.choice"

Sign = tuple[tuple[int, ...], ...]
"""Size, times and number of each file of a source: cheap to take, different after any write."""


def is_address(location: str | Path) -> bool:
    """Whether a source is asked over the network and has no file."""
    return str(location).startswith(SCHEME)


def location_of(location: str | Path) -> str:
    """The absolute path or the address by which a source is known.

    Raises:
        UserError: it is an address that can't be one.
    """
    if is_address(location):
        return SCHEME + read_address(str(location))
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
    if is_open_here(location):
        return None
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
        hash: of what it held; of an address, what was read and how far; None where neither is
            known.
        kind: the reader's name.
        at: when, UTC.
        options: what was taken of it.
        counts: records by outcome; empty where it was read together with others.
    """

    hash: str | None
    kind: str
    at: str
    options: ReadOptions = field(default_factory=ReadOptions)
    counts: Mapping[str, int] = field(default_factory=dict)


def marks_of(locations: Sequence[str | Path]) -> list[str | None]:
    """The hashes of sources; to be taken before they are read, so that no change is overlooked."""
    return [mark_of(location) for location in locations]


def kept_mark(database: Database, location: str | Path) -> Mark | None:
    """How a source stood when it was read last; None where it never was."""
    with database.read() as conn:
        return read_mark(conn, location)


def read_mark(conn: sa.Connection, location: str | Path) -> Mark | None:
    """The same within a read that goes on."""
    kept = get_setting(conn, _key(location))
    if not kept:
        return None
    options = read_options(kept.get("options", {}))
    return Mark(kept["hash"], kept["kind"], kept["at"], options, kept.get("counts", {}))


def keep_marks(
    database: Database,
    locations: Sequence[str | Path],
    hashes: Sequence[str | None],
    kinds: Sequence[str],
    options: ReadOptions,
    report: ImportReport,
) -> None:
    """Note that sources were read to their end, what was taken of them, and what came of it."""
    told = {"options": stored_options(options)}
    if len(locations) == 1:
        told["counts"] = {name: getattr(report, name) for name in OUTCOMES}
    with database.write() as conn:
        for location, hashed, kind in zip(locations, hashes, kinds, strict=True):
            kept = {"hash": hashed, "kind": kind, "at": now(), **told}
            put_setting(conn, _key(location), kept)
            if get_setting(conn, _key(location, _CHOICE)) is not None:
                put_setting(conn, _key(location, _CHOICE), None)


def choose(database: Database, location: str | Path, options: ReadOptions) -> None:
    """Keep what is to be taken of a source from its next read on."""
    with database.write() as conn:
        put_setting(conn, _key(location, _CHOICE), stored_options(options))


def chosen(conn: sa.Connection, location: str | Path) -> ReadOptions | None:
    """What is to be taken of a source: as chosen since, else as last time; None for a new one."""
    kept = get_setting(conn, _key(location, _CHOICE))
    if kept is not None:
        return read_options(kept)
    mark = read_mark(conn, location)
    return mark.options if mark else None


def stored_options(options: ReadOptions) -> dict[str, Any]:
    """What was said of a source, as JSON holds it; only what was said."""
    told = {
        "encoding": options.encoding,
        "zotero_libraries": list(options.zotero_libraries),
        "zotero_collections": list(options.zotero_collections),
        "zotero_group_names": options.zotero_group_names,
    }
    return {name: value for name, value in told.items() if value}


def read_options(kept: Mapping[str, Any]) -> ReadOptions:
    """The options of which JSON was stored."""
    return ReadOptions(
        kept.get("encoding"),
        tuple(kept.get("zotero_libraries", ())),
        tuple(kept.get("zotero_collections", ())),
        bool(kept.get("zotero_group_names")),
    )


def _key(location: str | Path, of: str = _READ) -> str:
    """One for a file, by whatever path it is named."""
    if is_address(location):
        return f"{of}.{location_of(location)}"
    try:
        return f"{of}.{location_of(Path(location).resolve())}"
    except (OSError, RuntimeError, ValueError):  # a circle of links, or no path at all
        return f"{of}.{location_of(location)}"


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
