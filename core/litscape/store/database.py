"""One library's SQLite file: connections for reading on any thread, one writer at a time."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import sqlalchemy as sa
from sqlalchemy.pool import QueuePool

from litscape.errors import EnvironmentFault, LibraryBusyError, UserError
from litscape.store.faults import sorted_faults
from litscape.store.functions import add_functions
from litscape.store.in_use import note_closed, note_opened
from litscape.store.migrations import Prepared, prepare
from litscape.store.places import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

BUSY_SECONDS = 5.0
_WRITER_CACHE_KIB = 128 * 1024
_READER_CACHE_KIB = 16 * 1024


class Database:
    """An open library file.

    ``read()`` gives a snapshot and never waits; ``write()`` is one transaction. Both may be used
    from any thread. Other programs may have the same library open.

    Attributes:
        made: whether opening made the library here, and nobody else.
    """

    def __init__(
        self, folder: Path, *, read_only: bool, busy_seconds: float, prepared: Prepared
    ) -> None:
        self.folder = folder
        self.file = folder / FILE
        self.read_only = read_only
        self._busy_seconds = busy_seconds
        self._uri, self.made = prepared
        self._write_lock = threading.Lock()
        self._writer: int | None = None
        self._readers = self._engine("BEGIN", writable=False)
        self._writers = self._engine("BEGIN IMMEDIATE", writable=True)
        self._poll_lock = threading.Lock()
        self._poll: sqlite3.Connection | None = None
        self._closed = False
        self._noted: tuple[int, int] | None = note_opened(self.file)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        read_only: bool = False,
        create: bool = True,
        busy_seconds: float = BUSY_SECONDS,
    ) -> Database:
        """Open the library in a folder, making or upgrading it where that is needed.

        Args:
            folder: the library's folder; made when missing.
            read_only: change nothing, not even the schema; works in a folder without write access.
            create: whether to make a library where there is none.
            busy_seconds: how long a write waits for another program's.

        Raises:
            UserError: there is no library, and none is to be made.
            NewerLibraryError: a later release of the program wrote it.
            LibraryBusyError: another program is writing and does not end.
            EnvironmentFault: the file is damaged, foreign, or can't be read or written.
        """
        folder = Path(folder).expanduser().absolute()
        if folder.exists() and not folder.is_dir():
            raise UserError(f"{folder} is a file; a library is a folder, name that.")
        prepared = prepare(
            folder / FILE, read_only=read_only, create=create, busy_seconds=busy_seconds
        )
        return cls(folder, read_only=read_only, busy_seconds=busy_seconds, prepared=prepared)

    def connect(self, *, writable: bool = False) -> sqlite3.Connection:
        """A driver's connection of one's own, to be closed before the library is."""
        connection = sqlite3.connect(
            self._uri,
            uri=True,
            timeout=self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            configure(connection, writable=writable)
        except BaseException:
            connection.close()
            raise
        return connection

    def _engine(self, begin: str, *, writable: bool) -> sa.Engine:
        # The driver's own transactions are off (isolation_level=None): with them, DDL of a failed
        # transaction stays behind. SQLAlchemy's begin event starts ours instead.
        engine = sa.create_engine(
            "sqlite+pysqlite://",
            creator=lambda: self.connect(writable=writable),
            poolclass=QueuePool,
            pool_size=1 if writable else 4,
            max_overflow=0 if writable else 64,
            pool_reset_on_return=None,
        )

        @sa.event.listens_for(engine, "begin")
        def _begin(connection: sa.Connection) -> None:
            connection.exec_driver_sql(begin)

        return engine

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A connection that sees one state of the library, whoever writes meanwhile.

        Writing through it is an error. Keep the block short: while it lasts, the write-ahead log
        can't be folded back.
        """
        self._check_open()
        with sorted_faults(self.file), self._borrowed(self._readers) as connection:
            yield connection

    def check_writable(self) -> None:
        """Raise before long work whose result could not be kept.

        Raises:
            EnvironmentFault: the library is open for reading only.
        """
        self._check_open()
        if self.read_only:
            raise EnvironmentFault(
                f"The library in {self.folder} is open for reading only; open it where it can be "
                "written, or work on a copy."
            )

    @contextmanager
    def write(self, *, cascades: bool = True) -> Iterator[sa.Connection]:
        """A connection with one transaction: committed at the end, undone on an exception.

        Args:
            cascades: whether the database itself removes what belongs to a removed row. To look
                for that, row by row in every table, is most of the time that a removal takes: who
                removes it otherwise can do without.

        Raises:
            LibraryBusyError: another program (or thread) is writing and does not end.
            EnvironmentFault: the disk is full, or the library can't be written.
        """
        self.check_writable()
        me = threading.get_ident()
        if self._writer == me:
            raise RuntimeError("write() inside write() on one thread")
        # Our own threads queue here, fairly and long; the busy timeout is for other programs.
        if not self._write_lock.acquire(timeout=max(30.0, self._busy_seconds)):
            raise LibraryBusyError(
                f"The library in {self.folder} is being written by another task; "
                "try again when that is done."
            )
        self._writer = me
        try:
            self._check_open()
            with (
                sorted_faults(self.file),
                self._borrowed(self._writers) as connection,
                _without_cascades(connection, off=not cascades),
                connection.begin(),
            ):
                yield connection
        finally:
            self._writer = None
            self._write_lock.release()

    @contextmanager
    def _borrowed(self, engine: sa.Engine) -> Iterator[sa.Connection]:
        try:
            with engine.connect() as connection:
                yield connection
        finally:
            if self._closed:  # closed meanwhile by another thread: this one comes back last
                engine.pool.dispose()

    def data_version(self) -> int:
        """A number that differs from the last one after any commit by anybody.

        Raises:
            EnvironmentFault: the library can't be read any more.
        """
        self._check_open()
        with self._poll_lock, sorted_faults(self.file):
            if self._poll is None:
                self._poll = self.connect()
            version: int = self._poll.execute("PRAGMA data_version").fetchone()[0]
            return version

    def _check_open(self) -> None:
        if self._closed:
            raise UserError(f"The library in {self.folder} has been closed; open it again.")

    def close(self) -> None:
        """Close every connection; those in use close when their block ends."""
        self._closed = True
        with self._poll_lock:
            if self._poll is not None:
                self._poll.close()
                self._poll = None
        self._readers.pool.dispose()
        self._writers.pool.dispose()
        noted, self._noted = self._noted, None
        if noted is not None:
            note_closed(noted)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def configure(connection: sqlite3.Connection, *, writable: bool) -> None:
    """Set what each connection needs: keys enforced, durable commits, functions."""
    add_functions(connection)
    connection.execute("PRAGMA foreign_keys = ON")
    # FULL: a commit survives a power cut; NORMAL could lose the last ones.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA temp_store = MEMORY")
    cache = _WRITER_CACHE_KIB if writable else _READER_CACHE_KIB
    connection.execute(f"PRAGMA cache_size = -{cache}")
    if writable:
        connection.execute("PRAGMA journal_size_limit = 67108864")
    else:
        connection.execute("PRAGMA query_only = ON")


@contextmanager
def _without_cascades(connection: sa.Connection, *, off: bool) -> Iterator[None]:
    """Turn foreign keys off around a transaction; within one that is not possible."""
    driver = connection.connection.driver_connection
    if not off or not isinstance(driver, sqlite3.Connection):
        yield
        return
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys = ON")
