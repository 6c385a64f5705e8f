"""Named leases: one long writer of a kind at a time, whichever program it runs in."""

from __future__ import annotations

import os
import socket
import sys
import threading
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Self

from litscape.errors import LibraryBusyError, LitscapeError
from litscape.store.bulk import now

if TYPE_CHECKING:
    from types import TracebackType

    import sqlalchemy as sa

    from litscape.store.database import Database

BEAT_SECONDS = 10.0
STALE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class _Owner:
    """Who holds a lease, as stored: ``host pid token``."""

    host: str
    pid: int
    token: str

    @classmethod
    def me(cls) -> _Owner:
        return cls(socket.gethostname() or "localhost", os.getpid(), uuid.uuid4().hex)

    @classmethod
    def parse(cls, text: str) -> _Owner:
        host, pid, token = text.rsplit(" ", 2)
        return cls(host, int(pid), token)

    def __str__(self) -> str:
        return f"{self.host} {self.pid} {self.token}"

    def is_gone(self) -> bool:
        """Whether its process surely ended; unknown (another machine, Windows) is False."""
        if self.host != (socket.gethostname() or "localhost") or sys.platform == "win32":
            return False  # on Windows os.kill would end the process, so there only beats tell
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False


def held(conn: sa.Connection, name: str) -> bool:
    """Whether a living holder has the lease of that name."""
    row = conn.exec_driver_sql("SELECT owner, beat_at FROM leases WHERE name = ?", (name,)).first()
    return row is not None and not _Owner.parse(row[0]).is_gone() and not _stale(row[1])


class Lease:
    """Holds a name of a library while the ``with`` block lasts.

    A beat in the background shows others that the holder lives. A lease whose process ended, or
    that has not beaten for a minute, is taken over.
    """

    def __init__(
        self, database: Database, name: str, *, beat_seconds: float = BEAT_SECONDS
    ) -> None:
        self._database = database
        self._name = name
        self._owner = _Owner.me()
        self._beat_seconds = beat_seconds
        self._ended = threading.Event()
        self._beater: threading.Thread | None = None
        self._lost = False

    def check(self) -> None:
        """Raise when the lease was taken over, as after a long sleep of the computer.

        Raises:
            LibraryBusyError: another program holds it now.
        """
        if self._lost:
            raise LibraryBusyError(
                f"Another program took over the {self._name} of the library in "
                f"{self._database.folder} while this one did not answer; start it again later."
            )

    def __enter__(self) -> Self:
        with self._database.write() as conn:
            self._take(conn)
        self._beater = threading.Thread(target=self._beat, name=f"lease {self._name}", daemon=True)
        self._beater.start()
        return self

    def _take(self, conn: sa.Connection) -> None:
        row = conn.exec_driver_sql(
            "SELECT owner, taken_at, beat_at FROM leases WHERE name = ?", (self._name,)
        ).first()
        if row is not None:
            owner, taken_at, beat_at = _Owner.parse(row[0]), row[1], row[2]
            if not owner.is_gone() and not _stale(beat_at):
                raise LibraryBusyError(
                    f"Another task (process {owner.pid} on {owner.host}) has held the "
                    f"{self._name} of the library in {self._database.folder} since {taken_at}; "
                    "wait until it is done, or end it."
                )
        stamp = now()
        conn.exec_driver_sql(
            "INSERT OR REPLACE INTO leases(name, owner, taken_at, beat_at) VALUES (?, ?, ?, ?)",
            (self._name, str(self._owner), stamp, stamp),
        )

    def _beat(self) -> None:
        while not self._ended.wait(self._beat_seconds):
            try:
                with self._database.write() as conn:
                    beaten = conn.exec_driver_sql(
                        "UPDATE leases SET beat_at = ? WHERE name = ? AND owner = ?",
                        (now(), self._name, str(self._owner)),
                    ).rowcount
            except LitscapeError:
                continue  # busy or full for now; the next beat may pass, and check() tells a loss
            if beaten == 0:
                self._lost = True
                return

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._beater is not None:
            self._beater.join()
        # A lease that can't be given back now (disk full, library closed) goes stale by itself.
        with suppress(LitscapeError), self._database.write() as conn:
            conn.exec_driver_sql(
                "DELETE FROM leases WHERE name = ? AND owner = ?",
                (self._name, str(self._owner)),
            )


def _stale(beat_at: str) -> bool:
    beaten = datetime.fromisoformat(beat_at)
    return datetime.now(UTC) - beaten > timedelta(seconds=STALE_SECONDS)
