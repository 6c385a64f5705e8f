"""Papers as plain JSON values, field by field: what the undo history keeps and compares."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from litscape.paper import Author, FileLink, Paper, PaperId, Reference
from litscape.reading import FIELDS as READING_FIELDS
from litscape.store.papers import collection_paths, get_papers
from litscape.store.reading import read_reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import sqlalchemy as sa

Image = dict[str, Any]
TEXT_FIELDS = (
    "citekey",
    "citekey_original",
    "type",
    "title",
    "year_raw",
    "month_raw",
    "venue",
    "publisher",
    "volume",
    "issue",
    "pages",
    "doi",
    "arxiv",
    "pmid",
    "isbn",
    "url",
    "abstract",
    "abstract_note",
    "library",
    "zotero_key",
    "added_at",
    "trashed_at",
)
NUMBER_FIELDS = ("year", "month", "day")
FLAG_FIELDS = ("more_authors", "missing_in_source")
LIST_FIELDS = ("authors", "keywords", "fields")
"""Lists whose order counts: compared and replaced as a whole."""
SET_FIELDS = (
    "citekey_aliases",
    "tags",
    "collections",
    "notes",
    "files",
    "cites",
    "references",
    "user_edits",
)
"""Lists whose members stand for themselves: two changes of one list can both be kept."""
COUNTED = frozenset({"tags", "collections", "trashed_at", "read_state", "list_position"})
"""Fields of which the places of a library tell numbers."""
MAP_FIELDS = ("raw_fields", "identifiers")
PAPER_FIELDS = (
    *TEXT_FIELDS,
    *NUMBER_FIELDS,
    *FLAG_FIELDS,
    *LIST_FIELDS,
    *SET_FIELDS,
    *MAP_FIELDS,
    *READING_FIELDS,
)
_PARTS = {
    "authors": ("family", "given", "particle", "suffix", "literal"),
    "files": ("path", "title", "mime", "base", "exists"),
    "references": ("raw", "doi", "title", "year", "source_id"),
}


def plain(field: str, value: Any) -> Any:
    """One field's value as JSON has it: lists for tuples, objects without empty parts."""
    if field in MAP_FIELDS:
        return dict(value)
    if field in _PARTS:
        return [_plain_part(field, part) for part in value]
    if field == "collections":
        return [list(path) for path in value]
    if field == "cites":
        return [list(link) if isinstance(link, tuple) else [link, ""] for link in value]
    if field in LIST_FIELDS or field in SET_FIELDS:
        return list(value)
    return value


def _plain_part(field: str, part: Any) -> Image:
    kept = {key: getattr(part, key) for key in _PARTS[field]}
    if field == "references":
        kept["extra"] = dict(part.extra) or None
    return {key: value for key, value in kept.items() if value is not None}


def typed(field: str, value: Any) -> Any:
    """The inverse of :func:`plain`: the value as a paper or a draft holds it."""
    if field in MAP_FIELDS:
        return MappingProxyType(dict(value))
    if field == "authors":
        return tuple(Author(**part) for part in value)
    if field == "files":
        return tuple(FileLink(**part) for part in value)
    if field == "references":
        return tuple(Reference(**part) for part in value)
    if field in ("collections", "cites"):
        return tuple(tuple(member) for member in value)
    if field in LIST_FIELDS or field in SET_FIELDS:
        return tuple(value)
    return value


def image_of(paper: Paper, fields: Iterable[str]) -> Image:
    """The plain values of some fields of a paper (``user_edits`` is none of its own)."""
    return {field: plain(field, getattr(paper, field)) for field in fields}


def user_edits(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, list[Any]]:
    """The fields that a user set, by paper; papers without any are left out."""
    found: dict[PaperId, list[Any]] = {}
    for paper, field in conn.exec_driver_sql(
        "SELECT paper_id, field FROM user_edits"
        " WHERE paper_id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
        (json.dumps(sorted(ids)),),
    ):
        found.setdefault(paper, []).append(field)
    return found


def links(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, list[Any]]:
    """What papers cite in the library, as ``[cited, where the link comes from]``.

    Method and score stand behind these where they are known.
    """
    found: dict[PaperId, list[Any]] = {}
    for citing, *link in conn.exec_driver_sql(
        "SELECT citing, cited, source, method, score FROM citations"
        " WHERE citing IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
        (json.dumps(sorted(ids)),),
    ):
        found.setdefault(citing, []).append(link if link[2] is not None else link[:2])
    return found


# Not read with the paper, or with less than an image needs.
_ELSEWHERE: dict[str, Callable[[sa.Connection, Sequence[PaperId]], dict[PaperId, list[Any]]]] = {
    "user_edits": user_edits,
    "cites": links,
}


