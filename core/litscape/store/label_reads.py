"""Which papers carry which labels: tags, collections, venues, fields, keywords."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.store.filters import json_ids

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

    from litscape.paper import PaperId

_LIVE = "JOIN papers ON papers.id = paper_id AND trashed_at IS NULL"
_ABOVE = (
    "WITH RECURSIVE above(id, path) AS (SELECT id, name FROM collections WHERE parent_id IS NULL"
    " UNION ALL SELECT c.id, above.path || '/' || c.name FROM collections c"
    " JOIN above ON c.parent_id = above.id) "
)
SOURCES = {
    "tags": (
        f"SELECT tags.name, paper_id FROM paper_tags JOIN tags ON tags.id = tag_id {_LIVE}"
        " ORDER BY paper_id, tags.name"
    ),
    "collections": (
        f"{_ABOVE}SELECT above.path, paper_id FROM paper_collections"
        f" JOIN above ON above.id = collection_id {_LIVE} ORDER BY paper_id, above.path"
    ),
    "venue": (
        "SELECT venue, id FROM papers WHERE trashed_at IS NULL AND venue IS NOT NULL ORDER BY id"
    ),
    "field": (
        f"SELECT term, paper_id FROM fields {_LIVE} WHERE position ="
        " (SELECT min(position) FROM fields f WHERE f.paper_id = fields.paper_id)"
        " ORDER BY paper_id"
    ),
    "mesh": f"SELECT term, paper_id FROM fields {_LIVE} ORDER BY paper_id, position",
    "keywords": f"SELECT term, paper_id FROM keywords {_LIVE} ORDER BY paper_id, position",
}
"""SQL by kind of label: (label as it is written, paper), for papers that are not in the trash."""


def label_pairs(conn: sa.Connection, source: str) -> list[tuple[str, int]]:
    """Every label and a paper that carries it, by paper."""
    return [(str(row[0]), int(row[1])) for row in conn.exec_driver_sql(SOURCES[source])]


def titles(conn: sa.Connection, papers: Iterable[PaperId]) -> dict[PaperId, str]:
    """Titles of papers; empty for those that have none."""
    rows = conn.exec_driver_sql(
        "SELECT id, ifnull(title, '') FROM papers WHERE id IN (SELECT value FROM json_each(?))",
        (json_ids(papers),),
    )
    return {int(row[0]): str(row[1]) for row in rows}
