"""Counts of what a library holds, for one look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlalchemy as sa


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a library holds; papers in the trash count only as ``trashed``."""

    papers: int
    with_abstracts: int
    trashed: int
    citations: int
    references: int
    collections: int
    tags: int
    without_text: int
    """Live papers with neither title nor abstract."""


_COUNTS = """
SELECT
  (SELECT count(*) FROM papers WHERE trashed_at IS NULL),
  (SELECT count(*) FROM papers WHERE trashed_at IS NULL AND abstract IS NOT NULL),
  (SELECT count(*) FROM papers WHERE trashed_at IS NOT NULL),
  (SELECT count(*) FROM citations
     JOIN papers a ON a.id = citing AND a.trashed_at IS NULL
     JOIN papers b ON b.id = cited AND b.trashed_at IS NULL),
  (SELECT count(*) FROM "references" JOIN papers p ON p.id = paper_id AND p.trashed_at IS NULL),
  (SELECT count(*) FROM collections),
  (SELECT count(*) FROM tags),
  (SELECT count(*) FROM papers WHERE trashed_at IS NULL AND sort_title = '' AND NOT has_abstract)
"""


def count_all(conn: sa.Connection) -> Counts:
    """All counts in one statement, so that they are of one moment."""
    return Counts(*conn.exec_driver_sql(_COUNTS).one())


def count_with_text(conn: sa.Connection) -> int:
    """How many live papers have a title or an abstract."""
    found: int = conn.exec_driver_sql(
        "SELECT count(*) FROM papers"
        " WHERE trashed_at IS NULL AND (sort_title <> '' OR has_abstract)"
    ).scalar_one()
    return found
