"""Backups: a copy of the library file made while others go on using it, and the way back."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault
from litscape.store.faults import BACKUPS

if TYPE_CHECKING:
    from pathlib import Path


def dated_backup(folder: Path, reason: str) -> Path:
    """A free name for a backup of the library in a folder, ``backups/<date>-<reason>.sqlite``."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    names = [f"{stamp}-{reason}.sqlite", *(f"{stamp}-{reason}-{n}.sqlite" for n in range(2, 1000))]
    return next(path for name in names if not (path := folder / BACKUPS / name).exists())


def copy_database(source: sqlite3.Connection, target: Path) -> None:
    """Copy a database, as of one moment, into a new file that appears only when it is whole.

    Raises:
        EnvironmentFault: the place can't be written, or the disk is full.
    """
    partial = target.with_name(target.name + ".part")
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
        partial.unlink(missing_ok=True)
        raise EnvironmentFault(
            f"The backup {target} can't be written ({error}); "
            "check the folder's permissions and the free space."
        ) from error
