"""Citation links between papers of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

    from litscape.paper import PaperId


def cites_of(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, tuple[PaperId, ...]]:
    """Which papers each of the given ones cites, ascending; those that cite none are left out."""
    return _grouped(
        conn,
        f"SELECT citing, cited FROM citations WHERE citing {AMONG} ORDER BY citing, cited",
        ids,
    )


def cited_by(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, tuple[PaperId, ...]]:
    """Which papers cite each of the given ones, ascending; those never cited are left out."""
    return _grouped(
        conn, f"SELECT cited, citing FROM citations WHERE cited {AMONG} ORDER BY cited, citing", ids
    )


def _grouped(
    conn: sa.Connection, sql: str, ids: Iterable[PaperId]
) -> dict[PaperId, tuple[PaperId, ...]]:
    found: dict[PaperId, list[PaperId]] = {}
    for key, other in conn.exec_driver_sql(sql, (json_ids(ids),)):
        found.setdefault(key, []).append(other)
    return {key: tuple(others) for key, others in found.items()}


def edges(conn: sa.Connection) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """All links as (citing, cited), (n, 2) int64, by citing then cited; the trash is in it."""
    rows = conn.exec_driver_sql("SELECT citing, cited FROM citations ORDER BY citing, cited")
    return np.array(rows.fetchall(), dtype=np.int64).reshape(-1, 2)


def count_citations(conn: sa.Connection) -> int:
    """How many links there are between papers of the library."""
    found: int = conn.exec_driver_sql("SELECT count(*) FROM citations").scalar_one()
    return found
