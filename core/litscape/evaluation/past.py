"""Measurements of a library: those that were made, and what can be said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.evaluation.records import Report
from litscape.store import evaluations

if TYPE_CHECKING:
    from litscape.store.database import Database
    from litscape.store.evaluations import StoredEvaluation


@dataclass(frozen=True, slots=True)
class Past:
    """A measurement that was made.

    Attributes:
        number: its number.
        made_at: when it began (UTC, ISO 8601).
        task: what was measured.
        part: ``dev`` or ``test``.
        report: what came out; None where it did not come to its end.
    """

    number: int
    made_at: str
    task: str
    part: str
    report: Report | None


def past(database: Database) -> tuple[Past, ...]:
    """All measurements, newest first."""
    with database.read() as conn:
        rows = evaluations.all_of(conn)
    return tuple(_past(row) for row in rows)


def one(database: Database, number: int) -> Past:
    """One measurement.

    Raises:
        UserError: there is none of that number.
    """
    for row in past(database):
        if row.number == number:
            return row
    raise UserError(
        f"There is no measurement {number}; `evaluate list` shows those that there are."
    )


def forget(database: Database, number: int) -> None:
    """Remove a measurement on development queries.

    Raises:
        UserError: there is none of that number, or it opened the test, which stays noted.
    """
    if one(database, number).part == "test":
        raise UserError(
            f"Measurement {number} opened the test, which stays noted: who looked at it once has "
            "looked at it."
        )
    with database.write() as conn:
        evaluations.forget(conn, number)


def _past(row: StoredEvaluation) -> Past:
    report = Report.from_json({**row.report, "number": row.id}) if row.report else None
    return Past(row.id, row.made_at, row.task, row.split, report)
