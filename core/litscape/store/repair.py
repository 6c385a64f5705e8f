"""Mending what :mod:`litscape.store.integrity` finds, as far as the file itself can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.store.bulk import to_json
from litscape.store.integrity import (
    BAD_FIELDS,
    STALE,
    UNREACHABLE,
    check,
    damage,
    index_again,
    rows,
)
from litscape.store.papers import get_papers
from litscape.store.writes import set_fields

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.store.database import Database


def repair(database: Database) -> list[str]:
    """Mend a library in one transaction; make a backup first, since rows are removed.

    Rows whose paper, tag or source is gone are removed; source fields that can't be read are kept
    as one text; collections that hang below themselves come to the top; what is derived from
    papers, the text index last, is made anew. A damaged file can't be mended here.

    Returns:
        What was mended, one sentence each; empty where nothing could be or had to be.
    """
    if damage(database) or not check(database):
        return []
    with database.write() as conn:
        done = [*_drop_lost_rows(conn), *_read_fields(conn), *_free_collections(conn)]
        done += _derive_again(conn)
        index_again(conn)
    return [*done, "The text index was made anew."]


def _drop_lost_rows(conn: sa.Connection) -> list[str]:
    """Remove rows that belong to rows that are not there, until none is left."""
    done: dict[tuple[str, str], int] = {}
    while tables := {row[0] for row in conn.exec_driver_sql("PRAGMA foreign_key_check")}:
        for table in sorted(tables):
            keys = conn.exec_driver_sql(f'PRAGMA foreign_key_list("{table}")').fetchall()
            for _id, _seq, parent, column, key, *_rest in keys:
                removed = conn.exec_driver_sql(
                    f'DELETE FROM "{table}" WHERE "{column}" IS NOT NULL'
                    f' AND "{column}" NOT IN (SELECT "{key}" FROM "{parent}")'
                ).rowcount
                if removed:
                    done[table, parent] = done.get((table, parent), 0) + removed
    return [
        f"{rows(n)} of {table} {'was' if n == 1 else 'were'} removed: "
        f"the {parent} {'it belongs' if n == 1 else 'they belong'} to are not there."
        for (table, parent), n in sorted(done.items())
    ]


def _read_fields(conn: sa.Connection) -> list[str]:
    broken = conn.exec_driver_sql(
        f"SELECT id, CAST(raw_fields AS TEXT) FROM papers WHERE {BAD_FIELDS}"
    ).fetchall()
    for paper, text in broken:
        conn.exec_driver_sql(
            "UPDATE papers SET raw_fields = ? WHERE id = ?", (to_json({"unreadable": text}), paper)
        )
    papers = "1 paper" if len(broken) == 1 else f"{len(broken):,} papers"
    return [f"The source fields of {papers} are kept as one text."] if broken else []


def _free_collections(conn: sa.Connection) -> list[str]:
    names = []
    while (row := conn.exec_driver_sql(f"{UNREACHABLE} ORDER BY id LIMIT 1").first()) is not None:
        conn.exec_driver_sql(
            "UPDATE collections SET parent_id = NULL, name = name || CASE WHEN EXISTS"
            " (SELECT 1 FROM collections o WHERE o.parent_id IS NULL AND o.name = collections.name)"
            " THEN ' (' || id || ')' ELSE '' END WHERE id = ?",
            (row[0],),
        )
        names.append(str(row[1]))
    return [f"The collection {name} is at the top now." for name in names]


def _derive_again(conn: sa.Connection) -> list[str]:
    ids = sorted({int(row[0]) for sql in STALE for row in conn.exec_driver_sql(sql)})
    for paper in get_papers(conn, ids):
        values = {"title": paper.title, "authors": paper.authors, "keywords": paper.keywords}
        set_fields(conn, paper.id, values)
    if len(ids) == 1:
        return ["1 paper is sorted and found by what it has again."]
    return [f"{len(ids):,} papers are sorted and found by what they have again."] if ids else []
