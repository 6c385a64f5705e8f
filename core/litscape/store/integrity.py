"""Is a library whole? Looks for damage in the file and for rows that contradict each other."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from sqlalchemy.exc import DatabaseError

from litscape.store.faults import broken

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.store.database import Database

UNREACHABLE = (
    "WITH RECURSIVE tree(id) AS (SELECT id FROM collections WHERE parent_id IS NULL"
    " UNION SELECT c.id FROM collections c JOIN tree ON c.parent_id = tree.id)"
    " SELECT id, name FROM collections WHERE id NOT IN (SELECT id FROM tree)"
)
"""Collections that hang below themselves."""
BAD_FIELDS = "NOT json_valid(raw_fields)"
"""True of papers whose source fields can't be read."""
_OTHER_AUTHORS, _OTHER_TITLE, _OTHER_KEYWORDS = STALE = (
    "SELECT id FROM papers WHERE (authors_text = '') <>"
    " NOT EXISTS (SELECT 1 FROM authors WHERE paper_id = papers.id)",
    "SELECT id FROM papers WHERE sort_title <> sort_text(title)",
    "SELECT id FROM papers WHERE keywords_text <> ifnull((SELECT group_concat(term, '; ')"
    " FROM (SELECT term FROM keywords WHERE paper_id = papers.id ORDER BY position)), '')",
)
"""Papers whose derived columns differ from what they are derived from."""
_CONTRADICTIONS = {
    (
        "1 collection hangs below itself and can't be reached.",
        "{n:,} collections hang below themselves and can't be reached.",
    ): UNREACHABLE,
    (
        "1 paper has source fields that can't be read.",
        "{n:,} papers have source fields that can't be read.",
    ): f"SELECT id FROM papers WHERE {BAD_FIELDS}",
    (
        "1 paper has an author list that differs from its authors.",
        "{n:,} papers have an author list that differs from their authors.",
    ): _OTHER_AUTHORS,
    (
        "1 paper is sorted by another title than it has.",
        "{n:,} papers are sorted by another title than they have.",
    ): _OTHER_TITLE,
    (
        "1 paper is found by other keywords than it has.",
        "{n:,} papers are found by other keywords than they have.",
    ): _OTHER_KEYWORDS,
}


def check(database: Database) -> list[str]:
    """Every damage found, one sentence each; an empty list means that all is well.

    Reads the whole file: some seconds for 100,000 papers. The text index is looked at only where
    the library may be written.
    """
    if found := damage(database):
        return found  # what a damaged file says about its rows means little
    with database.read() as conn:
        found += _lost_keys(conn)
        for (one, many), sql in _CONTRADICTIONS.items():
            if n := len(conn.exec_driver_sql(sql).fetchall()):
                found.append(one if n == 1 else many.format(n=n))
    if not database.read_only:
        found += _text_index(database)
    return found


def damage(database: Database) -> list[str]:
    """What is wrong with the file itself, so that only a backup helps; one sentence each."""
    with database.read() as conn:
        rows = conn.exec_driver_sql("PRAGMA quick_check(20)").scalars().all()
    found = [f"The file is damaged: {row}." for row in rows if row != "ok"]
    return [*found, str(broken(database.file, "can't be mended"))] if found else []


def _lost_keys(conn: sa.Connection) -> list[str]:
    lost: dict[tuple[str, str], int] = {}
    for table, _row, parent, _key in conn.exec_driver_sql("PRAGMA foreign_key_check"):
        lost[table, parent] = lost.get((table, parent), 0) + 1
    return [
        f"{rows(n)} of {table} {'belongs' if n == 1 else 'belong'} to {parent} that are not there."
        for (table, parent), n in sorted(lost.items())
    ]


def rows(number: int) -> str:
    """``1 row``, ``4,180 rows``."""
    return f"{number:,} {'row' if number == 1 else 'rows'}"


def _text_index(database: Database) -> list[str]:
    with database.write() as conn:
        try:
            # Rank 1: compare with the papers as well, not only the index with itself.
            conn.exec_driver_sql(
                "INSERT INTO papers_fts(papers_fts, rank) VALUES ('integrity-check', 1)"
            )
        except DatabaseError as error:
            code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
            if code != sqlite3.SQLITE_CORRUPT:
                raise
            return ["The text index differs from the papers."]
    return []


def index_again(conn: sa.Connection) -> None:
    """Make the text index anew from the papers (some 7 s for 100,000 with abstracts)."""
    conn.exec_driver_sql("INSERT INTO papers_fts(papers_fts) VALUES ('rebuild')")
