"""Rows of model versions, and which of them is active."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ACTIVE = "model.active"
_FORMER = "model.former"


@dataclass(frozen=True, slots=True)
class StoredModel:
    """One row: the version, where its folder lies, and its card as JSON."""

    id: int
    version: str
    dim: int
    location: str
    card: str


def list_models(conn: Connection) -> list[StoredModel]:
    """All versions that this library knows, oldest first."""
    rows = conn.exec_driver_sql("SELECT id, version, dim, location, card FROM models ORDER BY id")
    return [StoredModel(*row) for row in rows]


def find_model(conn: Connection, version: str) -> StoredModel | None:
    """The row of one version."""
    row = conn.exec_driver_sql(
        "SELECT id, version, dim, location, card FROM models WHERE version = ?", (version,)
    ).first()
    return StoredModel(*row) if row else None


def put_model(
    conn: Connection, *, version: str, name: str, dim: int, location: str, card: str
) -> int:
    """Insert a version, or bring a known one's place and card up to date; returns its row id."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    conn.exec_driver_sql(
        "INSERT INTO models (version, name, dim, location, card, added_at) VALUES (?,?,?,?,?,?)"
        " ON CONFLICT (version) DO UPDATE SET location = excluded.location, card = excluded.card,"
        " name = excluded.name",
        (version, name, dim, location, card, now),
    )
    row = conn.exec_driver_sql("SELECT id FROM models WHERE version = ?", (version,)).one()
    return int(row[0])


def active_version(conn: Connection) -> str | None:
    """The version that this library embeds and searches with; None for the bundled one."""
    row = conn.exec_driver_sql("SELECT value FROM settings WHERE key = ?", (_ACTIVE,)).first()
    return str(row[0]) if row else None


def set_active_version(conn: Connection, version: str) -> None:
    """Make a version the active one."""
    conn.exec_driver_sql(
        "INSERT INTO settings (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_ACTIVE, version),
    )


def former_version(conn: Connection) -> str | None:
    """The version that was active before the present one; None where there was no other."""
    row = conn.exec_driver_sql("SELECT value FROM settings WHERE key = ?", (_FORMER,)).first()
    return str(row[0]) if row else None


def set_former_version(conn: Connection, version: str) -> None:
    """Note which version was active before the present one."""
    conn.exec_driver_sql(
        "INSERT INTO settings (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_FORMER, version),
    )


def drop_model(conn: Connection, version: str) -> None:
    """Forget a version, whose vectors they are with it."""
    conn.exec_driver_sql("DELETE FROM models WHERE version = ?", (version,))
    conn.exec_driver_sql("DELETE FROM settings WHERE key = ? AND value = ?", (_FORMER, version))
