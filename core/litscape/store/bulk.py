"""Writing many papers at once: plain executemany with sorted keys, which is what pays."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from litscape.sorting import sort_text
from litscape.store.reading import insert_reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import Author, PaperDraft, PaperId

IDENTIFIER_FIELDS = ("doi", "arxiv", "pmid", "isbn")
"""Schemes that have a field of their own in drafts and papers."""
PLAIN_COLUMNS = (
    "citekey_original",
    "type",
    "year",
    "year_raw",
    "month",
    "month_raw",
    "day",
    "library",
    "zotero_key",
    "title",
    "venue",
    "publisher",
    "volume",
    "issue",
    "pages",
    "url",
    "abstract",
    "abstract_note",
)
"""Columns of ``papers`` that hold a field of the draft as it is."""


LINK_CHANGES_KEPT = 50_000
"""A graph that is further behind is read anew."""
Link = tuple[int, int, str] | tuple[int, int, str, str | None, float | None]
"""A citation: citing and cited paper, where the link comes from, by which means, how surely."""


@dataclass(frozen=True, slots=True)
class NewPaper:
    """A draft with the id and the citekey that it gets in the library."""

    id: PaperId
    citekey: str
    draft: PaperDraft


class Derived(NamedTuple):
    """Columns computed from others, kept by whoever writes a paper."""

    authors_text: str
    sort_title: str
    sort_authors: str
    keywords_text: str


def now() -> str:
    """The time as the library stores it: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def derived_columns(draft: PaperDraft) -> Derived:
    """The derived columns of one paper."""
    return derive(draft.title, draft.authors, draft.keywords)


def derive(title: str | None, authors: Sequence[Author], keywords: Sequence[str]) -> Derived:
    """The derived columns for a title, authors in order, and keywords."""
    return Derived(
        "; ".join([author.display for author in authors]),
        sort_text(title) if title else "",
        "; ".join([_sort_name(author) for author in authors]),
        "; ".join(keywords),
    )


def _sort_name(author: Author) -> str:
    family = author.literal or author.family or ""
    rest = author.given if not author.literal else None
    return sort_text(f"{family} {rest}" if rest else family)


def next_paper_id(conn: sa.Connection) -> PaperId:
    """The first id that no paper ever had, and all above are free (call it in ``write()``)."""
    found: int = conn.exec_driver_sql(
        "SELECT max(ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'papers'), 0),"
        " ifnull((SELECT max(id) FROM papers), 0)) + 1"
    ).scalar_one()
    return found


_INDEX = (
    "INSERT INTO papers_fts(rowid, title, abstract, authors_text, venue, keywords_text)"
    " SELECT * FROM papers_words WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
)


def insert_papers(conn: sa.Connection, papers: Sequence[NewPaper]) -> None:
    """Write whole papers: everything of their drafts except ``cites``.

    Unknown tags and collections are made. Ids and citekeys must be free; a taken one raises
    ``sqlalchemy.exc.IntegrityError`` and leaves it to the caller's transaction to undo the rest.
    """
    ordered = sorted(papers, key=lambda paper: paper.id)
    stamp = now()
    many(
        conn,
        "INSERT INTO papers(id, citekey, more_authors, missing_in_source, added_at, modified_at,"
        " authors_text, sort_title, sort_authors, keywords_text, raw_fields,"
        f" {', '.join(PLAIN_COLUMNS)}) VALUES ({', '.join('?' * (11 + len(PLAIN_COLUMNS)))})",
        [_paper_row(paper, stamp) for paper in ordered],
    )
    conn.exec_driver_sql(_INDEX, (json.dumps([paper.id for paper in ordered]),))
    for table, rows in _list_rows(ordered).items():
        many(conn, INSERTS[table], rows)
    many(conn, INSERTS["identifiers"], sorted(_identifier_rows(ordered)))
    _insert_members(conn, ordered)
    insert_reading(conn, [(paper.id, paper.draft) for paper in ordered])
    note_links(conn, [paper.id for paper in ordered if paper.draft.references])


