"""Questions to the text of PDFs: which documents have which words, on which pages."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from litscape.sorting import has_signs, search_letters
from litscape.store.filters import AMONG, json_ids
from litscape.store.fulltext import PAGE_BITS, unpacked
from litscape.store.lexical import all_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.lexical import Term

BUDGET = 40_000
"""Most pages scored for one question, the last read: scoring costs about a microsecond each."""
_SHORTEST_STEM, _ALONE = 4, 3
_LOOKED_INTO = 40
"""Most pages that are looked into for a word that is being typed."""
_PLACE = (1 << PAGE_BITS) - 1


class Match(NamedTuple):
    """A document with words, its best page (from 0), and how well that has them (BM25)."""

    document: int
    page: int
    score: float


@dataclass(frozen=True, slots=True)
class TextCounts:
    """What was read.

    Attributes:
        files: files that were looked at.
        read: of these, files with a text.
        documents: different texts.
        pages: pages that were read.
        bare: of these, pages without text.
    """

    files: int = 0
    read: int = 0
    documents: int = 0
    pages: int = 0
    bare: int = 0


class FileText(NamedTuple):
    """What is known of a linked file.

    Attributes:
        path: as the library has it.
        location: whole path.
        document: its text's number, or None.
        pages: pages that the file has.
        read: pages that were read.
        bare: of these, pages without text.
        problem: why it has no text, or None.
    """

    path: str
    start: str
    location: str
    document: int | None
    pages: int
    read: int
    bare: int
    problem: str | None


def looked_for(terms: Iterable[Term]) -> list[Term]:
    """The terms that are looked for, wherever on a page they stand.

    The beginning of a word has to be some letters long, for very many words begin with two or
    three: until then the others are looked for. Where there are none, three letters do; two are
    looked for as a word.
    """
    asked = [replace(term, column=None) for term in terms if not term.empty]
    long = [term for term in asked if not term.prefix or _letters(term) >= _SHORTEST_STEM]
    return long or [replace(term, prefix=_letters(term) >= _ALONE) for term in asked]


def parts_of(terms: Iterable[Term]) -> list[str]:
    """The expression of each term."""
    return [all_of([term]) for term in terms]


def _letters(term: Term) -> int:
    """How many letters the beginning of a word has; a sign of Han and the like is a word."""
    last = term.text.split()[-1]
    return _SHORTEST_STEM if has_signs(last) else len(last)


def completed(connection: sqlite3.Connection, terms: Iterable[Term]) -> list[Term]:
    """The terms that are looked for; the start of a word as a word it begins, where need be.

    Words are indexed by their stems: “generaliz” begins none, although “generalization” is there
    (as “gener”).
    """
    asked = looked_for(terms)
    return [_completed(connection, term) if term.prefix else term for term in asked]


def _completed(connection: sqlite3.Connection, term: Term) -> Term:
    if has_signs(term.text) or _some_pages(connection, term, 1):
        return term
    begun = re.compile(rf"\b{re.escape(search_letters(term.text).casefold())}\w*")
    for length in range(len(term.text) - 1, _SHORTEST_STEM - 1, -1):
        found: Counter[str] = Counter()
        for page in _some_pages(connection, replace(term, text=term.text[:length]), _LOOKED_INTO):
            text = page_text(connection, page >> PAGE_BITS, page & _PLACE)
            found.update(begun.findall(search_letters(text).casefold()))
        if found:
            return replace(term, text=found.most_common(1)[0][0], prefix=False)
    return term


def _some_pages(connection: sqlite3.Connection, term: Term, most: int) -> list[int]:
    rows = connection.execute(
        "SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", (all_of([term]), most)
    )
    return [row[0] for row in rows]


def _all(parts: Iterable[str]) -> str:
    return " AND ".join(f"({part})" for part in parts)


def on_one_page(connection: sqlite3.Connection, parts: Sequence[str]) -> list[Match]:
    """The documents with a page that has all parts, by their best page, the best first."""
    rows = connection.execute(
        f"SELECT id >> {PAGE_BITS} AS document, id & {_PLACE}, min(badness) FROM"
        " (SELECT rowid AS id, bm25(words) AS badness FROM words WHERE words MATCH ?"
        "  ORDER BY rowid DESC LIMIT ?)"
        " GROUP BY document ORDER BY 3, 1",
        (_all(parts), BUDGET),
    )
    return [Match(row[0], row[1], -row[2]) for row in rows]


def documents_with(connection: sqlite3.Connection, part: str) -> set[int]:
    """The documents with a part on any page."""
    rows = connection.execute(
        f"SELECT DISTINCT rowid >> {PAGE_BITS} FROM words WHERE words MATCH ?", (part,)
    )
    return {row[0] for row in rows}


def first_pages(
    connection: sqlite3.Connection, documents: Collection[int], part: str
) -> dict[int, int]:
    """The first page (from 0) with a part, of those of the documents that have it."""
    rows = connection.execute(
        f"SELECT rowid >> {PAGE_BITS} AS document, min(rowid & {_PLACE}) FROM words"
        f" WHERE words MATCH ? AND document {AMONG} GROUP BY document",
        (part, json_ids(documents)),
    )
    return dict(rows.fetchall())


def records_with(conn: sa.Connection, papers: Collection[PaperId], part: str) -> set[PaperId]:
    """Those of the papers whose title, abstract and so on have a part."""
    rows = conn.exec_driver_sql(
        f"SELECT rowid FROM papers_fts WHERE papers_fts MATCH ? AND rowid {AMONG}",
        (part, json_ids(papers)),
    )
    return set(rows.scalars())


def pages_in(
    connection: sqlite3.Connection, document: int, parts: Sequence[str], most: int
) -> list[int]:
    """The pages (from 0) of a document with all parts, else with any, the best first."""
    first, last = document << PAGE_BITS, (document + 1) << PAGE_BITS
    expressions = dict.fromkeys(f" {word} ".join(f"({p})" for p in parts) for word in ("AND", "OR"))
    for expression in expressions if parts else ():
        rows = connection.execute(
            f"SELECT rowid & {_PLACE} FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ?"
            " ORDER BY bm25(words), rowid LIMIT ?",
            (expression, first, last, most),
        ).fetchall()
        if rows:
            return [row[0] for row in rows]
    return []


def page_text(connection: sqlite3.Connection, document: int, page: int) -> str:
    """A page's text; empty where there is none."""
    row = connection.execute(
        "SELECT text FROM pages WHERE id = ?", (document << PAGE_BITS | page,)
    ).fetchone()
    return "" if row is None else unpacked(row[0])


