"""Measurements that were made: when, of what, and what came out, as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlalchemy as sa


@dataclass(frozen=True, slots=True)
class StoredEvaluation:
    """One measurement.

    Attributes:
        id: its number, never used twice.
        made_at: when it began (UTC, ISO 8601).
        task: what was measured.
        split: ``dev`` or ``test``: test queries were opened by it, whether or not it ended.
        model: the model version.
        seed: of the draws.
        report: what came out; None where it did not come to its end.
    """

    id: int
    made_at: str
    task: str
    split: str
    model: str
    seed: int
    report: dict[str, Any] | None


OTHERS = ("separation",)
"""Tasks that do not measure search."""
_COLUMNS = "id, made_at, task, split, model, seed, report"


def begin(conn: sa.Connection, made_at: str, task: str, split: str, model: str, seed: int) -> int:
    """Note that a measurement begins; returns its number."""
    row = conn.exec_driver_sql(
        "INSERT INTO evaluations(made_at, task, split, model, seed) VALUES (?, ?, ?, ?, ?)"
        " RETURNING id",
        (made_at, task, split, model, seed),
    )
    return int(row.scalar_one())


def finish(conn: sa.Connection, number: int, report: dict[str, Any]) -> None:
    """Note what came out."""
    conn.exec_driver_sql(
        "UPDATE evaluations SET report = ? WHERE id = ?",
        (json.dumps(report, ensure_ascii=False), number),
    )


def forget(conn: sa.Connection, number: int) -> bool:
    """Remove a measurement on development queries; those that opened the test stay.

    Returns:
        Whether there was one.
    """
    found = conn.exec_driver_sql(
        "DELETE FROM evaluations WHERE id = ? AND split <> 'test'", (number,)
    )
    return found.rowcount > 0


def all_of(conn: sa.Connection, *tasks: str) -> tuple[StoredEvaluation, ...]:
    """All measurements of some tasks (of search where none is named), newest first."""
    which = "task IN" if tasks else "task NOT IN"
    rows = conn.exec_driver_sql(
        f"SELECT {_COLUMNS} FROM evaluations WHERE {which} (SELECT value FROM json_each(?))"
        " ORDER BY id DESC",
        (json.dumps(tasks or OTHERS),),
    )
    return tuple(
        StoredEvaluation(
            id=int(row[0]),
            made_at=row[1],
            task=row[2],
            split=row[3],
            model=row[4],
            seed=int(row[5]),
            report=json.loads(row[6]) if row[6] else None,
        )
        for row in rows
    )


def count_opened(conn: sa.Connection, task: str) -> int:
    """How often the test queries of a task were opened."""
    found: int = conn.exec_driver_sql(
        "SELECT count(*) FROM evaluations WHERE task = ? AND split = 'test'", (task,)
    ).scalar_one()
    return found
