"""Sources, the records that came from them, and import batches with their reports."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litscape.paper import ImportProblem, PaperId
from litscape.store.bulk import many, now
from litscape.store.filters import AMONG, json_ids
from litscape.store.history import Item, Recorder, as_json
from litscape.store.settings import get_setting, put_setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import sqlalchemy as sa


@dataclass(slots=True)
class KnownRecord:
    """A record that came from a source before.

    ``hash`` is its signature of last time; ``seen`` is set where it is in the source now as well.
    """

    id: int
    key: str
    paper: PaperId
    hash: bytes
    missing: bool = False
    seen: bool = False


@dataclass(frozen=True, slots=True)
class RecordWrite:
    """A record as it is to be stored; ``id`` is None for one that is new."""

    id: int | None
    key: str
    paper: PaperId
    hash: bytes
    line: int | None
    position: int | None
    raw: str | None


@dataclass(frozen=True, slots=True)
class BatchRow:
    """An import as stored; ``report`` holds its counts."""

    id: int
    started_at: str
    finished_at: str | None
    change_id: int | None
    sources: tuple[str, ...]
    report: Mapping[str, Any]
    undone_at: str | None


def find_source(conn: sa.Connection, location: str) -> int | None:
    """The id of a source, None where nothing came from there yet."""
    sql = "SELECT id FROM sources WHERE location = ?"
    found: int | None = conn.exec_driver_sql(sql, (location,)).scalar()
    return found


def list_sources(conn: sa.Connection) -> list[tuple[int, str]]:
    """Id and location of every source."""
    rows = conn.exec_driver_sql("SELECT id, location FROM sources ORDER BY id")
    return [(int(row[0]), str(row[1])) for row in rows]


def last_read(conn: sa.Connection, location: str) -> str | None:
    """When a source was read last, UTC; None where it never was."""
    sql = "SELECT last_read_at FROM sources WHERE location = ?"
    found: str | None = conn.exec_driver_sql(sql, (location,)).scalar()
    return found


def touch_source(conn: sa.Connection, location: str, kind: str) -> int:
    """Note that a source is read now; returns its id."""
    made = conn.exec_driver_sql(
        "INSERT INTO sources(location, kind, last_read_at) VALUES (?, ?, ?)"
        " ON CONFLICT(location) DO UPDATE SET kind = excluded.kind,"
        " last_read_at = excluded.last_read_at RETURNING id",
        (location, kind, now()),
    )
    return int(made.scalar_one())


def source_state(conn: sa.Connection, source_id: int) -> str | None:
    """What a source's reader kept for its next read; None where that does not hold any more.

    It does not once an import was taken back or made again: papers are not as it left them.
    """
    kept = get_setting(conn, f"source.{source_id}.state")
    return kept["state"] if kept and kept["undone"] == _undone(conn) else None


def keep_state(conn: sa.Connection, source_id: int, state: str | None) -> None:
    """Keep what a source's reader needs for its next read; None forgets it."""
    kept = None if state is None else {"state": state, "undone": _undone(conn)}
    put_setting(conn, f"source.{source_id}.state", kept)


def _undone(conn: sa.Connection) -> list[int]:
    rows = conn.exec_driver_sql("SELECT id FROM batches WHERE undone_at IS NOT NULL ORDER BY id")
    return [int(row[0]) for row in rows]


