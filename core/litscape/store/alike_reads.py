"""What papers share besides citations: authors, collections, tags, and Zotero's "related"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from litscape.sorting import sort_text
from litscape.store import lexical
from litscape.store.filters import AMONG, json_ids
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId

GroupKind = Literal["collection", "tag"]
_TABLES: dict[GroupKind, tuple[str, str]] = {
    "collection": ("paper_collections", "collection_id"),
    "tag": ("paper_tags", "tag_id"),
}
_MOST_BY = 300
_TELLING = 3
"""So many words of a title tell a work."""


def authors_of(conn: sa.Connection, papers: Iterable[PaperId]) -> dict[PaperId, set[str]]:
    """The names of the authors of papers, in small letters."""
    rows = conn.exec_driver_sql(
        f"SELECT id, authors_text FROM papers WHERE id {AMONG}", (json_ids(papers),)
    )
    return {row[0]: _names(row[1]) for row in rows}


def papers_by(conn: sa.Connection, names: Sequence[str]) -> dict[PaperId, set[str]]:
    """Papers by any of some authors, at most some hundred, with the names of all their authors.

    Args:
        conn: a connection.
        names: in small letters, as :func:`authors_of` gives them.
    """
    expression = lexical.any_of(Term(name, "authors_text") for name in names)
    if not expression:
        return {}
    found = [
        row[0]
        for row in conn.exec_driver_sql(
            "SELECT rowid FROM papers_fts WHERE papers_fts MATCH ? ORDER BY rowid DESC LIMIT ?",
            (expression, _MOST_BY),
        )
    ]
    wanted = set(names)
    # The index knows no ends of names: "Li Wei" is found in "Li Weiming; Wei Li" as well.
    return {paper: own for paper, own in authors_of(conn, found).items() if own & wanted}


def groups_of(
    conn: sa.Connection, papers: Iterable[PaperId], most: int
) -> dict[tuple[GroupKind, int], int]:
    """The collections and tags of papers, by kind and id, with how many of the papers have each.

    Those of more than ``most`` papers of the library are left out.
    """
    found: dict[tuple[GroupKind, int], int] = {}
    among = json_ids(papers)
    for kind, (table, column) in _TABLES.items():
        rows = conn.exec_driver_sql(
            f"SELECT {column}, count(*) FROM {table} WHERE paper_id {AMONG} GROUP BY 1 ORDER BY 1",
            (among,),
        ).fetchall()
        for group, number in rows:
            size = conn.exec_driver_sql(
                f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {column} = ? LIMIT ?)",
                (group, most + 1),
            ).scalar_one()
            if size <= most:
                found[kind, group] = number
    return found


def members_of(
    conn: sa.Connection, kind: GroupKind, group: int
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The papers of a collection or tag, those in the trash among them, (n,) int64."""
    table, column = _TABLES[kind]
    rows = conn.exec_driver_sql(f"SELECT paper_id FROM {table} WHERE {column} = ?", (group,))
    return np.array(rows.scalars().all(), dtype=np.int64)


def related_to(conn: sa.Connection, papers: Iterable[PaperId]) -> list[PaperId]:
    """The live papers that Zotero calls related to some papers, one entry for each such pair."""
    among = json_ids(papers)
    rows = conn.exec_driver_sql(
        "SELECT library, json_extract(raw_fields, '$.related') FROM papers"
        f" WHERE zotero_key IS NOT NULL AND id {AMONG}",
        (among,),
    ).fetchall()
    found: list[PaperId] = []
    for library, related in rows:
        for address in (related or "").split("; "):
            key = address.rpartition(":")[2]
            others = conn.exec_driver_sql(
                "SELECT id, library FROM papers WHERE zotero_key = ? AND trashed_at IS NULL", (key,)
            ).fetchall() if key else []  # fmt: skip
            near = [paper for paper, place in others if place == library]
            near = near or [paper for paper, _place in others]
            if len(near) == 1:
                found.append(near[0])
    return found


