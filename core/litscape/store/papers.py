"""Reading papers: whole, as table rows, by reference, and as texts to embed."""

from __future__ import annotations

import json
import operator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsIndex

from litscape.errors import UserError
from litscape.paper import Author, FileLink, Paper, PaperId, PaperRow, Reference
from litscape.store.bulk import IDENTIFIER_FIELDS, PLAIN_COLUMNS
from litscape.store.filters import AMONG, count, find_ids, json_ids
from litscape.store.reading import read_reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import sqlalchemy as sa

__all__ = [
    "by_key",
    "collection_paths",
    "count",
    "find_ids",
    "get_papers",
    "get_rows",
    "known_types",
    "resolve",
    "texts_for_embedding",
]
_CHUNK = 500
_TOO_MANY = 1 << 63
_COLUMNS = (
    "id",
    "citekey",
    "more_authors",
    "missing_in_source",
    "added_at",
    "modified_at",
    "trashed_at",
    "raw_fields",
    *PLAIN_COLUMNS,
)
_Lists = dict[PaperId, list[Any]]


def get_papers(conn: sa.Connection, ids: Iterable[PaperId]) -> list[Paper]:
    """Whole papers in the order asked for; ids without a paper are left out."""
    wanted = [int(paper) for paper in ids]
    paths = collection_paths(conn)
    found: dict[PaperId, Paper] = {}
    for start in range(0, len(wanted), _CHUNK):
        found.update(_read_chunk(conn, wanted[start : start + _CHUNK], paths))
    return [found[paper] for paper in wanted if paper in found]


def _read_chunk(
    conn: sa.Connection, wanted: Sequence[PaperId], paths: Mapping[int, tuple[str, ...]]
) -> dict[PaperId, Paper]:
    among = json_ids(wanted)
    lists, marks = _read_lists(conn, among), read_reading(conn, wanted)
    rows = conn.exec_driver_sql(
        f"SELECT {', '.join(_COLUMNS)} FROM papers WHERE id {AMONG}", (among,)
    )
    papers: dict[PaperId, Paper] = {}
    for row in rows:
        plain: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
        plain["more_authors"] = bool(plain["more_authors"])
        plain["missing_in_source"] = bool(plain["missing_in_source"])
        plain["raw_fields"] = MappingProxyType(json.loads(plain["raw_fields"]))
        own: dict[str, Any] = {name: tuple(found.get(row[0], ())) for name, found in lists.items()}
        schemes: dict[str, str] = {}
        for scheme, value in own.pop("identifiers"):
            schemes.setdefault(scheme, value)
        for scheme in IDENTIFIER_FIELDS:
            plain[scheme] = schemes.pop(scheme, None)
        own["collections"] = tuple(paths[node] for node in own["collections"])
        own |= marks.get(row[0], {})
        papers[row[0]] = Paper(**plain, **own, identifiers=MappingProxyType(schemes))
    return papers


def _read_lists(conn: sa.Connection, among: str) -> dict[str, _Lists]:
    def read(sql: str, make: Any = None) -> _Lists:
        found: _Lists = {}
        for row in conn.exec_driver_sql(sql.replace("$AMONG", AMONG), (among,)):
            found.setdefault(row[0], []).append(make(*row[1:]) if make else row[1])
        return found

    return {
        "authors": read(
            "SELECT paper_id, family, given, particle, suffix, literal FROM authors"
            " WHERE paper_id $AMONG ORDER BY paper_id, position",
            Author,
        ),
        "identifiers": read(
            "SELECT paper_id, scheme, value FROM identifiers WHERE paper_id $AMONG"
            " ORDER BY paper_id, scheme, value",
            lambda scheme, value: (scheme, value),
        ),
        "citekey_aliases": read(
            "SELECT paper_id, citekey FROM aliases WHERE paper_id $AMONG ORDER BY paper_id, citekey"
        ),
        "keywords": read(_terms("keywords", "term")),
        "fields": read(_terms("fields", "term")),
        "notes": read(_terms("notes", "text")),
        "tags": read(
            "SELECT paper_id, name FROM paper_tags JOIN tags ON tags.id = tag_id"
            " WHERE paper_id $AMONG ORDER BY paper_id, name"
        ),
        "collections": read(
            "SELECT paper_id, collection_id FROM paper_collections WHERE paper_id $AMONG"
            " ORDER BY paper_id, collection_id"
        ),
        "files": read(
            'SELECT paper_id, path, title, mime, base, "exists" FROM files'
            " WHERE paper_id $AMONG ORDER BY paper_id, position",
            _file,
        ),
        "cites": read(
            "SELECT citing, cited FROM citations WHERE citing $AMONG ORDER BY citing, cited"
        ),
        "references": read(
            'SELECT paper_id, raw, doi, title, year, source_id, extra FROM "references"'
            " WHERE paper_id $AMONG ORDER BY paper_id, position",
            _reference,
        ),
    }


