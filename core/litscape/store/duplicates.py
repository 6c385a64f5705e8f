"""Duplicates as rows: which pairs were refused, and one paper taking in others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from litscape.store.filters import AMONG, json_ids
from litscape.store.history import (
    Item,
    Recorder,
    change_papers,
)
from litscape.store.images import links
from litscape.store.online import inherit_sources
from litscape.store.pairs import REFUSED, RELATED, all_pairs, pair_of, pass_on, put, rows_of, take
from litscape.store.snapshots import remove, snapshots

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.pairs import Pair

_MERGED = "merged"
"""An item that changes nothing: it tells which paper took in which."""


def refused_pairs(conn: sa.Connection) -> dict[Pair, str]:
    """Pairs of papers, all there, that were said not to be one work, and when; by time."""
    return all_pairs(conn, REFUSED)


def refuse(recorder: Recorder, pairs: Iterable[Pair]) -> None:
    """Remember that these pairs are two works each."""
    put(recorder, REFUSED, pairs)


def take_back(recorder: Recorder, pairs: Iterable[Pair]) -> None:
    """Forget that these pairs were refused."""
    take(recorder, REFUSED, pairs)


def open_pairs(conn: sa.Connection, pairs: Iterable[Pair]) -> set[Pair]:
    """Those of the pairs whose papers both live and that were not refused."""
    wanted = {pair_of(a, b) for a, b in pairs if a != b}
    ids = {paper for pair in wanted for paper in pair}
    live = {
        int(row[0])
        for row in conn.exec_driver_sql(
            f"SELECT id FROM papers WHERE id {AMONG} AND trashed_at IS NULL", (json_ids(ids),)
        )
    }
    return {pair for pair in wanted - rows_of(conn, REFUSED, ids).keys() if live.issuperset(pair)}


def suggested_pairs(conn: sa.Connection) -> set[Pair]:
    """The pairs that imports suggested and that are open still."""
    rows = conn.exec_driver_sql(
        "SELECT json_extract(report, '$.suggested_merges') FROM batches WHERE undone_at IS NULL"
    )
    found = {(a, b) for (text,) in rows.fetchall() if text for a, b in json.loads(text)}
    return open_pairs(conn, found) if found else set()


def citing(conn: sa.Connection, ids: Collection[PaperId]) -> list[PaperId]:
    """Other papers that cite any of these."""
    rows = conn.exec_driver_sql(
        f"SELECT DISTINCT citing FROM citations WHERE cited {AMONG} ORDER BY 1", (json_ids(ids),)
    )
    return [int(row[0]) for row in rows if row[0] not in ids]


def merge(
    recorder: Recorder,
    kept: PaperId,
    absorbed: Collection[PaperId],
    fields: Mapping[str, Any],
) -> None:
    """Let one paper take in others, which then are gone.

    What cites them, and what they cite, is linked to the kept paper; their source records become
    its own, so that an update of any source reaches it; what a person said of pairs with them is
    said of pairs with it.

    Args:
        recorder: the change of which this is a part.
        kept: the paper that stays.
        absorbed: the papers that become part of it.
        fields: what the kept paper has afterwards (typed values), but for its links.
    """
    conn = recorder.conn
    gone = set(absorbed)
    inherit_sources(conn, kept, gone, fields)
    change_papers(recorder, {kept: {**fields, "cites": _cites(conn, kept, gone)}})
    others = {paper: _turned(conn, paper, kept, gone) for paper in citing(conn, {*gone, kept})}
    change_papers(recorder, {paper: {"cites": cites} for paper, cites in others.items()})
    for kind in (REFUSED, RELATED):
        pass_on(recorder, kind, kept, gone)
    for paper, image in snapshots(conn, gone).items():
        # Links from other papers come back with those papers' own images.
        image["links"] = [link for link in image["links"] if link[0] in gone]
        recorder.add(Item("paper", paper, image, None))
        recorder.add(Item(_MERGED, paper, {"into": kept}, {"into": kept}))
    _move_records(recorder, kept, gone)
    recorder.touched.removed.update(remove(conn, gone))
    recorder.touched.structure = True


def merges_of(conn: sa.Connection, change_id: int) -> list[int]:
    """Later merges, not undone, of papers that a change brought in, and merges of their outcome.

    Returns:
        Their changes, newest first: the order in which they can be taken back.
    """
    members: dict[int, set[PaperId]] = {}
    for change, gone, kept in conn.exec_driver_sql(
        "SELECT c.id, i.entity_id, json_extract(i.before, '$.into') FROM changes c"
        " JOIN change_items i ON i.change_id = c.id"
        " WHERE c.id > ? AND c.state = 'done' AND i.entity = ? ORDER BY c.id",
        (change_id, _MERGED),
    ):
        members.setdefault(change, set()).update((gone, kept))
    if not members:
        return []
    rows = conn.exec_driver_sql(
        "SELECT entity_id FROM change_items WHERE change_id = ? AND entity = 'paper'"
        " AND before IS NULL",
        (change_id,),
    )
    touched = {int(row[0]) for row in rows}
    found = []
    for change, papers in members.items():
        if not touched.isdisjoint(papers):
            touched |= papers
            found.append(change)
    return found[::-1]


def _cites(conn: sa.Connection, kept: PaperId, gone: set[PaperId]) -> tuple[Any, ...]:
    """What the kept paper cites afterwards: what any of them did, but none of themselves."""
    own = links(conn, {kept, *gone})
    cited: dict[PaperId, tuple[Any, ...]] = {}
    for paper in (kept, *sorted(gone)):
        for other, *origin in own.get(paper, ()):
            cited.setdefault(other, (other, *origin))
    return tuple(cited[o] for o in sorted(cited) if o not in gone and o != kept)


def _turned(
    conn: sa.Connection, paper: PaperId, kept: PaperId, gone: set[PaperId]
) -> tuple[Any, ...]:
    """What another paper cites once its links to the absorbed ones lead to the kept one."""
    cited: dict[PaperId, tuple[Any, ...]] = {}
    for other, *origin in links(conn, [paper]).get(paper, ()):
        if other not in gone:
            cited[other] = (other, *origin)
        else:
            cited.setdefault(kept, (kept, *origin))
    return tuple(cited[other] for other in sorted(cited))


def _move_records(recorder: Recorder, kept: PaperId, gone: set[PaperId]) -> None:
    conn, among = recorder.conn, json_ids(gone)
    rows = conn.exec_driver_sql(
        f"SELECT id, paper_id FROM records WHERE paper_id {AMONG} ORDER BY id", (among,)
    )
    for row, paper in rows.fetchall():
        recorder.add(Item("record", row, {"paper_id": paper}, {"paper_id": kept}))
    conn.exec_driver_sql(f"UPDATE records SET paper_id = ? WHERE paper_id {AMONG}", (kept, among))
