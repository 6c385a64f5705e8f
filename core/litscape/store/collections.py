"""The tree of collections: paths, counts, and the nodes of a subtree."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from litscape.paper import Collection
from litscape.store.bulk import ensure_collections, many
from litscape.store.papers import collection_paths

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

Path = tuple[str, ...]


def collection_tree(conn: sa.Connection) -> list[Collection]:
    """Every collection, parents before children, with the number of its own live papers."""
    # dict() takes a result for a mapping, for it has keys.
    counts: dict[int, int] = {  # noqa: C416
        node: number
        for node, number in conn.exec_driver_sql(
            "SELECT pc.collection_id, count(*) FROM paper_collections pc"
            " JOIN papers p ON p.id = pc.paper_id WHERE p.trashed_at IS NULL GROUP BY 1"
        )
    }
    paths = collection_paths(conn)
    ids = {path: node for node, path in paths.items()}
    ordered = sorted(paths.items(), key=lambda item: [part.casefold() for part in item[1]])
    return [
        Collection(node, ids.get(path[:-1]), path[-1], path, counts.get(node, 0))
        for node, path in ordered
    ]


def find_collection(conn: sa.Connection, path: Path) -> int | None:
    """The id of the collection with this path, None where there is none."""
    node: int | None = None
    for name in path:
        node = conn.exec_driver_sql(
            "SELECT id FROM collections WHERE ifnull(parent_id, 0) = ? AND name = ?",
            (node or 0, name),
        ).scalar()
        if node is None:
            return None
    return node


def subtree(conn: sa.Connection, node: int) -> list[int]:
    """A collection and all below it, parents before children."""
    return [
        int(found)
        for (found,) in conn.exec_driver_sql(
            "WITH RECURSIVE below(id, depth) AS (SELECT ?, 0 UNION ALL"
            " SELECT c.id, depth + 1 FROM collections c JOIN below ON c.parent_id = below.id)"
            " SELECT id FROM below ORDER BY depth, id",
            (node,),
        )
    ]


def members(conn: sa.Connection, nodes: Iterable[int]) -> set[int]:
    """The papers, trashed ones too, that lie in any of these collections."""
    return {
        int(paper)
        for (paper,) in conn.exec_driver_sql(
            "SELECT DISTINCT paper_id FROM paper_collections"
            " WHERE collection_id IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(nodes)),),
        )
    }


def set_paper_collections(conn: sa.Connection, paper_id: int, paths: Iterable[Path]) -> None:
    """Put a paper into exactly these collections; those that are missing are made."""
    nodes = ensure_collections(conn, {path for path in paths if path})
    conn.exec_driver_sql("DELETE FROM paper_collections WHERE paper_id = ?", (paper_id,))
    many(
        conn,
        "INSERT INTO paper_collections(paper_id, collection_id) VALUES (?, ?)",
        [(paper_id, node) for node in sorted({nodes[path] for path in paths if path})],
    )
