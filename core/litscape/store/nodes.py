"""Tags, collections and other rows that are no papers: they go with the change that made them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from litscape.store.collections import members, subtree
from litscape.store.history import IMPORT, Item, delete_row, get_row, unpacked, write_items
from litscape.store.tags import tagged

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.images import Image

Node = tuple[str, int]
"""The kind of a row, and its id."""
_IN_USE = {
    "tag": "SELECT 1 FROM paper_tags WHERE tag_id = ?",
    "collection": "SELECT 1 FROM paper_collections WHERE collection_id = ?"
    " UNION SELECT 1 FROM collections WHERE parent_id = ?",
}


def users_of(conn: sa.Connection, entity: str, row_id: int) -> set[PaperId]:
    """The papers that show the name of a tag or collection."""
    if entity == "tag":
        return tagged(conn, row_id)
    return members(conn, subtree(conn, row_id)) if entity == "collection" else set()


def remove_nodes(conn: sa.Connection, change_id: int, nodes: Sequence[Node]) -> None:
    """Remove what a change made, children before their parents.

    What something uses since stays, and belongs to the change that used it next.
    """
    left = [*nodes, *_left_before(conn, nodes)] if nodes else []
    while left:
        used = [node for node in left if _is_used(conn, *node)]
        for entity, row_id in left:
            if (entity, row_id) not in used:
                delete_row(conn, entity, row_id)
        if len(used) == len(left):
            break
        left = used
    for entity, row_id in reversed([node for node in nodes if node in left]):
        _hand_over(conn, change_id, entity, row_id)


def _left_before(conn: sa.Connection, mine: Sequence[Node]) -> list[Node]:
    """Nodes of changes undone before, which stayed because something used them."""
    rows = conn.exec_driver_sql(
        "SELECT DISTINCT i.entity, i.entity_id FROM change_items i JOIN changes c"
        " ON c.id = i.change_id WHERE c.state = 'undone' AND i.entity IN ('tag', 'collection')"
        " AND i.before IS NULL AND NOT EXISTS (SELECT 1 FROM change_items o JOIN changes d"
        " ON d.id = o.change_id WHERE d.state = 'done' AND o.before IS NULL"
        " AND o.entity = i.entity AND o.entity_id = i.entity_id)"
    )
    found = [(row[0], row[1]) for row in rows if (row[0], row[1]) not in mine]
    return [node for node in found if get_row(conn, *node) is not None]


def _is_used(conn: sa.Connection, entity: str, row_id: int) -> bool:
    used = _IN_USE.get(entity)
    if used is None:
        return False
    return conn.exec_driver_sql(used, (row_id,) * used.count("?")).scalar() is not None


def _hand_over(conn: sa.Connection, change_id: int, entity: str, row_id: int) -> None:
    """Let a node that stays in use belong to the change that used it next, to go with that one."""
    users = json.dumps(sorted(users_of(conn, entity, row_id)))
    name = _name(conn, entity, row_id)
    rows = conn.exec_driver_sql(
        "SELECT i.change_id, c.kind, i.entity, i.before, i.after FROM change_items i"
        " JOIN changes c ON c.id = i.change_id WHERE c.state = 'done' AND c.id <> ?"
        " AND i.entity IN ('paper', 'given') AND i.entity_id IN (SELECT value FROM json_each(?))"
        " ORDER BY c.kind <> ?, i.change_id",
        (change_id, users, IMPORT),
    )
    heirs: list[int] = []
    for heir, kind, of, before, after in rows:
        if of == "paper" and before is None:
            heirs += [heir] if heir > change_id else []  # it may have brought the paper so
        elif _uses(entity, name, unpacked(after) or {}, kind):
            heirs.insert(0, heir)
            break
    if heirs:
        image = get_row(conn, entity, row_id)
        write_items(conn, heirs[0], [Item(entity, row_id, None, image)])


def _name(conn: sa.Connection, entity: str, row_id: int) -> Any:
    """The name of a tag, or the path of a collection."""
    image = get_row(conn, entity, row_id) or {}
    if entity != "collection":
        return image.get("name")
    path = [image["name"]]
    while image["parent_id"] is not None:
        image = get_row(conn, entity, image["parent_id"]) or {"name": "", "parent_id": None}
        path.insert(0, image["name"])
    return path


def _uses(entity: str, name: Any, after: Image, kind: str) -> bool:
    """Whether an item of the history puts a paper to a tag or into a collection."""
    told = after.get("draft", after) if kind == IMPORT else after
    if entity == "tag":
        return name in told.get("tags", ())
    paths = [*told.get("collections", ()), after.get("collection") or []]
    return any(path[: len(name)] == name for path in paths)
