"""Copies of a library that lack what is to be found: made for measuring and thrown away."""

from __future__ import annotations

import os
import shutil
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from litscape.store.faults import sorted_faults
from litscape.store.files import copy_database
from litscape.store.filters import AMONG, json_ids
from litscape.store.places import FILE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.database import Database

_PARTS = ("vectors", "models")


def copy_library(database: Database, folder: Path, *, vectors: bool) -> None:
    """Copy a library, as of now, into a folder.

    Files of models, and of vectors where wanted, are shared by hard links as far as the file system
    has them: nothing may be written to them in the copy.

    Raises:
        EnvironmentFault: the place can't be written, or the disk is full.
    """
    with sorted_faults(database.file), closing(database.connect()) as source:
        copy_database(source, folder / FILE)
    for part in _PARTS if vectors else _PARTS[1:]:
        place = database.folder / part
        if place.is_dir():
            with sorted_faults(place):
                shutil.copytree(place, folder / part, copy_function=_linked)


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copy2(source, target)


def hide_links_of(conn: sa.Connection, papers: Collection[PaperId]) -> None:
    """Take away every link from or to some papers, and their references to works outside."""
    ids = json_ids(papers)
    conn.exec_driver_sql(f"DELETE FROM citations WHERE citing {AMONG} OR cited {AMONG}", (ids, ids))
    conn.exec_driver_sql(f'DELETE FROM "references" WHERE paper_id {AMONG}', (ids,))


def hide_links(conn: sa.Connection, pairs: Collection[tuple[PaperId, PaperId]]) -> None:
    """Take away some links (citing, cited), and the same the other way round."""
    both = [*pairs, *((b, a) for a, b in pairs)]
    if both:
        conn.exec_driver_sql("DELETE FROM citations WHERE citing = ? AND cited = ?", both)


def hide_links_after(conn: sa.Connection, year: int) -> None:
    """Take away what was not known in a year: links with an end dated later or not at all."""
    late = "SELECT id FROM papers WHERE year IS NULL OR year > ?"
    conn.exec_driver_sql(
        f"DELETE FROM citations WHERE citing IN ({late}) OR cited IN ({late})", (year, year)
    )
    conn.exec_driver_sql(f'DELETE FROM "references" WHERE paper_id IN ({late})', (year,))


def only_abstracts(conn: sa.Connection, papers: Collection[PaperId]) -> None:
    """Leave some papers, and of each its abstract alone: no title, author, venue or keyword."""
    with _indexed_anew(conn):
        conn.exec_driver_sql(f"DELETE FROM papers WHERE id NOT {AMONG}", (json_ids(papers),))
        conn.exec_driver_sql(
            "UPDATE papers SET title = NULL, sort_title = '', authors_text = '', sort_authors = '',"
            " venue = NULL, keywords_text = ''"
        )


def without_keywords(conn: sa.Connection) -> None:
    """Take the keywords away from every paper."""
    with _indexed_anew(conn):
        conn.exec_driver_sql("UPDATE papers SET keywords_text = ''")


@contextmanager
def _indexed_anew(conn: sa.Connection) -> Iterator[None]:
    """Fill the text index once, after changes of very many papers, instead of paper by paper.

    The copy has no triggers afterwards: nobody edits it.
    """
    for name in ("papers_fts_delete", "papers_fts_before", "papers_fts_after"):
        conn.exec_driver_sql(f"DROP TRIGGER {name}")
    yield
    conn.exec_driver_sql("INSERT INTO papers_fts(papers_fts) VALUES ('rebuild')")


def keywords(conn: sa.Connection) -> list[tuple[str, PaperId]]:
    """Each keyword of each live paper, as it is written."""
    rows = conn.exec_driver_sql(
        "SELECT k.term, k.paper_id FROM keywords k JOIN papers p ON p.id = k.paper_id"
        " WHERE p.trashed_at IS NULL ORDER BY k.paper_id, k.position"
    )
    return [(str(term), int(paper)) for term, paper in rows]


def labels(conn: sa.Connection) -> dict[str, set[PaperId]]:
    """The live papers of each tag and collection, by a name that tells the two apart.

    A paper of a collection is in those above it too.
    """
    rows = conn.exec_driver_sql(
        "WITH RECURSIVE above(id, top) AS (SELECT id, id FROM collections UNION"
        " SELECT a.id, c.parent_id FROM above a JOIN collections c ON c.id = a.top"
        " WHERE c.parent_id IS NOT NULL)"
        " SELECT 'tag ' || tag_id, paper_id FROM paper_tags UNION"
        " SELECT 'collection ' || above.top, paper_id FROM paper_collections"
        " JOIN above ON above.id = collection_id"
    )
    live = set(conn.exec_driver_sql("SELECT id FROM papers WHERE trashed_at IS NULL").scalars())
    found: dict[str, set[PaperId]] = {}
    for name, paper in rows:
        if paper in live:
            found.setdefault(str(name), set()).add(int(paper))
    return found


def without_labels(conn: sa.Connection) -> None:
    """Take every paper's tags and collections away."""
    conn.exec_driver_sql("DELETE FROM paper_tags")
    conn.exec_driver_sql("DELETE FROM paper_collections")
