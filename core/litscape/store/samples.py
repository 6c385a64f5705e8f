"""Some texts of a library, spread over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlalchemy as sa

_BEGINNING = 300


def sample_texts(conn: sa.Connection, most: int) -> list[str]:
    """Title and the beginning of the abstract of live papers, each nth of them, about ``most``."""
    highest: int = conn.exec_driver_sql("SELECT ifnull(max(id), 0) FROM papers").scalar_one()
    rows = conn.exec_driver_sql(
        "SELECT ifnull(title, '') || ' ' || substr(ifnull(abstract, ''), 1, ?) FROM papers"
        " WHERE trashed_at IS NULL AND id % ? = 0",
        (_BEGINNING, max(1, highest // most)),
    )
    return [str(text) for text in rows.scalars()]
