"""Read states, ratings, colours and the reading list as rows; papers without any have none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from litscape.reading import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperDraft, PaperId

_NAMES = ", ".join(FIELDS)
_NOTHING = " AND ".join(f"{name} IS NULL" for name in FIELDS)


def read_reading(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, dict[str, Any]]:
    """The values of :data:`litscape.reading.FIELDS` by paper; papers without any are left out."""
    rows = conn.exec_driver_sql(
        f"SELECT paper_id, {_NAMES} FROM reading"
        " WHERE paper_id IN (SELECT value FROM json_each(?))",
        (json.dumps([int(paper) for paper in ids]),),
    )
    return {row[0]: dict(zip(FIELDS, row[1:], strict=True)) for row in rows}


def insert_reading(conn: sa.Connection, papers: Sequence[tuple[PaperId, PaperDraft]]) -> None:
    """Write what drafts of new papers hold of it."""
    rows = [(paper, *[getattr(draft, name) for name in FIELDS]) for paper, draft in papers]
    marked = [row for row in rows if any(value is not None for value in row[1:])]
    if marked:
        conn.exec_driver_sql(
            f"INSERT INTO reading(paper_id, {_NAMES}) VALUES (?, ?, ?, ?, ?, ?)", marked
        )


def set_reading(conn: sa.Connection, paper: PaperId, values: Mapping[str, Any]) -> None:
    """Set some of the fields of one paper; a row without any is taken out."""
    names = ", ".join(values)
    updates = ", ".join(f"{name} = excluded.{name}" for name in values)
    conn.exec_driver_sql(
        f"INSERT INTO reading(paper_id, {names}) VALUES (?{', ?' * len(values)})"
        f" ON CONFLICT (paper_id) DO UPDATE SET {updates}",
        (paper, *values.values()),
    )
    if None in values.values():
        conn.exec_driver_sql(f"DELETE FROM reading WHERE paper_id = ? AND {_NOTHING}", (paper,))
