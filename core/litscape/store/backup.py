"""Backups: a copy of the library file made while others go on using it, and the way back."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault, LibraryBusyError, UserError
from litscape.store import places
from litscape.store.faults import sorted_faults
from litscape.store.files import address, check_header, connect, copy_database
from litscape.store.migrations import known_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.store.database import Database

_SUFFIX = ".sqlite"


def backup(database: Database, dest: Path | None = None, *, replace: bool = False) -> Path:
    """Copy the library file, as of now, while everybody goes on working.

    Vectors and indexes are not in it: they can be made again.

    Args:
        database: the open library.
        dest: a folder, made where it is missing (the file in it gets a dated name), or a file
            ending in ``.sqlite``; default: the library's ``backups``.
        replace: write over an older backup even when that one holds more papers.

    Returns:
        The file written.

    Raises:
        UserError: ``dest`` is the library itself, something else than a backup, or a fuller one.
        EnvironmentFault: the place can't be written, or the disk is full.
    """
    target = _target(database.folder, dest)
    if target.exists():
        _check_replaceable(database, target, replace=replace)
    with sorted_faults(database.file), closing(database.connect()) as source:
        copy_database(source, target)
    return target


def _target(folder: Path, dest: Path | None) -> Path:
    if dest is None:
        return places.free_name(folder / places.BACKUPS, "backup")
    dest = Path(dest).expanduser().absolute()
    if dest.is_dir() or (dest.suffix != _SUFFIX and not dest.exists()):
        if dest.resolve() == folder.resolve():
            dest = folder / places.BACKUPS
        return places.free_name(dest, folder.name)
    return dest


def _check_replaceable(database: Database, target: Path, *, replace: bool) -> None:
    if target.samefile(database.file):
        raise UserError(f"{target} is the library itself; name another place for its backup.")
    try:
        there = papers_in(target)
    except EnvironmentFault as error:
        raise UserError(
            f"{target} is there already and is no backup of a library; name another file."
        ) from error
    with database.read() as conn:
        here = conn.exec_driver_sql("SELECT count(*) FROM papers").scalar_one()
    if there > here and not replace:
        raise UserError(
            f"The backup {target} holds {there:,} papers, the library only {here:,}; "
            "name another file, or say that the fuller one may be replaced."
        )


def papers_in(file: Path) -> int:
    """How many papers a backup holds, the trash included.

    Raises:
        EnvironmentFault: it is damaged, foreign or can't be read.
        NewerLibraryError: a later release of the program wrote it.
    """
    with _opened(file) as connection:
        found: int = connection.execute("SELECT count(*) FROM papers").fetchone()[0]
        return found


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """A backup open for reading, after a look whether it is one."""
    try:
        check_header(file)
    except OSError as error:
        raise EnvironmentFault(
            f"The backup {file} can't be read ({error.strerror}); check its name and permissions."
        ) from error
    immutable = address(file, "immutable=1")
    with sorted_faults(file), closing(connect(immutable, 0)) as connection:
        if known_version(connection, file) == 0:
            raise EnvironmentFault(f"The file {file} is empty; name another backup.")
        yield connection


def restore_backup(folder: Path, file: Path) -> Path | None:
    """Put a backup in the place of the library in a folder, which must not be open anywhere.

    What stood there is kept in ``backups/replaced``. Vectors made since the backup are forgotten
    (they are made again), all others stay in use.

    Args:
        folder: the library's folder; made when missing.
        file: the backup.

    Returns:
        Where the replaced library file is kept; None where there was none.

    Raises:
        NewerLibraryError: a later release of the program wrote the backup.
        LibraryBusyError: the library is open in some program.
        EnvironmentFault: the backup is damaged, or the folder can't be written.
    """
    folder, file = Path(folder).expanduser().absolute(), Path(file).expanduser().absolute()
    target = folder / places.FILE
    if file == target:
        raise UserError(f"{file} is the library itself; name one of its backups.")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file; a library is a folder, name that.")
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    part = target.with_name(target.name + ".part")
    try:
        with _opened(file) as source:
            _check_whole(source, file)
            folder.mkdir(parents=True, exist_ok=True)
            copy_database(source, part)
        kept = _replace(target, part) if target.exists() else _put(target, part, None)
    except OSError as error:
        raise EnvironmentFault(
            f"The library in {folder} can't be replaced ({error.strerror}); "
            "check the folder's permissions and the free space."
        ) from error
    finally:
        part.unlink(missing_ok=True)
        if not target.exists():  # what failed leaves no empty folder behind
            with suppress(OSError):
                for one in made:
                    one.rmdir()
    return kept


def _check_whole(connection: sqlite3.Connection, file: Path) -> None:
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise EnvironmentFault(f"The backup {file} is damaged ({found}); use an older one.")


def _replace(target: Path, part: Path) -> Path | None:
    """Put a copy in the place of a library file that nobody else has open; returns what is kept.

    SQLite writes it over the old one as one transaction, and nobody gets in between the copy that
    is kept and that. Were another file put there instead, a program that opened the old one
    meanwhile would go on writing to what is gone.
    """
    kept = places.free_name(target.parent / places.BACKUPS / "replaced", "replaced")
    with closing(connect(address(target, "mode=rw"), 0)) as connection:
        try:
            _keep_out_others(connection)
            copy_database(connection, kept)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise LibraryBusyError(
                    f"The library in {target.parent} is open; close it everywhere, then restore."
                ) from error
        else:
            _forget_newer_vectors(part, kept)
            with closing(connect(address(part, "mode=ro"), 0)) as source:
                source.backup(connection)
            return kept
    return _put(target, part, _kept_as_it_is(target, kept))


def _keep_out_others(connection: sqlite3.Connection) -> None:
    """Hold a file alone until the connection ends, its log folded back into it."""
    connection.execute("PRAGMA journal_mode = DELETE")  # refused while anybody else has it open
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("COMMIT")  # in this mode the lock stays


def _kept_as_it_is(target: Path, kept: Path) -> Path:
    """Copy what SQLite can't read, byte for byte."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(target, kept)
    if places.log_of(target).exists():
        shutil.copy2(places.log_of(target), places.log_of(kept))
    return kept


def _put(target: Path, part: Path, kept: Path | None) -> Path | None:
    """Make a copy the library file, where there is none or a damaged one; returns ``kept``."""
    _forget_newer_vectors(part, kept)
    for helper in (places.log_of(target), target.with_name(target.name + "-shm")):
        helper.unlink(missing_ok=True)  # a log of the old file would be applied to the new one
    os.replace(part, target)
    return kept


def _forget_newer_vectors(restored: Path, replaced: Path | None) -> None:
    """Keep only what both files say about rows of the vector files: other rows may be reused."""
    with sorted_faults(restored), closing(connect(address(restored, "mode=rw"), 0)) as connection:
        same = "0"
        if replaced is not None:
            try:
                connection.execute("ATTACH ? AS old", (address(replaced, "mode=ro"),))
                connection.execute("SELECT count(*) FROM old.vector_rows")
                same = (
                    "EXISTS (SELECT 1 FROM old.vector_rows o"
                    " JOIN old.models om ON om.id = o.model_id"
                    " JOIN main.models m ON m.version = om.version WHERE m.id = v.model_id"
                    " AND o.paper_id = v.paper_id AND o.row = v.row"
                    " AND o.fingerprint = v.fingerprint)"
                )
            except sqlite3.DatabaseError:
                same = "0"  # damaged: nothing can be told about its vectors
        connection.execute(f"DELETE FROM vector_rows AS v WHERE NOT {same}")