def _terms(table: str, column: str) -> str:
    return (
        f"SELECT paper_id, {column} FROM {table} WHERE paper_id $AMONG ORDER BY paper_id, position"
    )


def _file(
    path: str, title: str | None, mime: str | None, base: str | None, exists: int | None
) -> FileLink:
    return FileLink(path, title, mime, base, None if exists is None else bool(exists))


def _reference(
    raw: str | None,
    doi: str | None,
    title: str | None,
    year: int | None,
    source_id: str | None,
    extra: str,
) -> Reference:
    return Reference(raw, doi, title, year, source_id, MappingProxyType(json.loads(extra)))


def collection_paths(conn: sa.Connection) -> dict[int, tuple[str, ...]]:
    """The path from the top of every collection, by its id."""
    rows = conn.exec_driver_sql(
        "WITH RECURSIVE tree(id, path) AS ("
        " SELECT id, json_array(name) FROM collections WHERE parent_id IS NULL"
        " UNION ALL SELECT c.id, json_insert(tree.path, '$[#]', c.name)"
        " FROM collections c JOIN tree ON c.parent_id = tree.id)"
        " SELECT id, path FROM tree"
    )
    return {node: tuple(json.loads(path)) for node, path in rows}


def span_of_years(conn: sa.Connection, ids: Iterable[PaperId]) -> tuple[int, int] | None:
    """The first and the last year of some papers; None where none of them has one."""
    first, last = conn.exec_driver_sql(
        f"SELECT min(year), max(year) FROM papers WHERE id {AMONG}", (json_ids(ids),)
    ).one()
    return None if first is None else (int(first), int(last))


_OPENING = 200
"""Letters of an abstract that stand for a title."""


def get_rows(conn: sa.Connection, ids: Iterable[PaperId]) -> list[PaperRow]:
    """Table rows in the order asked for; ids without a paper are left out."""
    wanted = [int(paper) for paper in ids]
    among = json_ids(wanted)
    marks = read_reading(conn, wanted)
    tags = _names(conn, "paper_tags JOIN tags n ON n.id = tag_id", among)
    nodes = _names(conn, "paper_collections JOIN collections n ON n.id = collection_id", among)
    rows = conn.exec_driver_sql(
        "SELECT id, citekey, title, authors_text, more_authors, year, year_raw, venue, type,"
        " has_abstract, added_at,"
        f" CASE WHEN ifnull(title, '') = '' THEN substr(abstract, 1, {_OPENING}) END"
        f" FROM papers WHERE id {AMONG}",
        (among,),
    )
    found = {
        row[0]: PaperRow(
            id=row[0],
            citekey=row[1],
            title=row[2],
            authors=row[3] + ("; et al." if row[4] and row[3] else ""),
            year=row[5],
            year_raw=row[6],
            venue=row[7],
            type=row[8],
            tags=tuple(tags.get(row[0], ())),
            collections=tuple(nodes.get(row[0], ())),
            has_abstract=bool(row[9]),
            added_at=row[10],
            opening=row[11],
            **_shown(marks.get(row[0])),
        )
        for row in rows
    }
    return [found[paper] for paper in wanted if paper in found]


