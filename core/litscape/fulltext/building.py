"""Reading PDFs into the text cache: one after the other, each kept as soon as it is read."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.fulltext.plan import linked
from litscape.fulltext.records import TextReport, UnreadFile
from litscape.pdfs.pages import MAX_BYTES, require_library
from litscape.pdfs.reader import PdfReader
from litscape.store import fulltext as store
from litscape.store.fulltext import DamagedTextError, transaction
from litscape.store.fulltext_reads import counts, problems
from litscape.store.leases import Lease

if TYPE_CHECKING:
    import sqlite3

    from litscape.engine.process import Reply
    from litscape.fulltext.plan import Found, Linked
    from litscape.jobs import JobContext
    from litscape.pdfs.reader import PdfText
    from litscape.store.database import Database
    from litscape.store.fulltext import TextCache

LEASE = "full text"


def build(
    database: Database,
    cache: TextCache,
    ctx: JobContext,
    *,
    again: bool = False,
    reader: PdfReader | None = None,
) -> TextReport:
    """Read the PDFs that are new or changed, and forget those that no paper has any more.

    Each file is kept when it is read: cancelling, an error and a crash lose the one at hand.

    Raises:
        EnvironmentFault: the library that reads PDFs is not installed, or the disk is full.
        LibraryBusyError: another program does the same work.
        JobCancelledError: ``ctx`` asked for the end.
    """
    require_library()
    began = time.monotonic()
    with Lease(database, LEASE) as lease, reader or PdfReader() as pdfs:
        ctx.progress(0, None, "Looking for PDFs")
        anew = _sound(cache)
        with database.read() as conn:
            there = linked(conn, database.folder, ctx)
        with cache.write() as connection:
            with transaction(connection):
                known = store.keep_places(connection, there.places)
            run = _Run(connection, there, pdfs, ctx)
            run.go(there.todo(known, again=again), lease)
            with transaction(connection):
                store.drop_unused(connection)
            total = counts(connection)
            unread = unread_files(connection, there)
    return TextReport(
        files=total.files,
        read=run.read,
        known=total.read - run.read,
        pages=run.pages,
        unread=unread,
        anew=anew,
        seconds=time.monotonic() - began,
    )


def unread_files(connection: sqlite3.Connection, there: Linked) -> tuple[UnreadFile, ...]:
    """The files without text whose papers are outside the trash."""
    return tuple(
        UnreadFile(there.papers[location], location, why)
        for _path, location, why in problems(connection)
        if location in there.papers
    )


def _sound(cache: TextCache) -> bool:
    """Make sure that what is there can be used; whether it could not, and was removed."""
    try:
        cache.check()
    except DamagedTextError:
        cache.clear()
        return True
    return False


class _Run:
    """The files of one build."""

    def __init__(
        self, connection: sqlite3.Connection, there: Linked, pdfs: PdfReader, ctx: JobContext
    ) -> None:
        self._connection = connection
        self._there = there
        self._pdfs = pdfs
        self._ctx = ctx
        self.read = self.pages = 0

    def go(self, todo: list[Found], lease: Lease) -> None:
        """Read them; while one is stored, the next is read in the child."""
        waiting: tuple[Found, bytes, PdfText] | None = None
        for number, found in enumerate(todo):
            lease.check()
            name = Path(found.location).name
            self._ctx.progress(
                number, len(todo), f"Reading {number + 1:,} of {len(todo):,}: {name}"
            )
            asked = self._ask(found)
            if waiting is not None:
                self._store(*waiting)
                waiting = None
            if asked is None:
                continue
            digest, reply = asked
            try:
                waiting = (found, digest, self._pdfs.text(Path(found.location), reply, self._ctx))
            except UserError as error:
                self._note(found, str(error))
        if waiting is not None:
            self._store(*waiting)
        self._ctx.progress(len(todo), len(todo), "The text of PDFs is read")

    def _ask(self, found: Found) -> tuple[bytes, Reply] | None:
        """Begin to read a file, unless it can't be read, or its text is there already."""
        if found.problem is not None:
            self._note(found, found.problem)
            return None
        path = Path(found.location)
        if (found.size or 0) > MAX_BYTES:
            self._note(found, f"{path} is larger than {MAX_BYTES >> 20} MB and is not read.")
            return None
        try:
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "blake2b").digest()[:20]
        except OSError as error:
            self._note(found, f"{path} can't be read: {error.strerror or error}.")
            return None
        document = store.document_of(self._connection, digest)
        if document is None:
            return digest, self._pdfs.ask(path)
        with transaction(self._connection):
            store.set_file(self._connection, found.location, found.size, found.changed, document)
        return None

    def _store(self, found: Found, digest: bytes, text: PdfText) -> None:
        if not any(text.pages):
            what = "pictures of pages and no text" if text.pages else "no page that could be read"
            self._note(found, f"{found.location} holds {what}.")
            return
        with transaction(self._connection):
            document = store.document_of(self._connection, digest)
            if document is None:
                document = store.add_document(self._connection, digest, text.total, text.pages)
                self.read += 1
                self.pages += len(text.pages)
            store.set_file(self._connection, found.location, found.size, found.changed, document)

    def _note(self, found: Found, problem: str) -> None:
        with transaction(self._connection):
            store.set_file(
                self._connection, found.location, found.size, found.changed, None, problem
            )
