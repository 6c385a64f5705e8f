"""The text of PDFs of one library: read, asked, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.fulltext import finding
from litscape.fulltext.building import LEASE, build, unread_files
from litscape.fulltext.plan import linked
from litscape.fulltext.records import PaperText, TextReport, TextStatus
from litscape.jobs import null_context
from litscape.pdfs.places import is_pdf
from litscape.store import fulltext_reads as reads
from litscape.store.fulltext import DamagedTextError, TextCache, known_files
from litscape.store.leases import held
from litscape.store.lexical import Term
from litscape.store.papers import get_papers
from litscape.store.pdfs import folders_of, papers_with_pdf

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from litscape.fulltext.finding import Keep
    from litscape.fulltext.records import Passage, TextHit
    from litscape.jobs import JobContext
    from litscape.paper import FileLink, PaperId
    from litscape.pdfs.reader import PdfReader
    from litscape.store.database import Database

SNIPPETS = 20
"""Most hits of one search that come with what stands around the words."""


class FullText:
    """The text of attached PDFs in a cache beside the library; the files are only read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.cache = TextCache(database.folder)

    # -- making it ---------------------------------------------------------------------------

    def build(
        self,
        ctx: JobContext | None = None,
        *,
        again: bool = False,
        reader: PdfReader | None = None,
    ) -> TextReport:
        """Read the PDFs that are new or changed; what breaks off goes on with the next call.

        Args:
            ctx: told of the progress; cancelled, what was read is kept.
            again: read also the files that could not be read the last time.
            reader: reads the files; one with the usual patience where None.

        Raises:
            EnvironmentFault: the library that reads PDFs is not installed, or the disk is full.
            LibraryBusyError: another program does the same work.
            JobCancelledError: ``ctx`` asked for the end.
        """
        return build(self._database, self.cache, ctx or null_context(), again=again, reader=reader)

    def clear(self) -> None:
        """Remove the text of all PDFs; the PDFs stay.

        Raises:
            EnvironmentFault: the file can't be removed, or the library is open for reading alone.
        """
        with self._database.write():  # refused where the library is open for reading alone
            self.cache.clear()

    # -- how far it is -----------------------------------------------------------------------

    @property
    def exists(self) -> bool:
        """Whether any PDF was read."""
        return self.cache.exists

    def status(self, ctx: JobContext | None = None) -> TextStatus:
        """How much is read, what is not and why; every linked file is looked for."""
        with self._database.read() as conn:
            there = linked(conn, self._database.folder, ctx or null_context())
            running = held(conn, LEASE)
        number = len(there.papers)
        if not self.exists:
            return TextStatus(number, reads.TextCounts(), len(there.files), 0, running=running)
        try:
            with self.cache.read() as connection:
                return TextStatus(
                    number,
                    reads.counts(connection),
                    len(there.todo(known_files(connection))),
                    self.cache.bytes,
                    unread_files(connection, there),
                    running=running,
                )
        except DamagedTextError:
            return TextStatus(
                number,
                reads.TextCounts(),
                len(there.files),
                self.cache.bytes,
                damaged=True,
                running=running,
            )

    def linked(self) -> int:
        """How many papers outside the trash have a PDF; quick."""
        with self._database.read() as conn:
            return len(papers_with_pdf(conn))

    def of(self, paper: PaperId) -> tuple[PaperText, ...]:
        """What is known of the PDFs of a paper, in the order of its files.

        Raises:
            DamagedTextError: what was read is damaged.
        """
        return tuple(_text_of(link, known) for link, known in self._files(paper))

    def _files(self, paper: PaperId) -> list[tuple[FileLink, reads.FileText | None]]:
        """The PDFs of a paper, each with what is known of it."""
        with self._database.read() as conn:
            found = get_papers(conn, [paper])
            starts = folders_of(conn, [paper]).get(paper, [])
        links = [link for one in found for link in one.files if is_pdf(link)]
        known: dict[str, list[reads.FileText]] = {}
        if links and self.exists:
            with self.cache.read() as connection:
                for text in reads.file_texts(connection, [link.path for link in links]):
                    known.setdefault(text.path, []).append(text)
        # Of several files by one path, that of the paper's own source.
        return [
            (
                link,
                next(
                    (t for t in known.get(link.path, ()) if not t.start or t.start in starts), None
                ),
            )
            for link in links
        ]

    # -- asking it ---------------------------------------------------------------------------

    def find(
        self,
        conn: sa.Connection,
        terms: Sequence[Term],
        k: int,
        keep: Keep,
        *,
        groups: Sequence[str] = (),
        shown: Sequence[Term] = (),
        one_page: bool = False,
        snippets: int = SNIPPETS,
    ) -> list[TextHit]:
        """The ``k`` best papers whose PDFs have all terms; see :func:`.finding.find`.

        Args:
            conn: a connection to the library.
            terms: words and phrases; where they have to stand does not count.
            k: how many.
            keep: from papers to those that may be found.
            groups: expressions of the text index, without columns, that must hold as well.
            shown: further words to look for in what stands around.
            one_page: only those that have all terms on one page.
            snippets: so many of the first hits come with what stands around the words.

        Raises:
            DamagedTextError: what was read is damaged.
        """
        if not self.exists:
            return []
        with self.cache.read() as connection:
            terms = reads.completed(connection, terms)
            parts = (*reads.parts_of(terms), *groups)
            hits = finding.find(connection, conn, parts, k, keep, one_page=one_page)
            first = finding.with_snippets(connection, hits[:snippets], (*terms, *shown))
        return [*first, *hits[snippets:]]

    def papers_with(self, conn: sa.Connection, text: str) -> frozenset[PaperId] | None:
        """The papers whose PDFs have a word or phrase, which may end in ``*``; None: none is read.

        Raises:
            DamagedTextError: what was read is damaged.
        """
        if not self.exists:
            return None
        with self.cache.read() as connection:
            parts = reads.parts_of(reads.completed(connection, [as_term(text)]))
            documents = {one for part in parts for one in reads.documents_with(connection, part)}
            owners = finding.owners_of(connection, conn, documents)
        return frozenset(paper for some in owners.values() for paper in some)

    def passages(self, paper: PaperId, terms: Sequence[Term], most: int = 5) -> tuple[Passage, ...]:
        """The pages of a paper's PDFs that have all terms, else any; the best, in their order.

        Raises:
            DamagedTextError: what was read is damaged.
        """
        files = [text for _link, text in self._files(paper) if text and text.document is not None]
        found: list[Passage] = []
        if not files:
            return ()
        with self.cache.read() as connection:
            terms = reads.completed(connection, terms)
            for text in files:
                assert text.document is not None
                found += finding.passages(
                    connection, text.document, text.location, terms, most - len(found)
                )
        return tuple(found)

    def close(self) -> None:
        """Close the cache."""
        self.cache.close()


def as_term(text: str) -> Term:
    """A word or phrase as typed; a star at its end lets its last word go on."""
    stem = text.rstrip("*")
    return Term(" ".join(stem.split()), prefix=stem != text)


def _text_of(link: FileLink, known: reads.FileText | None) -> PaperText:
    if known is None:
        return PaperText(link.path, "")
    return PaperText(
        link.path, known.location, known.pages, known.read, known.bare, known.problem or ""
    )
