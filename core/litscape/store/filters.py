"""Which papers a view shows and in which order, as ids.

All but ``has_abstract`` is answered from the index ``papers_list``, without reading the papers.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.errors import UserError
from litscape.sorting import sort_text
from litscape.store import facets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import sqlalchemy as sa

    from litscape.paper import PaperFilter

AMONG = "IN (SELECT value FROM json_each(?))"
"""SQL for "is one of the ids given by :func:`json_ids`", whatever their number."""
SORT_KEYS = {
    "title": "sort_title",
    "authors": "sort_authors",
    "year": "year",
    "venue": "sort_text(venue)",
    "added": "added_at",
    "citekey": "citekey COLLATE NOCASE",
    "type": "type",
    "rating": "(SELECT rating FROM reading WHERE paper_id = id)",
    "read": "(SELECT read_at FROM reading WHERE paper_id = id)",
    "list": "(SELECT list_position FROM reading WHERE paper_id = id)",
}
_MISSING = {
    "title": "sort_title = ''",
    "authors": "sort_authors = ''",
    "year": "year IS NULL",
    "venue": "venue IS NULL",
    "type": "type IS NULL",
    "rating": "id NOT IN (SELECT paper_id FROM reading WHERE rating IS NOT NULL)",
    "read": "id NOT IN (SELECT paper_id FROM reading WHERE read_at IS NOT NULL)",
    "list": "id NOT IN (SELECT paper_id FROM reading WHERE list_position IS NOT NULL)",
}
_TERM_COLUMNS = {
    "title": ("sort_title",),
    "authors": ("sort_authors",),
    "venue": ("sort_text(venue)",),
    "any": ("sort_title", "sort_authors", "sort_text(venue)", "lower(citekey)"),
}


HAS = {
    "abstract": "has_abstract = 1",
    "year": "year IS NOT NULL",
    "venue": "venue IS NOT NULL",
    "author": "sort_authors <> ''",
    "doi": "id IN (SELECT paper_id FROM identifiers WHERE scheme = 'doi')",
    "file": "id IN (SELECT paper_id FROM files)",
    "pdf": "id IN (SELECT paper_id FROM files WHERE mime = 'application/pdf' OR path LIKE '%.pdf')",
    "note": "id IN (SELECT paper_id FROM notes)",
    "tag": "id IN (SELECT paper_id FROM paper_tags)",
    "collection": "id IN (SELECT paper_id FROM paper_collections)",
    "references": "(id IN (SELECT citing FROM citations)"
    ' OR id IN (SELECT paper_id FROM "references"))',
    "citations": "id IN (SELECT cited FROM citations)",
}
"""What a paper may have, as conditions."""
IS = {
    "unread": "id NOT IN (SELECT paper_id FROM reading WHERE read_state IS NOT NULL)",
    "reading": "id IN (SELECT paper_id FROM reading WHERE read_state = 'reading')",
    "read": "id IN (SELECT paper_id FROM reading WHERE read_state = 'read')",
    "rated": "id IN (SELECT paper_id FROM reading WHERE rating IS NOT NULL)",
    "coloured": "id IN (SELECT paper_id FROM reading WHERE colour IS NOT NULL)",
    "listed": "id IN (SELECT paper_id FROM reading WHERE list_position IS NOT NULL)",
}
"""What a paper may be to its reader; one that nobody marked is unread."""


_TOPICS = (
    "id IN (WITH RECURSIVE part(id) AS (SELECT value FROM json_each(?) UNION"
    " SELECT t.id FROM topics t JOIN part ON t.parent_id = part.id)"
    " SELECT one.value FROM topics JOIN part ON part.id = topics.id, json_each(members) one)"
)
_NO_TOPIC = (
    "(? IS NOT NULL AND id NOT IN (SELECT one.value FROM topics, json_each(members) one"
    " WHERE tree_id = (SELECT id FROM topic_trees"
    " ORDER BY scope = 'All papers' DESC, id DESC LIMIT 1)))"
)


def json_ids(ids: Iterable[int]) -> str:
    """Ids as the one parameter that :data:`AMONG` takes."""
    return json.dumps([int(value) for value in ids])


def find_ids(
    conn: sa.Connection, flt: PaperFilter, sort: str = "added", descending: bool = False
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The ids of the papers that a filter lets through, in order, (n,) int64.

    Papers that lack the sort key come last either way; ties go by title, or by id for "added".

    Raises:
        UserError: there is no such sort key or filter field.
    """
    if sort not in SORT_KEYS:
        raise UserError(f"Papers can't be sorted by {sort!r}; use one of {', '.join(SORT_KEYS)}.")
    condition, values = where(flt)
    way = " DESC" if descending else ""
    order = [f"{_MISSING[sort]}"] if sort in _MISSING else []
    order.append(SORT_KEYS[sort] + way)
    order.append("id" + way if sort == "added" else "sort_title, id")
    # As one text, which SQLite puts together without holding up Python: row by row, 50,000 ids are
    # felt in the window. The limit keeps SQLite from leaving out the order of an inner query.
    text = conn.exec_driver_sql(
        f"SELECT group_concat(id) FROM (SELECT id FROM papers WHERE {condition}"
        f" ORDER BY {', '.join(order)} LIMIT -1)",
        tuple(values),
    ).scalar_one()
    return np.fromstring(text or "", dtype=np.int64, sep=",")


