"""Saved searches: a name for a query and the way it is searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlalchemy as sa


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """One saved search; ``mode`` is lexical, semantic or hybrid."""

    id: int
    name: str
    query: str
    mode: str


def list_saved(conn: sa.Connection) -> tuple[SavedSearch, ...]:
    """All saved searches by name, whatever the case."""
    rows = conn.exec_driver_sql(
        "SELECT id, name, query, mode FROM saved_searches ORDER BY sort_text(name), id"
    )
    return tuple(SavedSearch(*row) for row in rows)


def put_saved(conn: sa.Connection, saved: SavedSearch) -> None:
    """Write a saved search under its id, over what has that id.

    A name that another one has raises ``sqlalchemy.exc.IntegrityError``: look first.
    """
    conn.exec_driver_sql(
        "INSERT INTO saved_searches(id, name, query, mode) VALUES (?, ?, ?, ?)"
        " ON CONFLICT(id) DO UPDATE SET"
        " name = excluded.name, query = excluded.query, mode = excluded.mode",
        (saved.id, saved.name, saved.query, saved.mode),
    )


def next_saved_id(conn: sa.Connection) -> int:
    """A free id for a new saved search."""
    found: int = conn.exec_driver_sql(
        "SELECT ifnull(max(id), 0) + 1 FROM saved_searches"
    ).scalar_one()
    return found


def delete_saved(conn: sa.Connection, saved_id: int) -> None:
    """Remove a saved search; nothing happens where there is none with that id."""
    conn.exec_driver_sql("DELETE FROM saved_searches WHERE id = ?", (saved_id,))
