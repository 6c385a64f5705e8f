"""Reading references out of attached PDFs into the library."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.jobs import null_context
from litscape.pdfs.bibliography import find_references
from litscape.pdfs.pages import read_lines
from litscape.pdfs.places import is_pdf, place_of, roots_of, where
from litscape.pdfs.records import PdfReport, UnreadPdf
from litscape.store.edits import begin
from litscape.store.history import change_papers
from litscape.store.images import links
from litscape.store.linking import link_papers
from litscape.store.papers import get_papers, resolve
from litscape.store.pdfs import folders_of, papers_with_pdf

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import sqlalchemy as sa

    from litscape.jobs import JobContext
    from litscape.paper import FileLink, Paper, PaperId, Reference
    from litscape.pdfs.places import Roots
    from litscape.store.database import Database


class Pdfs:
    """References from the text layer of attached PDFs; the files are only read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(
        self,
        refs: Iterable[int | str] | None = None,
        ctx: JobContext | None = None,
        *,
        again: bool = False,
    ) -> PdfReport:
        """Give papers the references that stand in their PDFs, as one change.

        Args:
            refs: the papers; all that have a PDF where None.
            ctx: told of the progress; cancelled, nothing is changed.
            again: read also the PDFs of papers that have references already, and add to these.

        Raises:
            EnvironmentFault: the library that reads PDFs is not installed.
            UserError: there is no such paper.
            JobCancelledError: ``ctx`` asked for the end.
        """
        ctx = ctx or null_context()
        with self._database.read() as conn:
            papers = get_papers(conn, self._wanted(conn, refs))
            folders = folders_of(conn, [paper.id for paper in papers])
            linked = links(conn, [paper.id for paper in papers])
        bare = [one for one in papers if again or not (one.references or linked.get(one.id))]
        roots = roots_of(self._database.folder)
        found: dict[PaperId, tuple[str, list[Reference]]] = {}
        unread: list[UnreadPdf] = []
        for number, paper in enumerate(bare):
            ctx.progress(number, len(bare), f"Reading PDFs: {paper.citekey}")
            for path in _pdfs(paper, replace(roots, sources=tuple(folders.get(paper.id, ())))):
                try:
                    works = find_references(read_lines(path))
                except UserError as error:
                    unread.append(UnreadPdf(paper.id, str(path), str(error)))
                    continue
                if works:
                    found[paper.id] = (path.name, _of_pdf(works, path.name))
                    break
                why = "No list of references was found in it."
                unread.append(UnreadPdf(paper.id, str(path), why))
        report = self._keep(found) if found else PdfReport()
        return replace(report, unread=tuple(unread))

    def where(self, paper: PaperId, link: FileLink) -> Path | None:
        """Where a linked file of a paper is, whatever its kind; None where it is not found here."""
        with self._database.read() as conn:
            sources = folders_of(conn, [paper]).get(paper, ())
        place = where(link, sources, self._database.folder)
        return place.file if place.there else None

    def _wanted(self, conn: sa.Connection, refs: Iterable[int | str] | None) -> list[PaperId]:
        if refs is None:
            return papers_with_pdf(conn)
        ids = []
        for ref in refs:
            paper = resolve(conn, ref)
            if paper is None:
                raise UserError(f"There is no paper {ref} in this library.")
            ids.append(paper)
        return list(dict.fromkeys(ids))

    def _keep(self, found: Mapping[PaperId, tuple[str, Sequence[Reference]]]) -> PdfReport:
        with self._database.write() as conn:
            number = len(found)
            recorder = begin(conn, f"Read the references of {number:,} PDF{'s'[: number > 1]}")
            before = links(conn, found)
            values = {
                paper.id: {"references": _more(paper.references, found[paper.id][1])}
                for paper in get_papers(conn, sorted(found))
            }
            touched = change_papers(recorder, values)
            sources = {paper: f"pdf:{name}" for paper, (name, _works) in found.items()}
            link_papers(recorder, sorted(touched), (), sources)
            made = sum(map(len, links(conn, found).values())) - sum(map(len, before.values()))
            changes = recorder.flush()
        return PdfReport(
            read=number,
            papers=len(touched),
            references=sum(len(works) for _name, works in found.values()),
            links=made,
            changes=changes,
        )


def _more(known: Sequence[Reference], works: Sequence[Reference]) -> tuple[Reference, ...]:
    """The references that a paper has, and those of its PDF that are not among them."""
    dois = {one.doi for one in known if one.doi}
    texts = {one.raw for one in known if one.raw}
    return (*known, *(one for one in works if one.doi not in dois and one.raw not in texts))


def _of_pdf(works: Sequence[Reference], name: str) -> list[Reference]:
    """The works with the PDF as their source, which links made of them later name as well."""
    return [replace(one, extra={**one.extra, "service": f"pdf:{name}"}) for one in works]


def _pdfs(paper: Paper, roots: Roots) -> Iterator[Path]:
    """The PDFs of a paper that this computer may have."""
    for link in paper.files:
        if is_pdf(link) and (place := place_of(link, roots)).file is not None:
            yield place.file
