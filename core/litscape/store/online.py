"""What look-up services answered, and which values of papers came from there."""

from __future__ import annotations

import json
import zlib
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from litscape.store.bulk import many, now
from litscape.store.filters import AMONG, json_ids
from litscape.store.images import images, plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    import sqlalchemy as sa

    from litscape.paper import PaperId


_WITHIN = {"mesh": "fields"}
"""Values that are part of a field: subject headings stand among the topics."""


def column(field: str) -> str:
    """The field of a paper that holds a value which was looked up."""
    return _WITHIN.get(field, field)


class StoredAnswer(NamedTuple):
    """An answer as it is kept; ``content`` is None where the service knew no such work."""

    asked_at: str
    content: Any


class FieldSource(NamedTuple):
    """Where the present value of a field was looked up, and when (UTC)."""

    source: str
    taken_at: str


def put_answers(conn: sa.Connection, service: str, answers: Mapping[str, Any]) -> None:
    """Keep what a service answered, by question; None where it knew no such work."""
    stamp = now()
    many(
        conn,
        "INSERT OR REPLACE INTO online_answers(service, question, asked_at, answer)"
        " VALUES (?, ?, ?, ?)",
        [
            (service, question, stamp, None if content is None else _packed(content))
            for question, content in sorted(answers.items())
        ],
    )


def get_answers(
    conn: sa.Connection, service: str, questions: Iterable[str]
) -> dict[str, StoredAnswer]:
    """What is kept of a service's answers to questions; those never asked are left out."""
    rows = conn.exec_driver_sql(
        f"SELECT question, asked_at, answer FROM online_answers WHERE service = ?"
        f" AND question {AMONG}",
        (service, json.dumps(sorted(set(questions)))),
    )
    return {row[0]: StoredAnswer(row[1], _unpacked(row[2])) for row in rows}


def put_field_sources(conn: sa.Connection, rows: Iterable[tuple[PaperId, str, str, Any]]) -> None:
    """Note that values of fields come from a source.

    Args:
        conn: a connection inside ``Database.write()``.
        rows: paper, field, source and the plain value (:func:`litscape.store.images.plain`).
    """
    stamp = now()
    many(
        conn,
        "INSERT OR REPLACE INTO field_sources(paper_id, field, source, value, taken_at)"
        " VALUES (?, ?, ?, ?, ?)",
        [(paper, field, source, _hash(value), stamp) for paper, field, source, value in rows],
    )


def field_sources(
    conn: sa.Connection, papers: Collection[PaperId]
) -> dict[PaperId, dict[str, FieldSource]]:
    """Which fields of papers still hold a value that was looked up, and where.

    A value that was edited, replaced by an import or undone since no longer counts; where undo
    brings it back, it counts again.
    """
    rows = conn.exec_driver_sql(
        "SELECT paper_id, field, source, value, taken_at FROM field_sources"
        f" WHERE paper_id {AMONG} ORDER BY 1, 2",
        (json_ids(papers),),
    ).fetchall()
    fields = sorted({column(row[1]) for row in rows})
    current = images(conn, sorted({row[0] for row in rows}), fields) if rows else {}
    found: dict[PaperId, dict[str, FieldSource]] = {}
    for paper, field, source, value, taken_at in rows:
        if paper in current and _hash(current[paper][column(field)]) == value:
            found.setdefault(paper, {})[field] = FieldSource(source, taken_at)
    return found


def inherit_sources(
    conn: sa.Connection,
    kept: PaperId,
    absorbed: Collection[PaperId],
    fields: Mapping[str, Any],
) -> None:
    """Let a paper that takes others in have the marks of the values that it gets from them.

    Args:
        conn: a connection inside ``Database.write()``.
        kept: the paper, as it still is.
        absorbed: the others.
        fields: the values that it gets (typed).
    """
    rows = conn.exec_driver_sql(
        "SELECT field, source, value, taken_at FROM field_sources"
        f" WHERE paper_id {AMONG} ORDER BY paper_id",
        (json_ids(absorbed),),
    ).fetchall()
    named = sorted({column(row[0]) for row in rows if column(row[0]) in fields})
    if not named:
        return
    now_there = images(conn, [kept], named).get(kept, {})
    gets = {name: _hash(plain(name, fields[name])) for name in named}
    many(
        conn,
        "INSERT OR REPLACE INTO field_sources(paper_id, field, source, value, taken_at)"
        " VALUES (?, ?, ?, ?, ?)",
        [
            (kept, *row)
            for row in rows
            if gets.get(column(row[0])) == row[2] != _hash(now_there.get(column(row[0])))
        ],
    )


def _packed(content: Any) -> bytes:
    return zlib.compress(json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"), 3)


def _unpacked(kept: bytes | None) -> Any:
    return None if kept is None else json.loads(zlib.decompress(kept))


def _hash(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
