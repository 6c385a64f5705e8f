"""Taking a library away that was made and never used."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from litscape.store.files import address, connect
from litscape.store.places import FILE

if TYPE_CHECKING:
    from pathlib import Path

_OWN = ("settings", "models")
"""Tables in which the program itself may note things."""
_HELPERS = ("-journal", "-wal", "-shm")


def remove_unused(folder: Path) -> bool:
    """Remove a library file in which nothing ever was, and which nobody else has open.

    Both are made sure of under a lock that keeps everybody out until the file is gone. In any
    doubt it stays.

    Returns:
        Whether the file was removed.
    """
    file = folder / FILE
    try:
        with closing(connect(address(file, "mode=rw"), 0)) as connection:
            # Leaving WAL is refused while anybody else is connected.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
            if not _is_empty(connection):
                connection.rollback()
                connection.execute("PRAGMA journal_mode = WAL")
                return False
            if os.name == "posix":
                return _remove(file)
        return _remove(file)  # where an open file can't be removed, neither can another's
    except sqlite3.Error:
        return False


def _is_empty(connection: sqlite3.Connection) -> bool:
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'papers_fts%'"
        " AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    return not any(
        connection.execute(f'SELECT EXISTS (SELECT 1 FROM "{name}")').fetchone()[0]
        for (name,) in tables
        if name not in _OWN
    )


def _remove(file: Path) -> bool:
    with suppress(OSError):
        file.unlink()
        for end in _HELPERS:
            file.with_name(file.name + end).unlink(missing_ok=True)
        return True
    return False
