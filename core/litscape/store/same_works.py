"""Papers that share an identifier: records of one work."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.paper import PaperId

_OF_WORKS = "scheme IN ('doi', 'arxiv', 'pmid') OR scheme GLOB 'doi.*' OR scheme GLOB 'arxiv.*'"
"""Identifiers of one work each: an ISBN is that of all chapters. ``doi.2`` is a further DOI."""


def same_identifiers(conn: sa.Connection) -> list[tuple[str, PaperId]]:
    """(identifier, live paper) of the identifiers that several papers have."""
    own = (
        "SELECT substr(scheme, 1, 3) || ' ' || value AS name, paper_id FROM identifiers"
        f" WHERE ({_OF_WORKS}) AND paper_id NOT IN"
        " (SELECT id FROM papers WHERE trashed_at IS NOT NULL)"
    )
    rows = conn.exec_driver_sql(
        f"WITH own AS MATERIALIZED ({own}) SELECT name, paper_id FROM own WHERE name IN"
        " (SELECT name FROM own GROUP BY name HAVING count(DISTINCT paper_id) > 1)"
    )
    return [(str(row[0]), int(row[1])) for row in rows]
