"""Items of the history that came after a change, and their rewriting once it is taken out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litscape.store.entities import COLUMNS
from litscape.store.filters import AMONG, json_ids
from litscape.store.history import IMPORT, as_json, packed, stored, unpacked, update_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.images import Image

GIVEN = "given"
"""An item that changes nothing: what a record gave a paper that another change brought."""
_RECORD = ("id", *COLUMNS["record"][1])


@dataclass(slots=True)
class Later:
    """An item of a later change; ``imported`` where that is an import."""

    change: int
    position: int
    entity: str
    entity_id: int
    before: Image | None
    after: Image | None
    imported: bool = False


def any_later(conn: sa.Connection, change_id: int) -> bool:
    """Whether a change that is not undone came after one."""
    sql = "SELECT 1 FROM changes WHERE id > ? AND state = 'done' LIMIT 1"
    return conn.exec_driver_sql(sql, (change_id,)).first() is not None


def later_items(
    conn: sa.Connection, change_id: int, entities: Iterable[str], ids: Iterable[int]
) -> list[Later]:
    """What later changes, not undone, did to some things, in the order in which it happened."""
    rows = conn.exec_driver_sql(
        "SELECT i.change_id, i.position, i.entity, i.entity_id, i.before, i.after, c.kind = ?"
        " FROM changes c JOIN change_items i ON i.change_id = c.id"
        f" WHERE c.id > ? AND c.state = 'done' AND i.entity_id {AMONG}"
        " AND i.entity IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
        (IMPORT, change_id, json_ids(ids), _json_names(entities)),
    )
    return [Later(r[0], r[1], r[2], r[3], unpacked(r[4]), unpacked(r[5]), bool(r[6])) for r in rows]


def _json_names(names: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def write_item(conn: sa.Connection, item: Later) -> None:
    """Write an item anew, or behind the others of its change where its position is negative."""
    if item.position < 0:
        item.position = int(
            conn.exec_driver_sql(
                "SELECT ifnull(max(position), -1) + 1 FROM change_items WHERE change_id = ?",
                (item.change,),
            ).scalar_one()
        )
    conn.exec_driver_sql(
        "INSERT OR REPLACE INTO change_items(change_id, position, entity, entity_id, before, after)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            item.change,
            item.position,
            item.entity,
            item.entity_id,
            packed(item.before),
            packed(item.after),
        ),
    )


def drop_item(conn: sa.Connection, change_id: int, position: int) -> None:
    """Take an item out of its change."""
    conn.exec_driver_sql(
        "DELETE FROM change_items WHERE change_id = ? AND position = ?", (change_id, position)
    )


def record_rows(conn: sa.Connection, column: str, ids: Iterable[int]) -> list[list[Any]]:
    """Whole rows of records, by their ``id`` or ``paper_id``, as JSON values."""
    rows = conn.exec_driver_sql(
        f"SELECT {', '.join(_RECORD)} FROM records WHERE {column} {AMONG} ORDER BY id",
        (json_ids(ids),),
    )
    return [[as_json(value) for value in row] for row in rows]


def delete_records(conn: sa.Connection, ids: Iterable[int]) -> None:
    """Remove rows of records."""
    conn.exec_driver_sql(f"DELETE FROM records WHERE id {AMONG}", (json_ids(ids),))


def put_records_back(conn: sa.Connection, rows: Sequence[Sequence[Any]]) -> None:
    """Write rows of records as they were; a key that another one has now stays with that one."""
    for row in rows:
        conn.exec_driver_sql("DELETE FROM records WHERE id = ?", (row[0],))
        conn.exec_driver_sql(
            f"INSERT OR IGNORE INTO records({', '.join(_RECORD)})"
            f" SELECT {', '.join('?' * len(_RECORD))}"
            " WHERE EXISTS (SELECT 1 FROM papers WHERE id = ?)",
            (*(stored(value) for value in row), row[_RECORD.index("paper_id")]),
        )


def turn_record(conn: sa.Connection, record: int, image: Image) -> None:
    """Set columns of a record, but for a key that another record of its source has now."""
    sql = (
        "SELECT 1 FROM records r JOIN records o ON o.source_id = r.source_id AND o.id <> r.id"
        " WHERE r.id = ? AND o.record_key = ?"
    )
    if conn.exec_driver_sql(sql, (record, image.get("record_key"))).first() is not None:
        image = {name: value for name, value in image.items() if name != "record_key"}
    update_row(conn, "record", record, image)


def origins(conn: sa.Connection, papers: Iterable[PaperId]) -> list[tuple[int, int]]:
    """The sources that papers come from, with the imports that read them last."""
    rows = conn.exec_driver_sql(
        f"SELECT DISTINCT source_id, batch_id FROM records WHERE paper_id {AMONG}"
        " AND batch_id IS NOT NULL ORDER BY 1, 2",
        (json_ids(papers),),
    )
    return [(int(row[0]), int(row[1])) for row in rows]


def brought_by(conn: sa.Connection, change_id: int) -> set[PaperId]:
    """The papers that a change brought into the library."""
    rows = conn.exec_driver_sql(
        "SELECT entity_id FROM change_items WHERE change_id = ? AND entity = 'paper'"
        " AND before IS NULL",
        (change_id,),
    )
    return {int(row[0]) for row in rows}


def papers_touched(conn: sa.Connection, change_id: int) -> set[PaperId]:
    """The papers that a change touched or gave something, and those of its records."""
    rows = conn.exec_driver_sql(
        "SELECT entity_id FROM change_items WHERE change_id = ?1 AND entity IN ('paper', 'given')"
        " UNION SELECT r.paper_id FROM change_items i JOIN records r ON r.id = i.entity_id"
        " WHERE i.change_id = ?1 AND i.entity = 'record' AND r.paper_id IS NOT NULL",
        (change_id,),
    )
    return {int(row[0]) for row in rows}


def missing_marks(
    conn: sa.Connection, papers: Iterable[PaperId]
) -> dict[PaperId, tuple[bool, bool]]:
    """Of papers with records: whether they are marked as missing, and whether all records are."""
    rows = conn.exec_driver_sql(
        "SELECT p.id, p.missing_in_source, min(r.missing) FROM records r"
        f" JOIN papers p ON p.id = r.paper_id WHERE r.paper_id {AMONG} GROUP BY p.id",
        (json_ids(papers),),
    )
    return {int(row[0]): (bool(row[1]), bool(row[2])) for row in rows}


def mark_papers(conn: sa.Connection, papers: Iterable[PaperId], missing: bool) -> None:
    """Mark papers as missing in their sources, or as there."""
    conn.exec_driver_sql(
        f"UPDATE papers SET missing_in_source = ? WHERE id {AMONG}", (missing, json_ids(papers))
    )
