"""References that stand for removed papers; they go with the change that linked those."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from litscape.store.history import unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from litscape.store.images import Image

_PARTS = ("doi", "title", "year")


def stand_ins(
    conn: sa.Connection, current: Sequence[Any], made: Sequence[Any], before: Sequence[Any]
) -> list[Image]:
    """What stands for the papers that a change linked and that left the library since.

    Args:
        conn: the library.
        current: what the paper cites now, as images hold it.
        made: what it cited after the change.
        before: what it cited before.
    """
    there = {link[0] for link in (*current, *before)}
    lost = [link[0] for link in made if link[0] not in there]
    if not lost:
        return []
    rows = conn.exec_driver_sql(
        "SELECT entity_id, after FROM change_items WHERE entity = 'paper' AND before IS NULL"
        " AND after IS NOT NULL AND entity_id IN (SELECT value FROM json_each(?1))"
        " AND NOT EXISTS (SELECT 1 FROM papers WHERE id = entity_id)",
        (json.dumps(lost),),
    )
    found: dict[int, Image] = {}
    for paper, kept in rows:
        image = unpacked(kept) or {}
        found[paper] = {n: image[n] for n in _PARTS if image.get(n) is not None}
    return list(found.values())


def fewer(references: Sequence[Image], gone: Sequence[Image]) -> list[Image]:
    """References without those that stand for removed papers."""
    left = list(references)
    for one in gone:
        if one in left:
            left.remove(one)
    return left
