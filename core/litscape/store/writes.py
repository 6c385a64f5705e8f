"""Writing single fields of one paper, its derived columns and its lists with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape.reading import FIELDS as READING_FIELDS
from litscape.store.bulk import (
    IDENTIFIER_FIELDS,
    INSERTS,
    PLAIN_COLUMNS,
    derive,
    many,
    note_links,
    now,
    to_json,
)
from litscape.store.collections import set_paper_collections
from litscape.store.reading import set_reading
from litscape.store.tags import set_paper_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import sqlalchemy as sa

    from litscape.paper import PaperId

_OTHER_COLUMNS = ("citekey", "more_authors", "missing_in_source", "trashed_at", "added_at")
_COLUMNS = frozenset((*PLAIN_COLUMNS, *_OTHER_COLUMNS))


def set_fields(conn: sa.Connection, paper_id: PaperId, fields: Mapping[str, Any]) -> None:
    """Set any fields of one paper; what is derived from them follows.

    Args:
        conn: a connection inside ``Database.write()``.
        paper_id: the paper; nothing happens where it is not there.
        fields: values by field name, typed as in :class:`litscape.paper.Paper`; also
            ``user_edits``, the names of the fields that imports must keep. Lists are replaced.

    Raises:
        KeyError: there is no such field, or it can't be set (``id``).
        sqlalchemy.exc.IntegrityError: the citekey belongs to another paper.
    """
    columns: dict[str, Any] = {}
    lists: list[tuple[Callable[[sa.Connection, PaperId, Any], None], Any]] = []
    marks = {name: fields[name] for name in READING_FIELDS if name in fields}
    if marks:
        lists.append((set_reading, marks))
    for field, value in fields.items():
        if field in _COLUMNS:
            columns[field] = value
        elif field in IDENTIFIER_FIELDS:
            lists.append((_identifier_writer(field), value))
        elif field == "raw_fields":
            columns[field] = to_json(value)
        elif field not in marks:
            lists.append((_WRITERS[field], value))
    columns.update(_derived(fields))
    columns["modified_at"] = now()
    names = ", ".join(f"{column} = ?" for column in columns)
    written = conn.exec_driver_sql(
        f"UPDATE papers SET {names} WHERE id = ?", (*columns.values(), paper_id)
    )
    if written.rowcount:
        for write, value in lists:
            write(conn, paper_id, value)


def _derived(fields: Mapping[str, Any]) -> dict[str, str]:
    derived = derive(fields.get("title"), fields.get("authors", ()), fields.get("keywords", ()))
    columns: dict[str, str] = {}
    if "title" in fields:
        columns["sort_title"] = derived.sort_title
    if "authors" in fields:
        columns["authors_text"] = derived.authors_text
        columns["sort_authors"] = derived.sort_authors
    if "keywords" in fields:
        columns["keywords_text"] = derived.keywords_text
    return columns


def _replace(conn: sa.Connection, table: str, paper: PaperId, rows: list[tuple[Any, ...]]) -> None:
    conn.exec_driver_sql(f'DELETE FROM "{table}" WHERE paper_id = ?', (paper,))
    many(conn, INSERTS[table], [(paper, *row) for row in rows])


def _set_authors(conn: sa.Connection, paper: PaperId, authors: Any) -> None:
    rows = [(n, a.family, a.given, a.particle, a.suffix, a.literal) for n, a in enumerate(authors)]
    _replace(conn, "authors", paper, rows)


def _set_files(conn: sa.Connection, paper: PaperId, files: Any) -> None:
    rows = [(n, f.path, f.title, f.mime, f.base, f.exists) for n, f in enumerate(files)]
    _replace(conn, "files", paper, rows)


def _set_references(conn: sa.Connection, paper: PaperId, references: Any) -> None:
    rows = [
        (n, r.raw, r.doi, r.title, r.year, r.source_id, to_json(r.extra))
        for n, r in enumerate(references)
    ]
    _replace(conn, "references", paper, rows)
    note_links(conn, [paper])


def _set_aliases(conn: sa.Connection, paper: PaperId, aliases: Any) -> None:
    _replace(conn, "aliases", paper, [(key,) for key in sorted(set(aliases))])


def _list_writer(table: str) -> Callable[[sa.Connection, PaperId, Any], None]:
    def write(conn: sa.Connection, paper: PaperId, terms: Any) -> None:
        _replace(conn, table, paper, list(enumerate(terms)))

    return write


def _identifier_writer(scheme: str) -> Callable[[sa.Connection, PaperId, Any], None]:
    def write(conn: sa.Connection, paper: PaperId, value: Any) -> None:
        conn.exec_driver_sql(
            "DELETE FROM identifiers WHERE paper_id = ? AND scheme = ?", (paper, scheme)
        )
        many(conn, INSERTS["identifiers"], [(scheme, value, paper)] if value else [])

    return write


def _set_identifiers(conn: sa.Connection, paper: PaperId, identifiers: Any) -> None:
    own = ", ".join("?" * len(IDENTIFIER_FIELDS))
    conn.exec_driver_sql(
        f"DELETE FROM identifiers WHERE paper_id = ? AND scheme NOT IN ({own})",
        (paper, *IDENTIFIER_FIELDS),
    )
    rows = [
        (scheme, value, paper)
        for scheme, value in sorted(identifiers.items())
        if value and scheme not in IDENTIFIER_FIELDS
    ]
    many(conn, INSERTS["identifiers"], rows)


def _set_cites(conn: sa.Connection, paper: PaperId, cited: Any) -> None:
    """Cite exactly these papers; missing ones are passed over.

    They are given as ids, as (id, source) or as (id, source, method, score).
    """
    links: dict[PaperId, tuple[Any, ...]] = {}
    for link in cited:
        other, *origin = link if isinstance(link, tuple) else (link, "")
        links[other] = (*origin, None, None)[:3]
    links.pop(paper, None)
    conn.exec_driver_sql("DELETE FROM citations WHERE citing = ?", (paper,))
    many(
        conn,
        "INSERT INTO citations(citing, cited, source, method, score)"
        " SELECT ?, id, ?, ?, ? FROM papers WHERE id = ?",
        [(paper, *origin, other) for other, origin in sorted(links.items())],
    )
    note_links(conn, [paper])


def _set_user_edits(conn: sa.Connection, paper: PaperId, names: Any) -> None:
    conn.exec_driver_sql("DELETE FROM user_edits WHERE paper_id = ?", (paper,))
    many(
        conn,
        "INSERT INTO user_edits(paper_id, field) VALUES (?, ?)",
        [(paper, name) for name in sorted(set(names))],
    )


_WRITERS: dict[str, Callable[[sa.Connection, PaperId, Any], None]] = {
    "authors": _set_authors,
    "files": _set_files,
    "references": _set_references,
    "citekey_aliases": _set_aliases,
    "keywords": _list_writer("keywords"),
    "fields": _list_writer("fields"),
    "notes": _list_writer("notes"),
    "tags": set_paper_tags,
    "collections": set_paper_collections,
    "identifiers": _set_identifiers,
    "cites": _set_cites,
    "user_edits": _set_user_edits,
}
