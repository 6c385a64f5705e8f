"""What the citation graph is read from: papers with years, links, and works cited outside.

Numbers come as one text a column, which SQLite puts together without holding up Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Collection

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.paper import PaperId

NO_YEAR = np.iinfo(np.int32).max
"""Stands for an unknown year: it is later than every other."""
_NODES = f"SELECT id, ifnull(year, {NO_YEAR}) FROM papers WHERE trashed_at IS NULL ORDER BY id"
_LINKS = "SELECT citing, cited FROM citations"
_WORKS = (
    f"SELECT paper_id, work, ifnull(year, {NO_YEAR}), ifnull(name, 0), ifnull(also, 0)"
    ' FROM "references"'
)
_WORKS_COLUMNS = 5
PART = 40_000
"""Letters that are read as numbers in one go: some milliseconds."""


class Columns(NamedTuple):
    """Rows as columns.

    Attributes:
        nodes: ids of live papers, ascending, and their years.
        links: citing and cited papers, those in the trash among them.
        works: citing paper, cited work (see :mod:`litscape.graph.cited`), the work's year, its
            name and a further identifier (0 for none).
        seq: the last change of links that is in them.
    """

    nodes: tuple[NDArray[np.int64], ...]
    links: tuple[NDArray[np.int64], ...]
    works: tuple[NDArray[np.int64], ...]
    seq: int


def read_all(conn: sa.Connection) -> Columns:
    """Everything."""
    return Columns(
        read_nodes(conn),
        _columns(conn, f"{_LINKS} ORDER BY citing, cited", 2),
        _columns(
            conn, f"{_WORKS} INDEXED BY references_work WHERE work IS NOT NULL", _WORKS_COLUMNS
        ),
        last_change(conn),
    )


def read_nodes(conn: sa.Connection) -> tuple[NDArray[np.int64], ...]:
    """Ids of the live papers, ascending, and their years (:data:`NO_YEAR` for none)."""
    return _columns(conn, _NODES, 2)


def read_links(
    conn: sa.Connection, papers: Collection[PaperId]
) -> tuple[tuple[NDArray[np.int64], ...], tuple[NDArray[np.int64], ...]]:
    """The links of some citing papers, and the works that they cite outside."""
    among = json_ids(papers)
    return (
        _columns(conn, f"{_LINKS} WHERE citing {AMONG}", 2, among),
        _columns(
            conn, f"{_WORKS} WHERE paper_id {AMONG} AND work IS NOT NULL", _WORKS_COLUMNS, among
        ),
    )


def read_blocks(conn: sa.Connection) -> tuple[NDArray[np.int64], ...]:
    """Work and block (0 for none) of each pair of these among the references, by work."""
    sql = (
        'SELECT DISTINCT work, ifnull(block, 0) FROM "references" INDEXED BY references_work'
        " WHERE work IS NOT NULL ORDER BY 1"
    )
    return _columns(conn, sql, 2)


def last_change(conn: sa.Connection) -> int:
    """The number of the last change of links."""
    found: int = conn.exec_driver_sql("SELECT ifnull(max(seq), 0) FROM link_changes").scalar_one()
    return found


def changed_since(conn: sa.Connection, seq: int) -> list[PaperId] | None:
    """The papers whose links changed since; None where that is no longer known."""
    first = conn.exec_driver_sql("SELECT min(seq) FROM link_changes").scalar()
    if first is None or (first > seq + 1 and last_change(conn) > seq):
        return None if seq else []
    rows = conn.exec_driver_sql("SELECT DISTINCT paper FROM link_changes WHERE seq > ?", (seq,))
    return [int(row[0]) for row in rows]


def _columns(
    conn: sa.Connection, sql: str, count: int, *values: str
) -> tuple[NDArray[np.int64], ...]:
    names = [f"c{n}" for n in range(count)]
    # The limit keeps SQLite from leaving out the order of an inner query.
    texts = conn.exec_driver_sql(
        f"WITH found({', '.join(names)}) AS ({sql} LIMIT -1)"
        f" SELECT {', '.join(f'group_concat({name})' for name in names)} FROM found",
        values,
    ).one()
    return tuple(_numbers(text or "") for text in texts)


def _numbers(text: str) -> NDArray[np.int64]:
    """Whole numbers between commas, a part at a time: NumPy lets no other thread run meanwhile."""
    parts = []
    start = 0
    while start < len(text):
        stop = text.find(",", start + PART)
        stop = len(text) if stop < 0 else stop
        parts.append(np.fromstring(text[start:stop], dtype=np.int64, sep=","))
        start = stop + 1
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
