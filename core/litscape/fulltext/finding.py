"""From words to papers whose PDFs have them, with the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.fulltext.records import Passage, TextHit
from litscape.fulltext.snippets import snippets
from litscape.store import fulltext_reads as reads
from litscape.store.pdfs import folders_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.fulltext_reads import Match
    from litscape.store.lexical import Term

    Keep = Callable[[list[PaperId]], Collection[PaperId]]
    """From papers to those of them that may be found."""
_CHUNK = 500


def find(
    connection: sqlite3.Connection,
    conn: sa.Connection,
    terms: Sequence[Term],
    k: int,
    keep: Keep,
    *,
    one_page: bool = False,
) -> list[TextHit]:
    """The ``k`` best papers whose PDFs have all terms.

    Those with a page that has all of them come first, by that page; then those that have them on
    several pages, unless ``one_page``.
    """
    terms = [term for term in terms if not term.empty]
    if not terms:
        return []
    matches = reads.on_one_page(connection, terms)
    hits = _papers(connection, conn, matches, k, keep, {})
    if len(hits) < k and not one_page:
        rest = reads.on_any_pages(connection, terms, {match.document for match in matches})
        hits = _papers(connection, conn, rest, k, keep, hits)
    return list(hits.values())


def _papers(
    connection: sqlite3.Connection,
    conn: sa.Connection,
    matches: Sequence[Match],
    k: int,
    keep: Keep,
    hits: dict[PaperId, TextHit],
) -> dict[PaperId, TextHit]:
    """The hits, and the papers of more matches that may be found, in the order of these."""
    for start in range(0, len(matches), _CHUNK):
        if len(hits) >= k:
            break
        chunk = matches[start : start + _CHUNK]
        owners = owners_of(connection, conn, {match.document for match in chunk})
        kept = set(keep(sorted({paper for some in owners.values() for paper in some})))
        files = reads.locations(connection, owners)
        for match in chunk:
            for paper in owners.get(match.document, ()):
                if paper in kept and paper not in hits and len(hits) < k:
                    passage = Passage(files[match.document], match.page + 1)
                    hits[paper] = TextHit(paper, match.document, passage, match.score)
    return hits


def owners_of(
    connection: sqlite3.Connection, conn: sa.Connection, documents: Collection[int]
) -> dict[int, list[PaperId]]:
    """The papers, those in the trash included, whose files have these texts."""
    paths = reads.paths_of(connection, documents)
    links = reads.linked_papers(conn, paths)
    # One relative path may mean different files, by the folder of the source.
    shared = reads.shared_paths(connection, paths)
    folders = folders_of(conn, {paper for paper, path in links if path in shared})
    found: dict[int, list[PaperId]] = {}
    for paper, path in links:
        for start, document in paths[path]:
            if path in shared and start and start not in folders.get(paper, ()):
                continue
            owners = found.setdefault(document, [])
            if paper not in owners:
                owners.append(paper)
    return found


def with_snippets(
    connection: sqlite3.Connection, hits: Sequence[TextHit], terms: Sequence[Term]
) -> list[TextHit]:
    """The hits with what stands around the words."""
    texts = [reads.page_text(connection, hit.document, hit.passage.page - 1) for hit in hits]
    return [
        replace(hit, passage=replace(hit.passage, text=found.text, marks=found.marks))
        for hit, found in zip(hits, snippets(texts, terms), strict=True)
    ]


def passages(
    connection: sqlite3.Connection,
    document: int,
    file: str,
    terms: Sequence[Term],
    most: int,
) -> list[Passage]:
    """The best pages of one text for some words, in the order of the file."""
    terms = [term for term in terms if not term.empty]
    pages = sorted(reads.pages_in(connection, document, terms, most)) if terms else []
    texts = [reads.page_text(connection, document, page) for page in pages]
    return [
        Passage(file, page + 1, found.text, found.marks)
        for page, found in zip(pages, snippets(texts, terms), strict=True)
    ]


def name_of(passage: Passage) -> str:
    """The name of a passage's file."""
    return Path(passage.file).name