def _paper_row(paper: NewPaper, stamp: str) -> tuple[Any, ...]:
    d = paper.draft
    return (
        paper.id,
        paper.citekey,
        d.more_authors,
        d.missing_in_source,
        stamp,
        stamp,
        *derive(d.title, d.authors, d.keywords),
        to_json(d.raw_fields) if d.raw_fields else "{}",
        d.citekey_original,
        d.type,
        d.year,
        d.year_raw,
        d.month,
        d.month_raw,
        d.day,
        d.library,
        d.zotero_key,
        d.title,
        d.venue,
        d.publisher,
        d.volume,
        d.issue,
        d.pages,
        d.url,
        d.abstract,
        d.abstract_note,
    )


def to_json(value: Mapping[str, Any]) -> str:
    """An object as JSON text, in the form that the library stores."""
    return json.dumps(dict(value), ensure_ascii=False)


INSERTS = {
    "authors": "INSERT INTO authors(paper_id, position, family, given, particle, suffix, literal)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)",
    "keywords": "INSERT INTO keywords(paper_id, position, term) VALUES (?, ?, ?)",
    "fields": "INSERT INTO fields(paper_id, position, term) VALUES (?, ?, ?)",
    "notes": "INSERT INTO notes(paper_id, position, text) VALUES (?, ?, ?)",
    "files": 'INSERT INTO files(paper_id, position, path, title, mime, base, "exists")'
    " VALUES (?, ?, ?, ?, ?, ?, ?)",
    "references": 'INSERT INTO "references"'
    "(paper_id, position, raw, doi, title, year, source_id, extra, work, block, name, also)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, cited_work(?4, ?7, ?5, ?6, ?3, ?8),"
    " cited_block(?5, ?6, ?3, ?8), cited_name(?5, ?6, ?3, ?8), cited_also(?4, ?7))",
    "aliases": "INSERT OR IGNORE INTO aliases(paper_id, citekey) VALUES (?, ?)",
    "identifiers": "INSERT OR IGNORE INTO identifiers(scheme, value, paper_id) VALUES (?, ?, ?)",
}
"""How a row of each list of a paper is written; columns in the order of the row builders."""


def _list_rows(ordered: Sequence[NewPaper]) -> dict[str, list[tuple[Any, ...]]]:
    return {
        "authors": [
            (paper.id, n, a.family, a.given, a.particle, a.suffix, a.literal)
            for paper in ordered
            for n, a in enumerate(paper.draft.authors)
        ],
        "keywords": [
            (paper.id, n, term) for paper in ordered for n, term in enumerate(paper.draft.keywords)
        ],
        "fields": [
            (paper.id, n, term) for paper in ordered for n, term in enumerate(paper.draft.fields)
        ],
        "notes": [
            (paper.id, n, text) for paper in ordered for n, text in enumerate(paper.draft.notes)
        ],
        "files": [
            (paper.id, n, f.path, f.title, f.mime, f.base, f.exists)
            for paper in ordered
            for n, f in enumerate(paper.draft.files)
        ],
        "references": [
            (paper.id, n, r.raw, r.doi, r.title, r.year, r.source_id, to_json(r.extra))
            for paper in ordered
            for n, r in enumerate(paper.draft.references)
        ],
        "aliases": [
            (paper.id, key) for paper in ordered for key in sorted(paper.draft.citekey_aliases)
        ],
    }


def _identifier_rows(ordered: Sequence[NewPaper]) -> Iterable[tuple[str, str, PaperId]]:
    for paper in ordered:
        draft = paper.draft
        for scheme in IDENTIFIER_FIELDS:
            if value := getattr(draft, scheme):
                yield scheme, value, paper.id
        for scheme, value in draft.identifiers.items():
            if value and scheme not in IDENTIFIER_FIELDS:
                yield scheme, value, paper.id


def _insert_members(conn: sa.Connection, ordered: Sequence[NewPaper]) -> None:
    tags = ensure_tags(conn, {name for paper in ordered for name in paper.draft.tags})
    many(
        conn,
        "INSERT OR IGNORE INTO paper_tags(paper_id, tag_id) VALUES (?, ?)",
        sorted((paper.id, tags[name]) for paper in ordered for name in paper.draft.tags),
    )
    paths = {path for paper in ordered for path in paper.draft.collections if path}
    nodes = ensure_collections(conn, paths)
    many(
        conn,
        "INSERT OR IGNORE INTO paper_collections(paper_id, collection_id) VALUES (?, ?)",
        sorted(
            (paper.id, nodes[path]) for paper in ordered for path in paper.draft.collections if path
        ),
    )


