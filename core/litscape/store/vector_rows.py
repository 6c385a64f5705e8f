"""Which row of a model version's vector file is whose, and how it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from sqlalchemy import Connection


class VectorRow(NamedTuple):
    """One row; ``fingerprint`` is 16 bytes of the text and 4 of the stored vector's CRC-32."""

    paper_id: int
    row: int
    fingerprint: bytes
    backend: str


def live_rows(conn: Connection, model_id: int) -> tuple[NDArray[np.int64], list[bytes]]:
    """Rows of papers that exist outside the trash, by row.

    Returns:
        Pairs (row, paper id), int64 (n, 2), and their stored fingerprints (n,).
    """
    found = conn.exec_driver_sql(
        "SELECT v.row, v.paper_id, v.fingerprint FROM vector_rows v"
        " JOIN papers p ON p.id = v.paper_id"
        " WHERE v.model_id = ? AND p.trashed_at IS NULL ORDER BY v.row",
        (model_id,),
    ).all()
    places = np.array([(row, paper) for row, paper, _mark in found], dtype=np.int64)
    return places.reshape(-1, 2), [bytes(mark) for _row, _paper, mark in found]


def used_rows(conn: Connection, model_id: int) -> NDArray[np.int64]:
    """All rows in use, ascending, int64 (n,)."""
    found = conn.exec_driver_sql(
        "SELECT row FROM vector_rows WHERE model_id = ? ORDER BY row", (model_id,)
    ).scalars()
    return np.fromiter(found, dtype=np.int64)


def last_row(conn: Connection, model_id: int) -> int:
    """The last row in use, -1 where there is none."""
    sql = "SELECT ifnull(max(row), -1) FROM vector_rows WHERE model_id = ?"
    return int(conn.exec_driver_sql(sql, (model_id,)).scalar_one())


def all_rows(conn: Connection, model_id: int) -> list[VectorRow]:
    """Every row of a model version, by row; papers that are gone included."""
    found = conn.exec_driver_sql(
        "SELECT paper_id, row, fingerprint, backend FROM vector_rows WHERE model_id = ?"
        " ORDER BY row",
        (model_id,),
    )
    return [VectorRow(*line) for line in found]


def gone_papers(conn: Connection, model_id: int) -> list[int]:
    """Papers with a row that are not in the library, nor in its trash."""
    found = conn.exec_driver_sql(
        "SELECT v.paper_id FROM vector_rows v LEFT JOIN papers p ON p.id = v.paper_id"
        " WHERE v.model_id = ? AND p.id IS NULL",
        (model_id,),
    )
    return [int(line[0]) for line in found]


def unreachable_papers(conn: Connection, model_id: int) -> list[int]:
    """Papers with a row that are gone and that neither undo nor redo can bring back."""
    found = conn.exec_driver_sql(
        "SELECT DISTINCT i.entity_id FROM change_items i JOIN changes c ON c.id = i.change_id"
        " WHERE i.entity = 'paper' AND c.state <> 'dropped'"
    ).scalars()
    gone = gone_papers(conn, model_id)
    return sorted(set(gone).difference(found)) if gone else []


def put_rows(conn: Connection, model_id: int, rows: Iterable[VectorRow]) -> None:
    """Insert rows, replacing those of the same papers."""
    values = [(model_id, *row) for row in rows]
    if values:
        conn.exec_driver_sql(
            "INSERT OR REPLACE INTO vector_rows (model_id, paper_id, row, fingerprint, backend)"
            " VALUES (?,?,?,?,?)",
            values,
        )


def drop_rows(conn: Connection, model_id: int, paper_ids: Sequence[int]) -> None:
    """Forget the rows of some papers."""
    values = [(model_id, paper_id) for paper_id in paper_ids]
    if values:
        conn.exec_driver_sql("DELETE FROM vector_rows WHERE model_id = ? AND paper_id = ?", values)


def count_live(conn: Connection, model_id: int) -> int:
    """How many papers outside the trash that have a text have a row."""
    row = conn.exec_driver_sql(
        "SELECT count(*) FROM vector_rows v JOIN papers p ON p.id = v.paper_id"
        " WHERE v.model_id = ? AND p.trashed_at IS NULL AND (p.sort_title <> '' OR p.has_abstract)",
        (model_id,),
    ).one()
    return int(row[0])
