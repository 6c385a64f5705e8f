"""Conditions on papers joined with AND, OR and NOT, to any depth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.store.filters import where

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperFilter, PaperId

_DEEPEST = 12
"""Brackets within brackets in one statement; SQLite itself takes some forty."""


@dataclass(frozen=True, slots=True)
class Condition:
    """SQL on ``papers`` and the values of its parameters.

    Attributes:
        sql: the condition, in brackets where it needs them.
        values: of its parameters.
        depth: how many brackets it has within each other.
    """

    sql: str
    values: tuple[object, ...] = ()
    depth: int = 0


NOTHING = Condition("0")
EVERYTHING = Condition("1")


def passing(flt: PaperFilter) -> Condition:
    """That a filter lets a paper through."""
    sql, values = where(flt)
    return Condition(f"({sql})", tuple(values))


def matching(expression: str) -> Condition:
    """That the text index finds a paper by an expression."""
    sql = "id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?)"
    return Condition(sql, (expression,))


def among(papers: Sequence[PaperId]) -> Condition:
    """That a paper is one of some."""
    return Condition("id IN (SELECT value FROM json_each(?))", (json.dumps(list(papers)),))


def inverse(one: Condition) -> Condition:
    """That another condition does not hold; an unknown year is not a year."""
    return Condition(f"({one.sql} IS NOT TRUE)", one.values, one.depth + 1)


def joined(conn: sa.Connection, word: str, parts: Sequence[Condition]) -> Condition:
    """Conditions joined with ``AND`` or ``OR``; what lies too deep is looked up at once."""
    sql = f"({f' {word} '.join(part.sql for part in parts)})"
    values = tuple(value for part in parts for value in part.values)
    depth = 1 + max(part.depth for part in parts)
    return _looked_up(conn, sql, values) if depth > _DEEPEST else Condition(sql, values, depth)


def _looked_up(conn: sa.Connection, sql: str, values: tuple[object, ...]) -> Condition:
    return among(conn.exec_driver_sql(f"SELECT id FROM papers WHERE {sql}", values).scalars().all())