def _shown(marks: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a row tells of a paper's marks."""
    if marks is None:
        return {}
    kept = {name: marks[name] for name in ("read_state", "rating", "colour")}
    return {**kept, "listed": marks["list_position"] is not None}


def _names(conn: sa.Connection, source: str, among: str) -> dict[PaperId, list[str]]:
    found: dict[PaperId, list[str]] = {}
    rows = conn.exec_driver_sql(
        f"SELECT paper_id, n.name FROM {source} WHERE paper_id {AMONG} ORDER BY n.name", (among,)
    )
    for paper, name in rows:
        found.setdefault(paper, []).append(name)
    return found


def read_citekeys(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, str]:
    """The citation keys of papers, by id; those that are not there are left out."""
    rows = conn.exec_driver_sql(
        f"SELECT id, citekey FROM papers WHERE id {AMONG}", (json_ids(ids),)
    )
    return {row[0]: row[1] for row in rows}


def resolve(conn: sa.Connection, ref: int | str) -> PaperId | None:
    """The id of the paper that a reference means; papers in the trash count.

    A number is an id. A text may say what it is: ``id:1``, ``key:bell1876``, ``doi:10.1000/182``.
    Else it is a citekey or an id in digits, else a bare DOI.

    Raises:
        UserError: it is the citekey of one paper and the id of another, or an alias of several; or
            it is neither text nor whole number.
    """
    if not isinstance(ref, str):
        return _by_id(conn, _whole(ref))
    kind, colon, rest = ref.partition(":")
    ways = {"id": _by_digits, "key": by_key, "doi": _by_doi}
    if colon and kind in ways and (found := ways[kind](conn, rest)) is not None:
        return found
    keyed, numbered = by_key(conn, ref), _by_digits(conn, ref)
    if keyed is not None and numbered not in (None, keyed):
        raise UserError(
            f"{ref} is the citation key of one paper and the id of another: "
            f"say key:{ref} or id:{ref}."
        )
    found = numbered if keyed is None else keyed
    return _by_doi(conn, ref) if found is None else found


def _whole(ref: SupportsIndex) -> int:
    try:
        return operator.index(ref)  # NumPy's numbers as well
    except TypeError:
        raise UserError(
            f"A paper is named by its id, citation key or DOI, not by {ref!r}."
        ) from None


def by_key(conn: sa.Connection, key: str) -> PaperId | None:
    """The paper with a citekey (exact case), else the one with this alias.

    Raises:
        UserError: it is an alias of several papers.
    """
    found = _ids(conn, "SELECT id FROM papers WHERE citekey = ?", key)
    found = found or _ids(conn, "SELECT paper_id FROM aliases WHERE citekey = ?", key)
    if len(found) > 1:
        raise UserError(
            f"{key} is a former citation key of several papers: name the one you mean by "
            f"{' or '.join(f'id:{paper}' for paper in found)}."
        )
    return found[0] if found else None


def _by_id(conn: sa.Connection, number: int) -> PaperId | None:
    if not 0 < number < _TOO_MANY:  # SQLite could not even be asked
        return None
    found = _ids(conn, "SELECT id FROM papers WHERE id = ?", number)
    return found[0] if found else None


def _by_digits(conn: sa.Connection, text: str) -> PaperId | None:
    plain = text.isascii() and text.isdigit() and len(text) < 19 and not text.startswith("0")
    return _by_id(conn, int(text)) if plain else None


def _by_doi(conn: sa.Connection, doi: str) -> PaperId | None:
    # A paper that others were merged into answers to their DOIs as well (``doi.2`` …).
    for schemes in ("scheme = 'doi'", "scheme > 'doi.' AND scheme < 'doi/'"):
        found = _ids(
            conn,
            "SELECT paper_id FROM identifiers JOIN papers ON papers.id = paper_id WHERE"
            f" {schemes} AND value = ? ORDER BY trashed_at IS NOT NULL, paper_id LIMIT 1",
            doi.lower(),
        )
        if found:
            return found[0]
    return None


def _ids(conn: sa.Connection, sql: str, value: int | str) -> Sequence[PaperId]:
    found: Sequence[PaperId] = conn.exec_driver_sql(sql, (value,)).scalars().fetchmany(9)
    return found


def known_types(conn: sa.Connection) -> list[str]:
    """The types of the live papers, each once."""
    sql = (
        "SELECT DISTINCT type FROM papers WHERE trashed_at IS NULL AND type IS NOT NULL ORDER BY 1"
    )
    return [str(row[0]) for row in conn.exec_driver_sql(sql)]


def texts_for_embedding(
    conn: sa.Connection, ids: Iterable[PaperId] | None = None
) -> Iterator[tuple[PaperId, str | None, str | None]]:
    """(id, title, abstract) of live papers by ascending id, all of them or those asked for.

    Reads as it goes: use it up, or leave it, before the connection's block ends.
    """
    where = "" if ids is None else f" AND id {AMONG}"
    values = () if ids is None else (json_ids(ids),)
    rows = conn.exec_driver_sql(
        f"SELECT id, title, abstract FROM papers WHERE trashed_at IS NULL{where} ORDER BY id",
        values,
    )
    for row in rows:
        yield row[0], row[1], row[2]
