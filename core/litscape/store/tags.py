"""Tags: their names, how many papers each has, and which papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.store.bulk import ensure_tags, many

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa


def tag_counts(conn: sa.Connection) -> list[tuple[str, int]]:
    """Every tag with the number of its live papers, by name."""
    rows = conn.exec_driver_sql(
        "SELECT t.name, count(p.id) FROM tags t LEFT JOIN paper_tags pt ON pt.tag_id = t.id"
        " LEFT JOIN papers p ON p.id = pt.paper_id AND p.trashed_at IS NULL"
        " GROUP BY t.id ORDER BY t.name COLLATE NOCASE, t.name"
    )
    return [(str(name), int(count)) for name, count in rows]


def tag_name(conn: sa.Connection, text: str) -> str | None:
    """The tag of that name, whatever the case of its letters; None where there is none.

    One with just these signs goes before one that has the same letters.
    """
    found: str | None = conn.exec_driver_sql(
        "SELECT name FROM tags WHERE sort_text(name) = sort_text(?1)"
        " OR same_value(name) = same_value(?1)"
        " ORDER BY name <> ?1, same_value(name) <> same_value(?1), name LIMIT 1",
        (text,),
    ).scalar()
    return found


def find_tag(conn: sa.Connection, name: str) -> int | None:
    """The id of a tag, None where there is none of that name."""
    found: int | None = conn.exec_driver_sql("SELECT id FROM tags WHERE name = ?", (name,)).scalar()
    return found


def tagged(conn: sa.Connection, tag_id: int) -> set[int]:
    """The papers, trashed ones too, that carry a tag."""
    rows = conn.exec_driver_sql("SELECT paper_id FROM paper_tags WHERE tag_id = ?", (tag_id,))
    return {int(paper) for (paper,) in rows}


def set_paper_tags(conn: sa.Connection, paper_id: int, names: Iterable[str]) -> None:
    """Give a paper exactly these tags; those that are missing are made."""
    tags = ensure_tags(conn, names)
    conn.exec_driver_sql("DELETE FROM paper_tags WHERE paper_id = ?", (paper_id,))
    many(
        conn,
        "INSERT INTO paper_tags(paper_id, tag_id) VALUES (?, ?)",
        [(paper_id, tag) for tag in sorted(tags.values())],
    )
