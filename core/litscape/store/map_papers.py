"""What an exported map says of papers, read in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from litscape.store.filters import json_ids

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

    from litscape.paper import PaperId


class MapPaper(NamedTuple):
    """One paper; None where it has no such value."""

    id: int
    citekey: str
    title: str | None
    authors: str
    year: int | None
    venue: str | None
    doi: str | None


def read_papers(conn: sa.Connection, papers: Iterable[PaperId]) -> dict[PaperId, MapPaper]:
    """The papers by id; one that is gone is left out."""
    rows = conn.exec_driver_sql(
        "SELECT id, citekey, title, authors_text, year, venue, (SELECT value FROM identifiers"
        " WHERE paper_id = papers.id AND scheme = 'doi' LIMIT 1) FROM papers"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (json_ids(papers),),
    )
    return {int(row[0]): MapPaper(*row) for row in rows}
