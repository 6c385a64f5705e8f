"""The text of PDFs: a database of its own beside the library's, which can be made again.

It knows files and their pages, not papers: whose a file is, the library says when it is asked. So
it follows papers that are trashed, deleted, merged or brought back without being told.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import zlib
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault, LibraryBusyError, LitscapeError
from litscape.sorting import search_letters
from litscape.store import places
from litscape.store.files import address, has_log

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_VERSION = 1
_APPLICATION_ID = 0x4C697466  # "Litf"
PAGE_BITS = 12
"""A page's number is its document's, shifted by so many bits, and its place in that."""
_BUSY_SECONDS = 10.0
_IDLE = 2
_SCHEMA = """
CREATE TABLE documents (                      -- a text, whatever files have it
  id INTEGER PRIMARY KEY AUTOINCREMENT,       -- never used twice: pages refer to it
  digest BLOB NOT NULL UNIQUE,                -- of the file's content
  pages INTEGER NOT NULL,                     -- that the file has
  read INTEGER NOT NULL,                      -- that were read
  bare INTEGER NOT NULL                       -- of these, without text
);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  location TEXT NOT NULL UNIQUE,              -- whole path
  size INTEGER, changed INTEGER,              -- bytes, and time of the last change in nanoseconds
  document INTEGER REFERENCES documents(id),
  problem TEXT                                -- why it has no text, one sentence
);
CREATE INDEX files_document ON files(document);
CREATE TABLE places (                         -- paths as the library has them
  path TEXT NOT NULL, start TEXT NOT NULL,    -- the source's folder that it starts from, or nothing
  file INTEGER NOT NULL REFERENCES files(id),
  PRIMARY KEY (path, start)
) WITHOUT ROWID;
CREATE INDEX places_file ON places(file);
CREATE TABLE pages (id INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(
  text, content='', tokenize='porter unicode61 remove_diacritics 2'
);
"""


class DamagedTextError(LitscapeError):
    """The text of PDFs is damaged; it is made again when it is built."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file as it was when it was read last.

    Attributes:
        id: its number.
        location: whole path.
        size: bytes; None where there was no file.
        changed: nanoseconds.
        document: its text's number; None where it has none.
        problem: why it has none.
    """

    id: int
    location: str
    size: int | None
    changed: int | None
    document: int | None
    problem: str | None


class TextCache:
    """Connections to one library's text of PDFs. Making one reads nothing."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / places.FULLTEXT
        self._lock = threading.Lock()
        self._idle: list[tuple[tuple[int, int], sqlite3.Connection]] = []

    @property
    def exists(self) -> bool:
        """Whether any text was read."""
        return self.file.exists()

    @property
    def bytes(self) -> int:
        """How large it is on disk."""
        total = 0
        for one in (self.file, places.log_of(self.file)):
            with suppress(OSError):
                total += one.stat().st_size
        return total

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one state; the file must be there.

        Raises:
            DamagedTextError: what is in it can't be read.
            EnvironmentFault: the file can't be opened.
        """
        with self._faults():
            mark, connection = self._borrow()
            try:
                connection.execute("BEGIN")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            with self._lock:
                if len(self._idle) < _IDLE:
                    self._idle.append((mark, connection))
                    return
            connection.close()

    def _borrow(self) -> tuple[tuple[int, int], sqlite3.Connection]:
        found = os.stat(self.file)
        mark = (found.st_dev, found.st_ino)
        with self._lock:
            stale = [one for one in self._idle if one[0] != mark]
            self._idle = [one for one in self._idle if one[0] == mark]
            known = self._idle.pop() if self._idle else None
        for _mark, connection in stale:
            connection.close()
        return known or (mark, self._open_to_read())

    def _open_to_read(self) -> sqlite3.Connection:
        try:
            return self._opened("mode=ro")
        except sqlite3.OperationalError as error:
            code = error.sqlite_errorcode & 0xFF
            if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
            if has_log(self.file):
                raise
            # The log needs helper files; where they can't be made, nobody writes either.
            return self._opened("immutable=1")

    def _opened(self, query: str) -> sqlite3.Connection:
        connection = _connect(address(self.file, query))
        try:
            connection.execute("PRAGMA query_only = ON")
            if _version(connection) != _VERSION:
                raise DamagedTextError(_damaged(self.file))
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A connection for writing, the file made where it is missing; see :func:`transaction`.

        Raises:
            DamagedTextError: what is in it can't be read.
            LibraryBusyError: another program writes to it.
            EnvironmentFault: the disk is full, or the folder can't be written.
        """
        with self._faults(), closing(_connect(address(self.file, "mode=rwc"))) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            # What a loss of power takes is read again.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA journal_size_limit = 16777216")
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                with transaction(connection):
                    for statement in _SCHEMA.split(";\n"):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                    connection.execute(f"PRAGMA user_version = {_VERSION}")
            elif _version(connection) != _VERSION:
                raise DamagedTextError(_damaged(self.file))
            yield connection

    def check(self) -> None:
        """Read the file whole, where it is there.

        Raises:
            DamagedTextError: it is damaged.
            EnvironmentFault: it can't be read or written.
        """
        if not self.exists:
            return
        with self.write() as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise DamagedTextError(_damaged(self.file))
            connection.execute("INSERT INTO words(words) VALUES ('integrity-check')")

    def clear(self) -> None:
        """Remove the text of all PDFs.

        Raises:
            EnvironmentFault: the file can't be removed.
        """
        self.close()
        try:
            for one in (
                self.file,
                places.log_of(self.file),
                self.file.with_name(f"{self.file.name}-shm"),
            ):
                one.unlink(missing_ok=True)
        except OSError as error:
            raise EnvironmentFault(
                f"The text of PDFs in {self.file} can't be removed ({error.strerror}); close other "
                "programs that use this library, and check the folder's permissions."
            ) from error

    def close(self) -> None:
        """Close all connections that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _mark, connection in idle:
            connection.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise EnvironmentFault(
                f"The text of PDFs in {self.file} can't be read ({error.strerror})."
            ) from error
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def _fault(self, error: sqlite3.Error) -> Exception:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return DamagedTextError(_damaged(self.file))
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return LibraryBusyError(
                f"Another program writes the text of PDFs in {self.file}; try again in a moment."
            )
        known = (
            sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY,
            sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN,
        )  # fmt: skip
        if code not in known:
            return error
        return EnvironmentFault(
            f"The text of PDFs in {self.file} can't be written ({error}); check the folder's "
            "permissions and the free space."
        )


def _damaged(file: Path) -> str:
    return f"The text of PDFs in {file} is damaged; build the full text, and it is made anew."


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(
        uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    owner: int = connection.execute("PRAGMA application_id").fetchone()[0]
    return version if owner == _APPLICATION_ID else 0


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of the block, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


# -- files and places ----------------------------------------------------------------------------


def known_files(connection: sqlite3.Connection) -> dict[str, KnownFile]:
    """The files that were looked at, by whole path."""
    rows = connection.execute("SELECT id, location, size, changed, document, problem FROM files")
    return {row[1]: KnownFile(*row) for row in rows}


def keep_places(
    connection: sqlite3.Connection, wanted: Mapping[tuple[str, str], str]
) -> dict[str, KnownFile]:
    """Know these paths and starts with their locations, and no others; the files after that."""
    connection.execute("DELETE FROM places")
    locations = dict.fromkeys(wanted.values())
    connection.executemany(
        "INSERT OR IGNORE INTO files(location) VALUES (?)", [(one,) for one in locations]
    )
    connection.executemany(
        "INSERT INTO places(path, start, file)"
        " VALUES (?, ?, (SELECT id FROM files WHERE location = ?))",
        [(*key, location) for key, location in wanted.items()],
    )
    connection.execute("DELETE FROM files WHERE id NOT IN (SELECT file FROM places)")
    drop_unused(connection)
    return known_files(connection)


def set_file(
    connection: sqlite3.Connection,
    location: str,
    size: int | None,
    changed: int | None,
    document: int | None = None,
    problem: str | None = None,
) -> None:
    """Note what a file is now: its text, or why it has none."""
    connection.execute(
        "UPDATE files SET size = ?, changed = ?, document = ?, problem = ? WHERE location = ?",
        (size, changed, document, problem, location),
    )


# -- documents -----------------------------------------------------------------------------------


def document_of(connection: sqlite3.Connection, digest: bytes) -> int | None:
    """The text of a file with such content, where it was read."""
    row = connection.execute("SELECT id FROM documents WHERE digest = ?", (digest,)).fetchone()
    return None if row is None else int(row[0])


def add_document(
    connection: sqlite3.Connection, digest: bytes, total: int, pages: Sequence[str]
) -> int:
    """Take in a text; its number."""
    bare = sum(not page for page in pages)
    document = connection.execute(
        "INSERT INTO documents(digest, pages, read, bare) VALUES (?, ?, ?, ?)",
        (digest, total, len(pages), bare),
    ).lastrowid
    assert document is not None
    numbered = [(document << PAGE_BITS | n, page) for n, page in enumerate(pages) if page]
    connection.executemany(
        "INSERT INTO pages(id, text) VALUES (?, ?)",
        [(number, zlib.compress(page.encode())) for number, page in numbered],
    )
    connection.executemany(
        "INSERT INTO words(rowid, text) VALUES (?, ?)",
        [(number, search_letters(page)) for number, page in numbered],
    )
    return document


def drop_unused(connection: sqlite3.Connection) -> None:
    """Remove texts that no file has any more."""
    unused = connection.execute(
        "SELECT id FROM documents WHERE id NOT IN"
        " (SELECT document FROM files WHERE document IS NOT NULL)"
    ).fetchall()
    for (document,) in unused:
        first, last = document << PAGE_BITS, (document + 1) << PAGE_BITS
        pages = connection.execute(
            "SELECT id, text FROM pages WHERE id >= ? AND id < ?", (first, last)
        ).fetchall()
        connection.executemany(
            "INSERT INTO words(words, rowid, text) VALUES ('delete', ?, ?)",
            [(number, search_letters(unpacked(text))) for number, text in pages],
        )
        connection.execute("DELETE FROM pages WHERE id >= ? AND id < ?", (first, last))
        connection.execute("DELETE FROM documents WHERE id = ?", (document,))


def unpacked(text: bytes) -> str:
    """A page's text.

    Raises:
        DamagedTextError: it can't be unpacked.
    """
    try:
        return zlib.decompress(text).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise DamagedTextError("The text of a PDF is damaged; build the full text anew.") from error