def images(
    conn: sa.Connection, ids: Sequence[PaperId], fields: Sequence[str]
) -> dict[PaperId, Image]:
    """The plain values of some fields of the papers that are there."""
    narrow = _NARROW.get(tuple(fields))
    if narrow:
        return narrow(conn, ids)
    if fields and _OF_READER.issuperset(fields):
        return {
            paper: {name: image[name] for name in fields}
            for paper, image in _reading_images(conn, ids).items()
        }
    of_paper = [field for field in fields if field not in _ELSEWHERE]
    found = {paper.id: image_of(paper, of_paper) for paper in get_papers(conn, ids)}
    for name, read in _ELSEWHERE.items():
        if name in fields:
            values = read(conn, ids)
            for paper_id, image in found.items():
                image[name] = values.get(paper_id, [])
    return found


def _grouped(conn: sa.Connection, ids: Sequence[PaperId], sql: str) -> dict[PaperId, list[Any]]:
    given = json.dumps([int(paper) for paper in ids])
    found: dict[PaperId, list[Any]] = {
        paper: []
        for (paper,) in conn.exec_driver_sql(
            "SELECT id FROM papers WHERE id IN (SELECT value FROM json_each(?))", (given,)
        )
    }
    for paper, value in conn.exec_driver_sql(sql, (given,)):
        found[paper].append(value)
    return found


def _trash_images(conn: sa.Connection, ids: Sequence[PaperId]) -> dict[PaperId, Image]:
    rows = _grouped(
        conn,
        ids,
        "SELECT id, trashed_at FROM papers WHERE id IN (SELECT value FROM json_each(?))",
    )
    return {paper: {"trashed_at": values[0]} for paper, values in rows.items()}


def _tag_images(conn: sa.Connection, ids: Sequence[PaperId]) -> dict[PaperId, Image]:
    rows = _grouped(
        conn,
        ids,
        "SELECT pt.paper_id, t.name FROM paper_tags pt JOIN tags t ON t.id = pt.tag_id"
        " WHERE pt.paper_id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
    )
    return {paper: {"tags": values} for paper, values in rows.items()}


def _collection_images(conn: sa.Connection, ids: Sequence[PaperId]) -> dict[PaperId, Image]:
    paths = collection_paths(conn)
    rows = _grouped(
        conn,
        ids,
        "SELECT paper_id, collection_id FROM paper_collections"
        " WHERE paper_id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
    )
    return {
        paper: {"collections": [list(paths[node]) for node in nodes]}
        for paper, nodes in rows.items()
    }


def _reading_images(conn: sa.Connection, ids: Sequence[PaperId]) -> dict[PaperId, Image]:
    nothing = dict.fromkeys(READING_FIELDS)
    edits, found = user_edits(conn, ids), read_reading(conn, ids)
    there = _grouped(conn, ids, "SELECT 0, 0 WHERE ?1 IS NULL")
    return {
        paper: {**nothing, **found.get(paper, {}), "user_edits": edits.get(paper, [])}
        for paper in there
    }


# Acts on whole selections ask for one of these fields only: no need to read whole papers.
_NARROW: dict[
    tuple[str, ...], Callable[[sa.Connection, Sequence[PaperId]], dict[PaperId, Image]]
] = {
    ("trashed_at",): _trash_images,
    ("tags",): _tag_images,
    ("collections",): _collection_images,
}
_OF_READER = frozenset({*READING_FIELDS, "user_edits"})


def without(current: list[Any], gone: list[Any]) -> list[Any]:
    """A list without the members of another; each member counts once."""
    left = list(current)
    for member in gone:
        if member in left:
            left.remove(member)
    return left


def turned_back(field: str, current: Any, expected: Any, target: Any) -> Any:
    """A field's value after a change from ``target`` to ``expected`` is taken back.

    What somebody changed since then stays: a plain value that is no longer the expected one, and
    members of lists and maps that the change did not touch.
    """
    if current == expected:
        return target
    if field in SET_FIELDS:
        came, went = without(expected, target), without(target, expected)
        back = [member for member in went if member not in current]
        return [*without(current, came), *back]
    if field in MAP_FIELDS:
        return _turned_back_map(current, expected, target)
    return current


def _turned_back_map(
    current: Mapping[str, Any], expected: Mapping[str, Any], target: Mapping[str, Any]
) -> dict[str, Any]:
    result = dict(current)
    for key in {*expected, *target}:
        if expected.get(key) != target.get(key) and current.get(key) == expected.get(key):
            if key in target:
                result[key] = target[key]
            else:
                result.pop(key, None)
    return result
