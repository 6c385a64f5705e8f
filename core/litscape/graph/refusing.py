"""Taking back a link that leads to the wrong paper."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError, UserError
from litscape.graph.cited import Cited, fit
from litscape.importers.base import SourceText
from litscape.importers.registry import text_source
from litscape.paper import PaperDraft, Reference
from litscape.store.edits import begin, naming, resolve_all
from litscape.store.history import change_papers
from litscape.store.images import links
from litscape.store.imports import raw_records
from litscape.store.link_reads import own_names
from litscape.store.papers import get_papers
from litscape.store.reference_blocks import read_known
from litscape.store.refused_links import NOT, former_references, marked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    import sqlalchemy as sa

    from litscape.graph.cited import Known
    from litscape.paper import LibraryChanges, Paper
    from litscape.store.database import Database


def refuse_link(database: Database, citing: int | str, cited: int | str) -> LibraryChanges:
    """Take a link back; see :meth:`litscape.graph.facade.Citations.refuse`."""
    with database.write() as conn:
        (source,), (target,) = resolve_all(conn, [citing]), resolve_all(conn, [cited])
        there = links(conn, [source]).get(source, [])
        kept = tuple(tuple(link) for link in there if link[0] != target)
        if len(kept) == len(there):
            raise UserError(
                f"There is no link from {naming(conn, [source])} to {naming(conn, [target])}: "
                "name the paper that cites first, then the one that it does not mean."
            )
        paper, other = get_papers(conn, [source, target])
        reference = _reference(conn, paper, other)
        told = {**reference.extra, NOT: marked(reference.extra.get(NOT, ""), other.citekey)}
        recorder = begin(conn, f"Take back a link to {naming(conn, [target])}")
        references = (*paper.references, replace(reference, extra=told))
        change_papers(recorder, {source: {"cites": kept, "references": references}})
        return recorder.flush()


def _reference(conn: sa.Connection, paper: Paper, other: Paper) -> Reference:
    """The reference that was taken for a paper; what the paper is called where it is not known."""
    known = read_known(conn, [other.id])[other.id]
    names = own_names(conn, other.id) | {other.citekey}
    for said in (former_references(conn, paper.id), _recorded(conn, paper)):
        if found := _meaning(said, known, names):
            return found
    family = other.authors[0].family or other.authors[0].literal if other.authors else None
    author = {"author": family} if family else {}
    return Reference(title=other.title or other.citekey, year=other.year, extra=author)


def _meaning(
    references: Iterable[Reference], known: Known, names: Collection[str]
) -> Reference | None:
    """Of some references the one that means a paper: by an identifier, else the best fitting."""
    fitting: list[tuple[float, Reference]] = []
    for one in references:
        if one.doi in known.dois or one.source_id in names:
            return one
        told = Cited(one.title, one.year, one.doi, one.raw, one.extra)
        if fitted := fit(told, known):
            fitting.append((fitted.score, one))
    return max(fitting, key=lambda one: one[0])[1] if fitting else None


def _recorded(conn: sa.Connection, paper: Paper) -> Iterator[Reference]:
    """What the records of a paper cite, read again."""
    for location, kind, text in raw_records(conn, paper.id):
        try:
            source = text_source(SourceText(location, text, "utf-8"), kind)
            for one in source.read():
                if isinstance(one, PaperDraft):
                    yield from one.references
        except LitscapeError:
            continue  # a part of a database or of a table says nothing by itself
