"""From words to papers whose PDFs have them, with the page."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.fulltext.records import Passage, TextHit
from litscape.fulltext.snippets import snippets
from litscape.store import fulltext_reads as reads
from litscape.store.fulltext_reads import Match
from litscape.store.pdfs import folders_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.lexical import Term

    Keep = Callable[[list[PaperId]], Collection[PaperId]]
    """From papers to those of them that may be found."""
_CHUNK = 200
_LOOKED_UP = 200
"""Most papers of which the record is asked for a word that their PDFs lack."""


def find(
    connection: sqlite3.Connection,
    conn: sa.Connection,
    parts: Sequence[str],
    k: int,
    keep: Keep,
    *,
    one_page: bool = False,
) -> list[TextHit]:
    """The ``k`` best papers whose PDFs have all parts, which are expressions of the text index.

    Those with a page that has all of them come first, by that page; then, unless ``one_page``,
    those that have them on several pages, or some of them in title, abstract and so on.
    """
    if not parts:
        return []
    hits: dict[PaperId, TextHit] = {}
    matches = reads.on_one_page(connection, parts)
    for start in range(0, len(matches), _CHUNK):
        if len(hits) >= k:
            break
        chunk = matches[start : start + _CHUNK]
        owners = owners_of(connection, conn, {match.document for match in chunk})
        kept = set(keep(sorted({paper for some in owners.values() for paper in some})))
        pairs = [(p, one) for one in chunk for p in owners.get(one.document, ()) if p in kept]
        _take(connection, hits, pairs, k)
    if len(hits) < k and len(parts) > 1 and not one_page:
        _take(connection, hits, _spread(connection, conn, parts, keep), k)
    return list(hits.values())


def _take(
    connection: sqlite3.Connection,
    hits: dict[PaperId, TextHit],
    pairs: Sequence[tuple[PaperId, Match]],
    k: int,
) -> None:
    """Add papers that are not there yet, up to ``k``."""
    files = reads.locations(connection, {match.document for _paper, match in pairs})
    for paper, match in pairs:
        if paper not in hits and len(hits) < k:
            passage = Passage(files[match.document], match.page + 1)
            hits[paper] = TextHit(paper, match.document, passage, match.score)


def _spread(
    connection: sqlite3.Connection, conn: sa.Connection, parts: Sequence[str], keep: Keep
) -> list[tuple[PaperId, Match]]:
    """The papers that have each part on some page, or all but one there and that in their record.

    The last read first, each with the first page of the rarest part that its PDFs have.
    """
    sets = [reads.documents_with(connection, part) for part in parts]
    number = Counter(one for some in sets for one in some)
    near = sorted((one for one, n in number.items() if n >= len(parts) - 1), reverse=True)
    owners = owners_of(connection, conn, near)
    kept = set(keep(sorted({paper for some in owners.values() for paper in some})))
    pairs = [(p, one) for one in near for p in owners.get(one, ()) if p in kept]
    whole = [(p, one) for p, one in pairs if number[one] == len(parts)]
    rest = [(p, one) for p, one in pairs if number[one] < len(parts)][:_LOOKED_UP]
    for some, part in zip(sets, parts, strict=True):
        asked = [(p, one) for p, one in rest if one not in some]
        there = reads.records_with(conn, {p for p, _one in asked}, part) if asked else set()
        whole += [(p, one) for p, one in asked if p in there]
    pages: dict[int, int] = {}
    missing = {one for _p, one in whole}
    for _some, part in sorted(zip(sets, parts, strict=True), key=lambda pair: len(pair[0])):
        if missing:
            pages |= reads.first_pages(connection, missing, part)
            missing -= pages.keys()
    return [(p, Match(one, pages[one], 0.0)) for p, one in whole if one in pages]


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
    pages = sorted(reads.pages_in(connection, document, reads.parts_of(terms), most))
    texts = [reads.page_text(connection, document, page) for page in pages]
    return [
        Passage(file, page + 1, found.text, found.marks)
        for page, found in zip(pages, snippets(texts, terms), strict=True)
    ]


def name_of(passage: Passage) -> str:
    """The name of a passage's file."""
    return Path(passage.file).name
