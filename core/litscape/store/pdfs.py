"""Which papers have a PDF, and where relative paths to them start."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from litscape.paper import FileLink
from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

    from litscape.paper import PaperId


def papers_with_pdf(conn: sa.Connection) -> list[PaperId]:
    """Live papers with an attached PDF, by id."""
    rows = conn.exec_driver_sql(
        "SELECT DISTINCT p.id FROM papers p JOIN files f ON f.paper_id = p.id"
        " WHERE p.trashed_at IS NULL AND (f.mime = 'application/pdf' OR f.path LIKE '%.pdf')"
        " ORDER BY p.id"
    )
    return [row[0] for row in rows]


def linked_pdfs(conn: sa.Connection) -> list[tuple[PaperId, bool, FileLink]]:
    """Papers with an attached PDF, whether they are outside the trash, and the file; by paper."""
    rows = conn.exec_driver_sql(
        "SELECT p.id, p.trashed_at IS NULL, f.path, f.title, f.mime, f.base FROM files f"
        " JOIN papers p ON p.id = f.paper_id"
        " WHERE f.mime = 'application/pdf' OR f.path LIKE '%.pdf' ORDER BY p.id, f.position"
    )
    return [(row[0], bool(row[1]), FileLink(*row[2:])) for row in rows]


def folders_of(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, list[str]]:
    """The folders of the files that papers were imported from."""
    rows = conn.exec_driver_sql(
        "SELECT DISTINCT r.paper_id, s.location FROM records r JOIN sources s ON s.id = r.source_id"
        f" WHERE r.paper_id {AMONG} ORDER BY r.paper_id, s.location",
        (json_ids(ids),),
    )
    found: dict[PaperId, list[str]] = {}
    for paper, location in rows:
        if os.path.isabs(location):
            found.setdefault(paper, []).append(os.path.dirname(location))
    return found
