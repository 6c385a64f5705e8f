"""Settings that belong to one library and travel with it, as JSON values by key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlalchemy as sa


def get_setting(conn: sa.Connection, key: str, default: Any = None) -> Any:
    """The stored value, or the default where there is none."""
    found = conn.exec_driver_sql("SELECT value FROM settings WHERE key = ?", (key,)).scalar()
    return default if found is None else json.loads(found)


def put_setting(conn: sa.Connection, key: str, value: Any) -> None:
    """Store a value that JSON can hold; None removes the setting."""
    if value is None:
        conn.exec_driver_sql("DELETE FROM settings WHERE key = ?", (key,))
        return
    conn.exec_driver_sql(
        "INSERT INTO settings(key, value) VALUES (?, ?)"
        " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        (key, json.dumps(value, ensure_ascii=False)),
    )
