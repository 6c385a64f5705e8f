"""What SQLite reports, sorted: somebody else's lock, a fault of the surroundings, or a bug."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from litscape.errors import (
    DamagedLibraryError,
    EnvironmentFault,
    LibraryBusyError,
    LitscapeError,
    UserError,
)
from litscape.store.places import backups

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_LARGEST = (1 << 63) - 1
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def broken(file: Path, what: str) -> DamagedLibraryError:
    """The sentence for a library file that can't be used, naming the backup to go back to."""
    try:
        newest = next(iter(backups(file.parent)), None)
    except OSError:
        newest = None
    way_out = f"restore the backup {newest}" if newest else "restore it from a backup of your own"
    return DamagedLibraryError(f"The library file {file} {what}; {way_out}.")


def fault(error: sqlite3.Error, file: Path) -> LitscapeError | None:
    """The error that a person should see for what SQLite reports, or None for a bug."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    primary = code & 0xFF
    if primary in _BUSY:
        return LibraryBusyError(
            f"Another program is writing to the library in {file.parent}; try again in a moment."
        )
    if primary in _BROKEN:
        return broken(file, "is damaged or is no Litscape library")
    sentences = {
        sqlite3.SQLITE_FULL: f"The disk is full: the library in {file.parent} "
        "can't be written; free some space and try again.",
        sqlite3.SQLITE_READONLY: f"The library in {file.parent} can't be written (read-only file, "
        "folder or disk); change its permissions or work on a copy.",
        sqlite3.SQLITE_PERM: f"There is no permission to use the library in {file.parent}; "
        "change its permissions or work on a copy.",
        sqlite3.SQLITE_CANTOPEN: f"The library file {file} can't be opened or made; "
        "check that the folder is there and that you may write to it.",
        sqlite3.SQLITE_IOERR: f"The disk failed while using the library in {file.parent} "
        f"({error}); check the disk and its free space, then try again.",
    }
    sentence = sentences.get(primary)
    return EnvironmentFault(sentence) if sentence else None


@contextmanager
def sorted_faults(file: Path) -> Iterator[None]:
    """Turn SQLite's errors inside the block into errors for a person; bugs pass as they are."""
    try:
        yield
    except DBAPIError as error:
        known = fault(error.orig, file) if isinstance(error.orig, sqlite3.Error) else None
        if known is None:
            raise
        raise known from error
    except OverflowError as error:
        if "SQLite" not in str(error):
            raise
        raise UserError(
            f"A number is too large: the library in {file.parent} knows none above {_LARGEST}."
        ) from error
    except sqlite3.Error as error:
        known = fault(error, file)
        if known is None:
            raise
        raise known from error
