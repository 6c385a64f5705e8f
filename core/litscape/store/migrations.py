"""Making, checking and upgrading a library file before it is used.

``PRAGMA user_version`` holds the schema's number. All steps of :data:`MIGRATIONS` that a file needs
run in one transaction, after a backup.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from litscape.errors import EnvironmentFault, NewerLibraryError, UserError
from litscape.store import places
from litscape.store.faults import broken, sorted_faults
from litscape.store.files import address, check_header, connect, copy_database, has_log, is_writable
from litscape.store.upgrades import MIGRATIONS, Migration, statements

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

APPLICATION_ID = 0x4C697473  # "Lits": tells a library from any other SQLite file


class Prepared(NamedTuple):
    """A library file that can be connected to.

    Attributes:
        uri: its address.
        made: whether this call made the library, and nobody else.
    """

    uri: str
    made: bool


def schema_version(migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """The number of the schema that this program writes."""
    return 1 + len(migrations)


def prepare(
    file: Path,
    *,
    read_only: bool,
    create: bool,
    busy_seconds: float,
    migrations: Sequence[Migration] = MIGRATIONS,
) -> Prepared:
    """Make, check or upgrade a library file, so that it can be connected to.

    Raises:
        UserError, NewerLibraryError, LibraryBusyError, EnvironmentFault: as ``Database.open``.
    """
    try:
        there = file.exists()
        empty = there and file.stat().st_size == 0
        if there:
            check_header(file)
            if not read_only and not (is_writable(file) and is_writable(file.parent)):
                raise EnvironmentFault(
                    f"The library in {file.parent} can't be written (read-only file, folder or "
                    "disk); open it for reading only, or work on a copy."
                )
        elif read_only or not create:
            raise UserError(
                f"There is no library in {file.parent}; make one first, or name another folder."
            )
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentFault(
            f"The library in {file.parent} can't be opened ({error.strerror}); "
            "check the folder's permissions."
        ) from error
    if empty and (read_only or _was_used(file.parent)):
        raise broken(file, "is empty")
    with sorted_faults(file):
        if read_only:
            return Prepared(_prepare_reading(file, busy_seconds, migrations), made=False)
        made = _prepare_writing(file, busy_seconds, migrations)
    if not file.exists():  # who had made it took it away again meanwhile, unused
        return prepare(
            file,
            read_only=read_only,
            create=create,
            busy_seconds=busy_seconds,
            migrations=migrations,
        )
    # rw: what vanishes from now on is a fault, not something to be made anew without its tables
    return Prepared(address(file, "mode=rw"), made)


def _was_used(folder: Path) -> bool:
    return any((folder / name).exists() for name in (places.BACKUPS, "vectors"))


def _prepare_writing(file: Path, busy_seconds: float, migrations: Sequence[Migration]) -> bool:
    with closing(connect(address(file, "mode=rwc"), busy_seconds)) as connection:
        version = known_version(connection, file, migrations)
        connection.execute("PRAGMA journal_mode = WAL")
        if version == 0:
            return _create(connection, migrations)
        if version < schema_version(migrations):
            copy_database(
                connection, places.free_name(file.parent / places.BACKUPS, f"schema-{version}")
            )
            _upgrade(connection, file, migrations)
    return False


def _prepare_reading(file: Path, busy_seconds: float, migrations: Sequence[Migration]) -> str:
    uri = address(file, "mode=ro")
    try:
        with closing(connect(uri, busy_seconds)) as connection:
            version = known_version(connection, file, migrations)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        # A WAL file needs its two helper files beside it; where they can't be made, nobody can be
        # writing there either, so the file may be read as if it never changed.
        if has_log(file):
            raise EnvironmentFault(
                f"The library in {file.parent} was not closed properly and its folder can't be "
                "written; copy the whole folder to a place of your own and open it there."
            ) from error
        uri = address(file, "immutable=1")
        with closing(connect(uri, busy_seconds)) as connection:
            version = known_version(connection, file, migrations)
    if version < schema_version(migrations):
        raise EnvironmentFault(
            f"The library in {file.parent} has an older form and can't be upgraded while it is "
            "open for reading only; open it once where it can be written."
        )
    return uri


def known_version(
    connection: sqlite3.Connection, file: Path, migrations: Sequence[Migration] = MIGRATIONS
) -> int:
    """The file's schema number, 0 for a file without any table.

    Raises:
        EnvironmentFault: it is no library.
        NewerLibraryError: a later release of the program wrote it.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    owner: int = connection.execute("PRAGMA application_id").fetchone()[0]
    tables: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables == 0:
        return 0
    if owner != APPLICATION_ID or version == 0:
        raise broken(file, "is no Litscape library")
    if version > schema_version(migrations):
        raise NewerLibraryError(
            f"The library in {file.parent} was written by a later release of Litscape "
            f"(schema {version}, this one knows {schema_version(migrations)}); "
            "update the program to open it."
        )
    return version


def _create(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> bool:
    script = files("litscape.store").joinpath("schema.sql").read_text("utf-8")
    connection.execute("BEGIN IMMEDIATE")
    try:
        made: bool = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if made:
            for statement in statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {schema_version(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
    return made


def _upgrade(connection: sqlite3.Connection, file: Path, migrations: Sequence[Migration]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = known_version(
            connection, file, migrations
        )  # another program may have been faster
        for step in migrations[version - 1 :]:
            step(connection)
        connection.execute(f"PRAGMA user_version = {schema_version(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