def counts(connection: sqlite3.Connection) -> TextCounts:
    """What was read."""
    files = connection.execute("SELECT count(*), count(document) FROM files").fetchone()
    pages = connection.execute(
        "SELECT count(*), ifnull(sum(read), 0), ifnull(sum(bare), 0) FROM documents"
    ).fetchone()
    return TextCounts(*files, *pages)


def problems(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """The files that have no text: a path as the library has it, location, and why."""
    return connection.execute(
        "SELECT min(p.path), f.location, f.problem FROM files f JOIN places p ON p.file = f.id"
        " WHERE f.problem IS NOT NULL GROUP BY f.id ORDER BY f.location"
    ).fetchall()


def file_texts(connection: sqlite3.Connection, paths: Iterable[str]) -> list[FileText]:
    """What is known of paths as the library has them."""
    rows = connection.execute(
        "SELECT p.path, p.start, f.location, f.document, ifnull(d.pages, 0), ifnull(d.read, 0),"
        " ifnull(d.bare, 0), f.problem FROM places p JOIN files f ON f.id = p.file"
        f" LEFT JOIN documents d ON d.id = f.document WHERE p.path {AMONG} ORDER BY 1, 2",
        (json.dumps(list(paths)),),
    )
    return [FileText(*row) for row in rows]


def paths_of(
    connection: sqlite3.Connection, documents: Collection[int]
) -> dict[str, list[tuple[str, int]]]:
    """The paths, as the library has them, of files with these texts: starts and documents."""
    found: dict[str, list[tuple[str, int]]] = {}
    for path, start, document in connection.execute(
        "SELECT p.path, p.start, f.document FROM files f JOIN places p ON p.file = f.id"
        f" WHERE f.document {AMONG}",
        (json_ids(documents),),
    ):
        found.setdefault(path, []).append((start, document))
    return found


def shared_paths(connection: sqlite3.Connection, paths: Iterable[str]) -> set[str]:
    """Those of the paths that mean different files by what they start from."""
    rows = connection.execute(
        f"SELECT path FROM places WHERE path {AMONG} AND start <> ''"
        " GROUP BY path HAVING count(*) > 1",
        (json.dumps(list(paths)),),
    )
    return {row[0] for row in rows}


def linked_papers(conn: sa.Connection, paths: Iterable[str]) -> list[tuple[PaperId, str]]:
    """The papers of the library that have files with these paths, the trash included."""
    rows = conn.exec_driver_sql(
        f"SELECT paper_id, path FROM files WHERE path {AMONG} ORDER BY paper_id, position",
        (json.dumps(list(paths)),),
    )
    return [(row[0], row[1]) for row in rows]


def locations(connection: sqlite3.Connection, documents: Collection[int]) -> Mapping[int, str]:
    """A file of each document."""
    rows = connection.execute(
        f"SELECT document, min(location) FROM files WHERE document {AMONG} GROUP BY document",
        (json_ids(documents),),
    )
    return dict(rows.fetchall())
