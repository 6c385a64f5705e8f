"""Library files as such: looked at before SQLite opens them, addressed, connected to, copied."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING
from urllib.parse import quote

from litscape.errors import EnvironmentFault
from litscape.store import places
from litscape.store.faults import broken
from litscape.store.functions import add_functions

if TYPE_CHECKING:
    from pathlib import Path


def is_writable(path: Path) -> bool:
    """Whether this process may write to a file or a folder."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def check_header(file: Path) -> None:
    """Refuse a file that is no database, and one that is shorter than its header says.

    SQLite itself reads the header. Were the file opened here, closing it would end all locks that
    this process has on it (POSIX), and another program that closes the library would take itself
    for the last one and delete the log that is still written to.

    Raises:
        DamagedLibraryError: it is no database, or cut off.
        OSError: it can't be read.
    """
    if file.stat().st_size == 0:
        return
    if not os.access(file, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
    try:
        with closing(sqlite3.connect(address(file, "immutable=1"), uri=True)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        code = error.sqlite_errorcode & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            raise broken(file, "is damaged or is no Litscape library") from error
        if code == sqlite3.SQLITE_CORRUPT:
            if has_log(file):
                return  # pages missing here may stand in the log
            raise broken(file, "is cut off") from error
        raise OSError(errno.EIO, str(error), str(file)) from error


def has_log(file: Path) -> bool:
    """Whether a write-ahead log with something in it lies beside the file."""
    log = places.log_of(file)
    return log.exists() and log.stat().st_size > 0


def address(file: Path, query: str) -> str:
    """A file as SQLite's address, with what follows the question mark."""
    path = file.as_posix()
    path = path if path.startswith("/") else f"/{path}"  # Windows: a drive letter comes first
    return f"file://{quote(os.fsencode(path), safe='/:')}?{query}"


def connect(uri: str, busy_seconds: float) -> sqlite3.Connection:
    """A plain connection without transactions of the driver's own."""
    connection = sqlite3.connect(uri, uri=True, timeout=busy_seconds, isolation_level=None)
    add_functions(connection)
    return connection


def copy_database(source: sqlite3.Connection, target: Path) -> None:
    """Copy a database, as of one moment, into a file that appears only when it is whole.

    Raises:
        EnvironmentFault: the place can't be written, or the disk is full.
    """
    partial = target.with_name(target.name + ".new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        with closing(sqlite3.connect(partial)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, readable anywhere
        with partial.open("rb+") as stream:
            os.fsync(stream.fileno())
        os.replace(partial, target)
    except (OSError, sqlite3.OperationalError) as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise EnvironmentFault(
            f"The backup {target} can't be written ({getattr(error, 'strerror', None) or error}); "
            "check the folder's permissions and the free space."
        ) from error
    except sqlite3.DatabaseError:  # the source is damaged
        partial.unlink(missing_ok=True)
        raise
