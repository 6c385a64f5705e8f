"""What maps need to know of papers: which are live, and what text they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import sqlalchemy as sa
    from numpy.typing import NDArray


class LivePapers(NamedTuple):
    """Papers outside the trash as columns of the same length, by id."""

    ids: NDArray[np.int64]
    has_text: NDArray[np.bool_]
    has_abstract: NDArray[np.bool_]


def live_papers(conn: sa.Connection) -> LivePapers:
    """All papers outside the trash; one with neither title nor abstract has no text."""
    found = conn.exec_driver_sql(
        "SELECT id, sort_title <> '' OR has_abstract, has_abstract FROM papers"
        " WHERE trashed_at IS NULL ORDER BY id"
    ).all()
    # Rows of SQLAlchemy are slow to index: 0.3 s of 50,000 papers.
    table = np.array([tuple(row) for row in found], dtype=np.int64).reshape(-1, 3)
    return LivePapers(table[:, 0].copy(), table[:, 1] != 0, table[:, 2] != 0)


def papers_with_vectors(conn: sa.Connection, version: str) -> NDArray[np.int64]:
    """Papers outside the trash that have a vector of a model version, by id, int64 (n,)."""
    found = conn.exec_driver_sql(
        "SELECT v.paper_id FROM vector_rows v JOIN models m ON m.id = v.model_id"
        " JOIN papers p ON p.id = v.paper_id"
        " WHERE m.version = ? AND p.trashed_at IS NULL ORDER BY v.paper_id",
        (version,),
    ).scalars()
    return np.fromiter(found, dtype=np.int64)