def known_records(conn: sa.Connection, source_id: int) -> list[KnownRecord]:
    """Every record that came from a source, in the order in which they came."""
    rows = conn.exec_driver_sql(
        "SELECT id, record_key, paper_id, hash, missing FROM records"
        " WHERE source_id = ? AND paper_id IS NOT NULL ORDER BY id",
        (source_id,),
    )
    return [KnownRecord(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows]


_LONG = 1024


def _packed(raw: str | None) -> str | bytes | None:
    """A raw record as it is stored: packed where it is long enough for that to pay."""
    if raw is None or (len(raw) < _LONG and (raw.isascii() or _storable(raw))):
        return raw
    return zlib.compress(raw.encode("utf-8", "surrogatepass"), 1)


def _storable(text: str) -> bool:
    """Whether it is sound Unicode; half a surrogate pair is not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _unpacked(raw: str | bytes) -> str:
    return raw if isinstance(raw, str) else zlib.decompress(raw).decode("utf-8", "surrogatepass")


def raw_records(conn: sa.Connection, paper: PaperId) -> list[tuple[str, str, str]]:
    """The raw records of a paper as (source, its kind, text), oldest first."""
    rows = conn.exec_driver_sql(
        "SELECT s.location, s.kind, r.raw FROM records r JOIN sources s ON s.id = r.source_id"
        " WHERE r.paper_id = ? AND r.raw IS NOT NULL ORDER BY r.id",
        (paper,),
    )
    return [(row[0], row[1], _unpacked(row[2])) for row in rows]


def write_records(
    recorder: Recorder,
    source_id: int,
    batch_id: int,
    writes: Sequence[RecordWrite],
    added: set[PaperId],
) -> list[int]:
    """Store records; those of papers that this import adds leave no trace of their own in it.

    Returns:
        The ids of the records, in the order given.
    """
    conn = recorder.conn
    last = int(conn.exec_driver_sql("SELECT ifnull(max(id), 0) FROM records").scalar_one())
    ids: list[int] = []
    new: list[tuple[Any, ...]] = []
    old = [write for write in writes if write.id is not None]
    for image in _images(conn, [write.id for write in old if write.id is not None]):
        recorder.add(image)
    # Keys of one source may change places: free all of them first.
    many(conn, "UPDATE records SET record_key = char(0) || id WHERE id = ?", [(w.id,) for w in old])
    for write in writes:
        if write.id is None:
            last += 1
            new.append(_row(last, source_id, batch_id, write))
            if write.paper not in added:
                recorder.add(Item("record", last, None, None))
        ids.append(write.id or last)
    many(
        conn,
        "UPDATE records SET record_key = ?, paper_id = ?, batch_id = ?, line = ?, position = ?,"
        " hash = ?, raw = ?, missing = 0 WHERE id = ?",
        [(*_row(0, source_id, batch_id, write)[2:], write.id) for write in old],
    )
    many(
        conn,
        "INSERT INTO records(id, source_id, record_key, paper_id, batch_id, line, position, hash,"
        " raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        new,
    )
    return ids


def _row(row_id: int, source_id: int, batch_id: int, write: RecordWrite) -> tuple[Any, ...]:
    return (
        row_id,
        source_id,
        write.key,
        write.paper,
        batch_id,
        write.line,
        write.position,
        write.hash,
        _packed(write.raw),
    )


def refresh_records(conn: sa.Connection, writes: Sequence[RecordWrite]) -> None:
    """Store how records read now, where that changes no paper."""
    many(
        conn,
        "UPDATE records SET line = ?, position = ?, hash = ?, raw = ? WHERE id = ?",
        [(w.line, w.position, w.hash, _packed(w.raw), w.id) for w in writes],
    )


_KEPT = ("record_key", "batch_id", "line", "position", "hash", "raw", "missing")


def _images(conn: sa.Connection, ids: Sequence[int]) -> list[Item]:
    """Items that bring records back as they are now (what they become needs no image)."""
    rows = conn.exec_driver_sql(
        f"SELECT id, {', '.join(_KEPT)} FROM records WHERE id {AMONG} ORDER BY id",
        (json_ids(ids),),
    )
    return [
        Item(
            "record",
            row[0],
            {name: as_json(value) for name, value in zip(_KEPT, row[1:], strict=True)},
            {},
        )
        for row in rows
    ]


def mark_missing(recorder: Recorder, records: Sequence[KnownRecord]) -> set[PaperId]:
    """Note that records are in their source no more.

    Returns:
        The papers that are in none of their sources any more.
    """
    conn = recorder.conn
    ids = [record.id for record in records if not record.missing]
    for item in _images(conn, ids):
        recorder.add(item)
    many(conn, "UPDATE records SET missing = 1 WHERE id = ?", [(row,) for row in ids])
    rows = conn.exec_driver_sql(
        f"SELECT paper_id FROM records WHERE paper_id {AMONG} GROUP BY paper_id"
        " HAVING min(missing) = 1",
        (json_ids({record.paper for record in records}),),
    )
    return {int(row[0]) for row in rows}


def begin_batch(conn: sa.Connection, change_id: int, sources: Sequence[str]) -> int:
    """Start a batch, unfinished until :func:`save_report` says otherwise; returns its id."""
    made = conn.exec_driver_sql(
        "INSERT INTO batches(started_at, change_id, sources) VALUES (?, ?, ?) RETURNING id",
        (now(), change_id, json.dumps(list(sources), ensure_ascii=False)),
    )
    return int(made.scalar_one())


def save_report(
    conn: sa.Connection, batch_id: int, report: Mapping[str, Any], *, finished: bool
) -> None:
    """Write the counts of a batch so far."""
    conn.exec_driver_sql(
        "UPDATE batches SET report = ?, finished_at = ? WHERE id = ?",
        (json.dumps(dict(report)), now() if finished else None, batch_id),
    )


def drop_batch(conn: sa.Connection, batch_id: int, change_id: int) -> None:
    """Forget a batch that left nothing behind, with its change; also without cascades."""
    for table in ("batch_papers", "import_issues"):
        conn.exec_driver_sql(f"DELETE FROM {table} WHERE batch_id = ?", (batch_id,))
    conn.exec_driver_sql("DELETE FROM change_items WHERE change_id = ?", (change_id,))
    conn.exec_driver_sql("DELETE FROM batches WHERE id = ?", (batch_id,))
    conn.exec_driver_sql("DELETE FROM changes WHERE id = ?", (change_id,))


def add_batch_papers(conn: sa.Connection, batch_id: int, outcomes: Mapping[PaperId, str]) -> None:
    """Note which papers a batch brought or changed; the first outcome of a paper stays."""
    many(
        conn,
        "INSERT OR IGNORE INTO batch_papers(batch_id, paper_id, outcome) VALUES (?, ?, ?)",
        [(batch_id, paper, outcome) for paper, outcome in sorted(outcomes.items())],
    )


_ISSUE = ("code", "severity", "message", "line", "citekey", "zotero_key", "index", "raw", "source")


def add_issues(conn: sa.Connection, batch_id: int, issues: Iterable[ImportProblem]) -> None:
    """Append issues to the report of a batch."""
    start: int = conn.exec_driver_sql(
        "SELECT ifnull(max(position), -1) + 1 FROM import_issues WHERE batch_id = ?", (batch_id,)
    ).scalar_one()
    many(
        conn,
        "INSERT INTO import_issues(batch_id, position, code, severity, message, line, citekey,"
        " zotero_key, record_index, raw, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (batch_id, n, *(getattr(issue, name) for name in _ISSUE))
            for n, issue in enumerate(issues, start)
        ],
    )


def read_issues(conn: sa.Connection, batch_id: int) -> tuple[ImportProblem, ...]:
    """The issues of a batch in order."""
    rows = conn.exec_driver_sql(
        "SELECT code, severity, message, line, citekey, zotero_key, record_index, raw, source"
        " FROM import_issues WHERE batch_id = ? ORDER BY position",
        (batch_id,),
    )
    return tuple(ImportProblem(*row) for row in rows)


def read_batches(conn: sa.Connection, batch_id: int | None = None) -> list[BatchRow]:
    """All batches, newest first, or the one with an id."""
    rows = conn.exec_driver_sql(
        "SELECT id, started_at, finished_at, change_id, sources, report, undone_at FROM batches"
        " WHERE ? IS NULL OR id = ? ORDER BY id DESC",
        (batch_id, batch_id),
    )
    return [
        BatchRow(r[0], r[1], r[2], r[3], tuple(json.loads(r[4])), json.loads(r[5]), r[6])
        for r in rows
    ]


def abstracts(conn: sa.Connection, batch_id: int) -> tuple[int, int]:
    """How many live papers of a batch have an abstract by now, and how many have none."""
    row = conn.exec_driver_sql(
        "SELECT count(*), count(nullif(p.abstract, '')) FROM batch_papers b"
        " JOIN papers p ON p.id = b.paper_id WHERE b.batch_id = ? AND p.trashed_at IS NULL",
        (batch_id,),
    ).one()
    return row[1], row[0] - row[1]


def batch_outcomes(conn: sa.Connection, batch_id: int) -> dict[PaperId, str]:
    """The papers of a batch that are still there, and what became of them."""
    rows = conn.exec_driver_sql(
        "SELECT paper_id, outcome FROM batch_papers WHERE batch_id = ?", (batch_id,)
    )
    return {int(row[0]): str(row[1]) for row in rows}