def _names(authors: str) -> set[str]:
    return {name.strip().casefold() for name in authors.split(";") if name.strip()}


def written_names(conn: sa.Connection, paper: PaperId) -> list[str]:
    """The names of a paper's authors as they are written, in order."""
    text = conn.exec_driver_sql("SELECT authors_text FROM papers WHERE id = ?", (paper,)).scalar()
    return [name.strip() for name in (text or "").split(";") if name.strip()]


def common_groups(conn: sa.Connection, papers: Iterable[PaperId], paper: PaperId) -> list[str]:
    """The names of collections and tags that a paper shares with any of some, the smallest first.

    Tags have a number sign before them.
    """
    found: list[tuple[int, str]] = []
    among = json_ids(papers)
    for kind, (table, column) in _TABLES.items():
        names, sign = {"collection": ("collections", ""), "tag": ("tags", "#")}[kind]
        rows = conn.exec_driver_sql(
            f"SELECT n.name, (SELECT count(*) FROM {table} s WHERE s.{column} = n.id)"
            f" FROM {names} n WHERE n.id IN (SELECT {column} FROM {table} WHERE paper_id = ?)"
            f" AND n.id IN (SELECT {column} FROM {table} WHERE paper_id {AMONG})",
            (paper, among),
        )
        found += [(size, f"{sign}{name}") for name, size in rows]
    return [name for _size, name in sorted(found)]


class Marked(NamedTuple):
    """Papers that a reader liked, each with what was done with it, and those disliked."""

    liked: dict[PaperId, str]
    disliked: tuple[PaperId, ...]


def reading_of_late(
    conn: sa.Connection, read: int, rated: int, listed: int, good: int, bad: int
) -> Marked:
    """The papers read, rated and listed last, at most so many of each.

    A paper is there once: rated before read before listed. What was rated badly is not liked, read
    or not.

    Args:
        conn: a connection.
        read: how many of those read or begun.
        rated: how many of those rated well.
        listed: how many of the beginning of the reading list.
        good: the lowest rating that is good.
        bad: the highest that is bad.
    """
    live = "JOIN papers p ON p.id = r.paper_id AND p.trashed_at IS NULL"
    disliked = tuple(
        row[0]
        for row in conn.exec_driver_sql(
            f"SELECT r.paper_id FROM reading r {live} WHERE r.rating <= ?"
            " ORDER BY r.read_at DESC, p.modified_at DESC LIMIT ?",
            (bad, rated),
        )
    )
    liked: dict[PaperId, str] = {}
    for what, condition, order, limit in (
        ("rated {}", f"r.rating >= {int(good)}", "p.modified_at DESC", rated),
        (
            "read",
            f"r.read_state IS NOT NULL AND ifnull(r.rating, {int(bad) + 1}) > {int(bad)}",
            "r.read_state = 'reading' DESC, r.read_at DESC, p.modified_at DESC",
            read,
        ),
        ("listed", "r.list_position IS NOT NULL", "r.list_position", listed),
    ):
        rows = conn.exec_driver_sql(
            f"SELECT r.paper_id, r.rating FROM reading r {live} WHERE {condition}"
            f" ORDER BY {order} LIMIT ?",
            (limit,),
        )
        for paper, rating in rows:
            liked.setdefault(paper, what.format(rating))
    return Marked(liked, disliked)


def titled(conn: sa.Connection, title: str, year: int | None) -> PaperId | None:
    """The live paper of that title, dated within a year of it where both are dated.

    Short titles ("Introduction") name many works and are passed over.
    """
    folded = sort_text(title)
    if len(folded.split()) < _TELLING:
        return None
    found: int | None = conn.exec_driver_sql(
        "SELECT id FROM papers WHERE sort_title = ? AND trashed_at IS NULL"
        " AND (year IS NULL OR ? IS NULL OR abs(year - ?) <= 1) ORDER BY id LIMIT 1",
        (folded, year, year),
    ).scalar()
    return found
