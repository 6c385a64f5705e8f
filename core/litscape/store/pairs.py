"""Pairs of papers that a person said something of: no duplicates, or related."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.store.bulk import now
from litscape.store.entities import COLUMNS
from litscape.store.filters import json_ids
from litscape.store.history import create_row, remove_row

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.history import Recorder

Pair = tuple["PaperId", "PaperId"]
"""Two papers, the lower id first."""
REFUSED = "refused_pair"
"""Two works, not one that is there twice."""
RELATED = "related_pair"
"""Papers that belong together, so that no training pushes them apart."""


def pair_of(a: PaperId, b: PaperId) -> Pair:
    """Two papers in the order in which a pair is stored."""
    return (a, b) if a < b else (b, a)


def all_pairs(conn: sa.Connection, kind: str) -> dict[Pair, str]:
    """Pairs of papers, all there, of a kind, and when that was said; by time."""
    rows = conn.exec_driver_sql(
        f"SELECT r.paper_a, r.paper_b, r.made_at FROM {COLUMNS[kind][0]} r"
        " JOIN papers a ON a.id = r.paper_a JOIN papers b ON b.id = r.paper_b ORDER BY r.id"
    )
    return {(row[0], row[1]): row[2] for row in rows.fetchall()}


def rows_of(conn: sa.Connection, kind: str, ids: Iterable[PaperId]) -> dict[Pair, int]:
    """The pairs of a kind with any of these papers, with the ids of their rows."""
    table, among = COLUMNS[kind][0], json_ids(ids)
    inside = "IN (SELECT value FROM json_each(?))"
    rows = conn.exec_driver_sql(
        f"SELECT id, paper_a, paper_b FROM {table} WHERE paper_a {inside}"
        f" UNION SELECT id, paper_a, paper_b FROM {table} WHERE paper_b {inside} ORDER BY 1",
        (among, among),
    )
    return {(row[1], row[2]): int(row[0]) for row in rows.fetchall()}


def put(recorder: Recorder, kind: str, pairs: Iterable[Pair]) -> None:
    """Remember pairs; those that are there already stay as they are."""
    wanted = list(pairs)
    known = rows_of(recorder.conn, kind, {paper for pair in wanted for paper in pair})
    stamp = now()
    for a, b in wanted:
        if (a, b) not in known:
            create_row(recorder, kind, {"paper_a": a, "paper_b": b, "made_at": stamp})


def take(recorder: Recorder, kind: str, pairs: Iterable[Pair]) -> None:
    """Forget pairs; those that are not there are passed over."""
    wanted = list(pairs)
    known = rows_of(recorder.conn, kind, {paper for pair in wanted for paper in pair})
    for pair in wanted:
        if pair in known:
            remove_row(recorder, kind, known[pair])


def pass_on(recorder: Recorder, kind: str, kept: PaperId, gone: Collection[PaperId]) -> None:
    """What was said of papers is said of the one that takes them in."""
    passed_on = []
    for (a, b), row in rows_of(recorder.conn, kind, {kept, *gone}).items():
        inside = {a, b}.intersection(gone)
        if inside:
            remove_row(recorder, kind, row)
            others = {a, b} - set(gone) - {kept}
            passed_on += [pair_of(kept, other) for other in others]
    put(recorder, kind, dict.fromkeys(passed_on))
