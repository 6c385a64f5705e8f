"""References that turn out to be papers of the library become citation links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.store.bulk import insert_citations, many
from litscape.store.filters import AMONG, json_ids
from litscape.store.history import change_papers
from litscape.store.images import links
from litscape.store.papers import get_papers

if TYPE_CHECKING:
    from collections.abc import Collection

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.history import Recorder

SOURCE = "import"
Found = tuple["PaperId", int, "PaperId"]
"""A reference that can be linked: citing paper, its position there, cited paper."""

_BY_DOI = (
    'SELECT r.paper_id, r.position, i.paper_id FROM "references" r'
    " JOIN identifiers i ON i.scheme = 'doi' AND i.value = r.doi"
)
# The DOIs of papers that were merged into others; told to begin there, for they are few.
_BY_FURTHER_DOI = (
    "SELECT r.paper_id, r.position, i.paper_id FROM identifiers i"
    ' CROSS JOIN "references" r ON r.doi = i.value'
    " WHERE i.scheme > 'doi.' AND i.scheme < 'doi/'"
)
# A source's own ids mean its own records only.
_BY_RECORD = (
    'SELECT r.paper_id, r.position, k.paper_id FROM "references" r'
    " JOIN records own ON own.paper_id = r.paper_id"
    " JOIN records k ON k.source_id = own.source_id AND k.record_key = r.source_id"
)
# ``pmid:123`` and ``openalex:W1`` mean the same work in every source.
_BY_NAME = (
    'SELECT r.paper_id, r.position, i.paper_id FROM "references" r JOIN identifiers i'
    " ON i.scheme = substr(r.source_id, 1, instr(r.source_id, ':') - 1)"
    " AND i.value = substr(r.source_id, instr(r.source_id, ':') + 1)"
)
_BY_KEY = (
    "SELECT r.paper_id, r.position, p.id FROM records own"
    ' JOIN "references" r ON r.paper_id = own.paper_id'
    " JOIN papers p ON p.citekey = r.source_id"
)


def link_papers(
    recorder: Recorder, papers: Collection[PaperId], added: Collection[PaperId]
) -> None:
    """Link references from and to papers that were just written.

    Args:
        recorder: the change of which this is a part.
        papers: the papers written.
        added: papers that came into being with this change; the others' links are kept for undo.
    """
    conn, among = recorder.conn, json_ids(papers)
    found: list[Found] = []
    for sql in (
        f"{_BY_DOI} WHERE r.paper_id {AMONG} AND r.doi IS NOT NULL",
        f"{_BY_FURTHER_DOI} AND r.paper_id {AMONG}",
        f"{_BY_RECORD} WHERE r.paper_id {AMONG} AND r.source_id IS NOT NULL",
        f"{_BY_NAME} WHERE r.paper_id {AMONG} AND instr(r.source_id, ':') > 1",
        # The other way round, told to begin at the few papers that are new.
        'SELECT r.paper_id, r.position, i.paper_id FROM identifiers i CROSS JOIN "references" r'
        f" ON r.doi = i.value WHERE i.paper_id {AMONG} AND i.scheme = 'doi'",
        'SELECT r.paper_id, r.position, i.paper_id FROM identifiers i CROSS JOIN "references" r'
        f" ON r.source_id = i.scheme || ':' || i.value WHERE i.paper_id {AMONG}",
        'SELECT r.paper_id, r.position, k.paper_id FROM records k CROSS JOIN "references" r'
        " ON r.source_id = k.record_key CROSS JOIN records own"
        f" ON own.paper_id = r.paper_id AND own.source_id = k.source_id WHERE k.paper_id {AMONG}",
    ):
        found += _rows(conn, sql, among)
    _link(recorder, found, added)


def link_by_citekey(
    recorder: Recorder, source_id: int, batch_id: int, added: Collection[PaperId]
) -> None:
    """Link what a source's records cite by a citekey of the library, once all of them are in."""
    found = [
        (row[0], row[1], row[2])
        for row in recorder.conn.exec_driver_sql(
            f"{_BY_KEY} WHERE own.source_id = ? AND own.batch_id = ? AND r.source_id IS NOT NULL",
            (source_id, batch_id),
        )
    ]
    _link(recorder, found, added)


def _rows(conn: sa.Connection, sql: str, among: str) -> list[Found]:
    return [(row[0], row[1], row[2]) for row in conn.exec_driver_sql(sql, (among,))]


def _link(recorder: Recorder, found: list[Found], added: Collection[PaperId]) -> None:
    edges = {(citing, position): cited for citing, position, cited in found if citing != cited}
    own = {key: cited for key, cited in edges.items() if key[0] in added}
    insert_citations(recorder.conn, {(citing, cited, SOURCE) for (citing, _), cited in own.items()})
    many(
        recorder.conn,
        'DELETE FROM "references" WHERE paper_id = ? AND position = ?',
        sorted(own),
    )
    others = {key: cited for key, cited in edges.items() if key[0] not in added}
    if others:
        _link_others(recorder, others)


def _link_others(recorder: Recorder, edges: dict[tuple[PaperId, int], PaperId]) -> None:
    conn = recorder.conn
    citing = sorted({key[0] for key in edges})
    # Positions may have gaps: the n-th reference that is read is the n-th position there is.
    positions: dict[PaperId, list[int]] = {}
    for paper, position in conn.exec_driver_sql(
        f'SELECT paper_id, position FROM "references" WHERE paper_id {AMONG} ORDER BY 1, 2',
        (json_ids(citing),),
    ):
        positions.setdefault(paper, []).append(position)
    there = links(conn, citing)
    values = {}
    for paper in get_papers(conn, citing):
        places = zip(positions.get(paper.id, ()), paper.references, strict=True)
        left = tuple(ref for place, ref in places if (paper.id, place) not in edges)
        cited = {edges[key]: SOURCE for key in edges if key[0] == paper.id}
        cited |= dict(there.get(paper.id, ()))
        values[paper.id] = {"cites": tuple(sorted(cited.items())), "references": left}
    change_papers(recorder, values)
