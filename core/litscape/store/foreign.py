"""Databases of other programs: read from a private copy, never opened where they lie.

The other program may hold its file in an exclusive lock and have its newest data in the
write-ahead log only. A reader that opens such a file fails, misses data, or leaves files beside it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.errors import EnvironmentFault, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAGIC = b"SQLite format 3\x00"
_TRIES = 2
_PART = 1 << 22
_LONGEST = 1 << 28
"""Bytes of one value; a column may be made up on the spot, of any size."""
_LOGS = ("-wal", "-journal")
"""What holds data that the file itself does not have yet; ``-shm`` is never needed."""
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")


class ForeignDatabase:
    """A copy of another program's database, for reading."""

    def __init__(self, connection: sqlite3.Connection, location: Path) -> None:
        self._connection = connection
        self.location = location
        # A view could be anything, also one that never ends.
        found = self.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        plain = (str(name) for name, sql in found if _is_plain(sql))
        self.tables = frozenset(name for name in plain if not self._makes_up(name))

    def _makes_up(self, table: str) -> bool:
        """Whether a table has values that are computed when they are read, of whatever size."""
        return bool(self.rows("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0", table))

    def has(self, *tables: str) -> bool:
        """Whether all of these tables are there."""
        return self.tables.issuperset(tables)

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table; none where there is no such table."""
        found = self.rows("SELECT name FROM pragma_table_info(?)", table)
        return frozenset(str(row[0]) for row in found)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows of a query.

        Raises:
            UserError: the database is damaged, or not made as its program makes it.
        """
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise UserError(
                f"{self.location} can't be read: {error}. Open it in its own program, which may "
                "repair it, and try again."
            ) from error


def _is_plain(sql: object) -> bool:
    """Whether a table is one that this file holds, not one that a program makes up."""
    return not str(sql or "").lstrip().upper().startswith("CREATE VIRTUAL")


def tables_of(path: Path) -> frozenset[str]:
    """The tables that a database file has, read without a lock or a trace; none where it has none.

    What is only in its write-ahead log is not seen: good enough to tell whose file it is.
    """
    try:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return frozenset(str(row[0]) for row in found)
    except (sqlite3.Error, ValueError):
        return frozenset()


def refuse_damaged(path: Path) -> None:
    """Refuse a file that begins as a database and can't be read as one, as when it was cut off.

    Raises:
        UserError: it is damaged, and no log lies beside it that may hold what is missing.
    """
    try:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as error:
        broken = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        if broken and not any(path.with_name(path.name + end).exists() for end in _LOGS):
            raise UserError(
                f"{path} is a damaged database: part of it is missing or was overwritten. Close "
                "the program that it belongs to, and copy it again or export from there."
            ) from error
    except ValueError:
        return


@contextmanager
def private_copy(path: Path, tick: Callable[[], None] = lambda: None) -> Iterator[ForeignDatabase]:
    """A copy of a database and its log, whole and checked; gone at the end of the block.

    Args:
        path: the database.
        tick: called now and then while it is copied; may raise to cancel.

    Raises:
        UserError: the file can't be read, is damaged, or was written to while it was copied.
        EnvironmentFault: there is no room for the copy.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix="litscape-", ignore_cleanup_errors=True)
    except OSError as error:
        reason = error.strerror or error
        raise EnvironmentFault(f"No temporary folder can be made: {reason}.") from error
    with folder as name, closing(_whole(path, Path(name), tick)) as connection:
        yield ForeignDatabase(connection, path)


def _whole(path: Path, folder: Path, tick: Callable[[], None]) -> sqlite3.Connection:
    trouble = ""
    for attempt in range(_TRIES):
        place = folder / str(attempt)
        place.mkdir()
        steady = _copied(path, place, tick)
        tick()
        connection, trouble = _checked(place / path.name)
        if connection is not None and steady:
            return connection
        if connection is not None:
            connection.close()
        shutil.rmtree(place, ignore_errors=True)
    if trouble:
        raise UserError(
            f"{path} is damaged or was being written while it was copied ({trouble}). "
            "Close the program that it belongs to and try again."
        )
    raise UserError(
        f"{path} was written to while it was copied, twice. Wait until the program that it belongs "
        "to has finished, or close it, and try again."
    )


def _copied(path: Path, folder: Path, tick: Callable[[], None]) -> bool:
    """Copy the file and its logs; whether they stayed the same meanwhile."""
    files = [path, *(path.with_name(path.name + end) for end in _LOGS)]
    try:
        before = [_stamp(file) for file in files]
        if before[0] is None:
            raise UserError(f"There is no file {path}.")
        for file, stamp in zip(files, before, strict=True):
            if stamp is not None:
                with file.open("rb") as source, (folder / file.name).open("wb") as copy:
                    while part := source.read(_PART):
                        copy.write(part)
                        tick()
                _forget_others(folder / file.name)
        return before == [_stamp(file) for file in files]
    except FileNotFoundError:
        return False  # a log that its program has just folded back
    except PermissionError as error:
        raise UserError(f"{error.filename} can't be read: permission denied.") from error
    except OSError as error:
        raise EnvironmentFault(
            f"{path} could not be copied to a temporary folder to be read: "
            f"{error.strerror or error}."
        ) from error


def _forget_others(log: Path) -> None:
    """Take the name of another file off the end of a copied journal.

    SQLite takes such a file for the list of a transaction over several databases, and deletes it
    when it rolls back. It may be named at will, and no database that is read here has others.
    """
    if not log.name.endswith("-journal"):
        return
    with log.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        while size >= len(_JOURNAL_MAGIC):
            size -= len(_JOURNAL_MAGIC)
            file.seek(size)
            if file.read(len(_JOURNAL_MAGIC)) != _JOURNAL_MAGIC:
                return
            file.truncate(size)


def _stamp(file: Path) -> tuple[int, int] | None:
    """Size and time of a file; None where there is none, or a pipe or device in its place."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def _checked(copy: Path) -> tuple[sqlite3.Connection | None, str]:
    """A connection to a sound copy, or what is wrong with it."""
    connection = sqlite3.connect(copy, isolation_level=None, check_same_thread=False)
    try:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        connection.execute("PRAGMA trusted_schema = OFF")
        # Rolls back or takes in what the logs hold, in the copy.
        said = connection.execute("PRAGMA quick_check(1)").fetchone()
        connection.execute("PRAGMA query_only = ON")
    except sqlite3.Error as error:
        connection.close()
        return None, str(error)
    if said is None or said[0] != "ok":
        connection.close()
        return None, str(said[0] if said else "no answer")
    return connection, ""
