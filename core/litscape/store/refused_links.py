"""Links that were taken back: the reference stands again, and knows which paper it is not.

It is remembered by the paper's citation key, in the reference itself, so that it goes wherever
the reference goes: into exports, and back by undo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.store.filters import AMONG, json_ids
from litscape.store.history import unpacked
from litscape.store.images import typed

if TYPE_CHECKING:
    from collections.abc import Collection

    import sqlalchemy as sa

    from litscape.paper import PaperId, Reference

NOT = "not_this"
"""The part of a reference's ``extra`` that holds the keys of papers which it is not."""


def refused(
    conn: sa.Connection, places: Collection[tuple[PaperId, int, PaperId]]
) -> set[tuple[PaperId, int, PaperId]]:
    """Those of some (citing paper, position of the reference, cited paper) that were taken back."""
    rows = conn.exec_driver_sql(
        f"SELECT paper_id, position, json_extract(extra, '$.{NOT}') FROM \"references\""
        f" WHERE paper_id {AMONG} AND instr(extra, '{NOT}')",
        (json_ids({one[0] for one in places}),),
    )
    told = {(row[0], row[1]): set(str(row[2]).split("; ")) for row in rows}
    if not told:
        return set()
    keys = keys_of(conn, {one[2] for one in places})
    return {one for one in places if not keys[one[2]].isdisjoint(told.get(one[:2], ()))}


def keys_of(conn: sa.Connection, papers: Collection[PaperId]) -> dict[PaperId, set[str]]:
    """The citation keys of papers, former ones among them."""
    found: dict[PaperId, set[str]] = {paper: set() for paper in papers}
    among = json_ids(papers)
    for paper, key in conn.exec_driver_sql(
        f"SELECT id, citekey FROM papers WHERE id {AMONG}"
        f" UNION SELECT paper_id, citekey FROM aliases WHERE paper_id {AMONG}",
        (among, among),
    ):
        found[paper].add(key)
    return found


def former_references(conn: sa.Connection, paper: PaperId) -> list[Reference]:
    """References that a paper had before they became links, as far as the history knows."""
    rows = conn.exec_driver_sql(
        "SELECT before FROM change_items WHERE entity = 'paper' AND entity_id = ?"
        " AND before IS NOT NULL AND after IS NOT NULL ORDER BY change_id DESC, position DESC",
        (paper,),
    )
    images = (unpacked(row[0]) or {} for row in rows.fetchall())
    return [one for image in images for one in typed("references", image.get("references", ()))]


def marked(extra: str, key: str) -> str:
    """Keys of papers that a reference is not, with one more."""
    return "; ".join(dict.fromkeys([*filter(None, extra.split("; ")), key]))