def count(conn: sa.Connection, flt: PaperFilter) -> int:
    """How many papers a filter lets through."""
    condition, values = where(flt)
    found: int = conn.exec_driver_sql(
        f"SELECT count(*) FROM papers WHERE {condition}", tuple(values)
    ).scalar_one()
    return found


def where(flt: PaperFilter) -> tuple[str, list[Any]]:
    """A filter as an SQL condition on ``papers`` and the values of its parameters.

    Raises:
        UserError: there is no such filter field.
    """
    parts = ["trashed_at IS NOT NULL" if flt.trashed else "trashed_at IS NULL"]
    values: list[Any] = []

    def add(sql: str, *more: Any) -> None:
        parts.append(sql)
        values.extend(more)

    if flt.ids is not None:
        add(f"id {AMONG}", json_ids(flt.ids))
    if flt.collection is not None:
        add(*_in_collection(flt.collection, flt.with_subcollections))
    for tag in flt.tags:
        add(
            "id IN (SELECT paper_id FROM paper_tags WHERE tag_id ="
            " (SELECT id FROM tags WHERE name = ?))",
            tag,
        )
    if flt.batch is not None:
        add("id IN (SELECT paper_id FROM batch_papers WHERE batch_id = ?)", flt.batch)
    if flt.year_from is not None:
        add("year >= ?", flt.year_from)
    if flt.year_to is not None:
        add("year <= ?", flt.year_to)
    if flt.types:
        add(f"type {AMONG}", json.dumps(flt.types))
    if flt.has_abstract is not None:
        add("has_abstract = ?", int(flt.has_abstract))
    for field, text in flt.terms:
        add(*_term(field, text))
    for sql, *more in _of_query(flt):
        add(sql, *more)
    return " AND ".join(parts), values


def _of_query(flt: PaperFilter) -> Iterator[tuple[Any, ...]]:
    """Conditions that queries make: each an SQL text and the values of its parameters.

    Raises:
        UserError: nothing of a name can be had by papers.
    """
    for group in flt.within:
        yield (
            "id IN (WITH RECURSIVE tree(id) AS (SELECT value FROM json_each(?) UNION"
            " SELECT c.id FROM collections c JOIN tree ON c.parent_id = tree.id)"
            " SELECT paper_id FROM paper_collections"
            " WHERE collection_id IN (SELECT id FROM tree))",
            json_ids(group),
        )
    for group in flt.topics:
        yield _TOPICS if 0 not in group else _NO_TOPIC, json_ids(group)
    for name in flt.has:
        if name not in HAS:
            raise UserError(f"Papers have no {name!r}; use one of {', '.join(HAS)}.")
        yield (HAS[name],)
    yield from _of_reading(flt)
    yield from facets.conditions(flt)
    for paper in flt.cites:
        yield "id IN (SELECT citing FROM citations WHERE cited = ?)", paper
    for paper in flt.cited_by:
        yield "id IN (SELECT cited FROM citations WHERE citing = ?)", paper


def _of_reading(flt: PaperFilter) -> Iterator[tuple[Any, ...]]:
    """Conditions on what a person made of papers.

    Raises:
        UserError: papers can't be what was named.
    """
    for name in flt.is_:
        if name not in IS:
            raise UserError(f"No paper is {name!r}; use one of {', '.join(IS)}.")
        yield (IS[name],)
    marked = "id IN (SELECT paper_id FROM reading WHERE {})"
    if flt.rating_from is not None:
        yield marked.format("rating >= ?"), flt.rating_from
    if flt.rating_to == 0:
        yield ("id NOT IN (SELECT paper_id FROM reading WHERE rating IS NOT NULL)",)
    elif flt.rating_to is not None:
        yield marked.format("rating <= ?"), flt.rating_to
    if flt.colours:
        yield marked.format(f"colour {AMONG}"), json.dumps(flt.colours)


def _in_collection(collection: int, nested: bool) -> tuple[str, int]:
    if not nested:
        return "id IN (SELECT paper_id FROM paper_collections WHERE collection_id = ?)", collection
    return (
        "id IN (WITH RECURSIVE tree(id) AS (SELECT ? UNION SELECT c.id FROM collections c"
        " JOIN tree ON c.parent_id = tree.id)"
        " SELECT paper_id FROM paper_collections WHERE collection_id IN (SELECT id FROM tree))",
        collection,
    )


def _term(field: str, text: str) -> tuple[str, ...]:
    if field not in _TERM_COLUMNS:
        raise UserError(
            f"Papers can't be filtered by {field!r}; use one of {', '.join(_TERM_COLUMNS)}."
        )
    columns = _TERM_COLUMNS[field]
    sql = " OR ".join(f"instr({column}, ?) > 0" for column in columns)
    return f"({sql})", *([sort_text(text)] * len(columns))