def ensure_tags(conn: sa.Connection, names: Iterable[str]) -> dict[str, int]:
    """The ids of tags by name; those that are not there yet are made."""
    wanted = sorted(set(names))
    many(conn, "INSERT OR IGNORE INTO tags(name) VALUES (?)", [(name,) for name in wanted])
    if not wanted:
        return {}
    rows = conn.exec_driver_sql(
        "SELECT name, id FROM tags WHERE name IN (SELECT value FROM json_each(?))",
        (json.dumps(wanted),),
    )
    return {row[0]: row[1] for row in rows}


def ensure_collections(
    conn: sa.Connection, paths: Iterable[tuple[str, ...]]
) -> dict[tuple[str, ...], int]:
    """The ids of collections by their path from the top; missing ones and parents are made."""
    known: dict[tuple[str, ...], int] = {}
    for path in sorted(paths):
        for depth in range(1, len(path) + 1):
            if path[:depth] not in known:
                parent = known.get(path[: depth - 1])
                known[path[:depth]] = _ensure_collection(conn, parent, path[depth - 1])
    return known


def _ensure_collection(conn: sa.Connection, parent: int | None, name: str) -> int:
    found: int | None = conn.exec_driver_sql(
        "SELECT id FROM collections WHERE ifnull(parent_id, 0) = ? AND name = ?",
        (parent or 0, name),
    ).scalar()
    if found is None:
        made = conn.exec_driver_sql(
            "INSERT INTO collections(parent_id, name) VALUES (?, ?) RETURNING id", (parent, name)
        )
        found = int(made.scalar_one())
    return found


def insert_citations(conn: sa.Connection, rows: Iterable[Link]) -> None:
    """Write links (citing, cited, source), or with method and score behind these.

    One that is there already keeps its first source.
    """
    # Sorted keys append to the b-tree; in random order the pages are written again and again.
    links = sorted(rows, key=itemgetter(0, 1, 2))
    for size, columns in ((3, ""), (5, ", method, score")):
        many(
            conn,
            f"INSERT OR IGNORE INTO citations(citing, cited, source{columns})"
            f" VALUES ({', '.join('?' * size)})",
            [link for link in links if len(link) == size],
        )
    note_links(conn, {link[0] for link in links})


def note_links(conn: sa.Connection, papers: Iterable[PaperId]) -> None:
    """Tell graphs that are in use that citations or references of papers changed."""
    many(
        conn,
        "INSERT INTO link_changes(paper) VALUES (?)",
        [(int(paper),) for paper in sorted(papers)],
    )
    conn.exec_driver_sql(
        "DELETE FROM link_changes WHERE seq <= (SELECT max(seq) FROM link_changes) - ?",
        (LINK_CHANGES_KEPT,),
    )


def delete_papers(conn: sa.Connection, ids: Iterable[PaperId]) -> None:
    """Remove papers for good, with all that belongs to them; other papers stay as they are."""
    # By runs of ids: those of an import stand together, and are gone five times faster so.
    runs: list[tuple[PaperId, PaperId]] = []
    for paper in sorted(map(int, ids)):
        if runs and runs[-1][1] == paper - 1:
            runs[-1] = (runs[-1][0], paper)
        else:
            runs.append((paper, paper))
    for table, column in _belonging(conn) if runs else ():
        many(conn, f'DELETE FROM "{table}" WHERE "{column}" BETWEEN ? AND ?', runs)
    many(conn, "DELETE FROM papers WHERE id BETWEEN ? AND ?", runs)


def _belonging(conn: sa.Connection) -> list[tuple[str, str]]:
    """The tables whose rows go with a paper, and by which column; also without cascades."""
    rows = conn.exec_driver_sql(
        'SELECT m.name, f."from" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f'
        " WHERE m.type = 'table' AND f.\"table\" = 'papers' AND f.on_delete = 'CASCADE'"
        " ORDER BY 1, 2"
    )
    return [(row[0], row[1]) for row in rows]


def many(conn: sa.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Execute a statement for each row; nothing to do for no rows."""
    if rows:
        conn.exec_driver_sql(statement, list(rows))
