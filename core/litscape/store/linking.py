"""References that turn out to be papers of the library become citation links."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from litscape.store.bulk import insert_citations, many, note_links
from litscape.store.candidates import base_scheme, further_schemes
from litscape.store.filters import AMONG, json_ids
from litscape.store.history import change_papers
from litscape.store.images import links
from litscape.store.papers import get_papers
from litscape.store.reference_blocks import fitting
from litscape.store.refused_links import refused

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.history import Recorder

SOURCE = "import"
"""Where links come from that an import brought; ``import:7`` where its source is known."""


class Found(NamedTuple):
    """A reference that can be linked: its paper, its position there, and what it means.

    ``origin`` is the number of the source whose own ids it was found by, where that is how.
    """

    citing: PaperId
    position: int
    cited: PaperId
    method: str
    score: float = 1.0
    origin: int | None = None


_BY_DOI = (
    "SELECT r.paper_id, r.position, i.paper_id, 'doi' FROM \"references\" r"
    " JOIN identifiers i ON i.scheme = 'doi' AND i.value = r.doi"
)
# Identifiers of papers that were merged into others; told to begin there, for they are few.
_BY_FURTHER = (
    "SELECT r.paper_id, r.position, i.paper_id, ? FROM identifiers i"
    ' CROSS JOIN "references" r ON {} WHERE i.scheme = ?'
)
# A source's own ids mean its own records only.
_BY_RECORD = (
    "SELECT r.paper_id, r.position, k.paper_id, 'record', 1.0, own.source_id FROM \"references\" r"
    " JOIN records own ON own.paper_id = r.paper_id"
    " JOIN records k ON k.source_id = own.source_id AND k.record_key = r.source_id"
)
# ``pmid:123`` and ``openalex:W1`` mean the same work in every source.
_BY_NAME = (
    'SELECT r.paper_id, r.position, i.paper_id, i.scheme FROM "references" r JOIN identifiers i'
    " ON i.scheme = substr(r.source_id, 1, instr(r.source_id, ':') - 1)"
    " AND i.value = substr(r.source_id, instr(r.source_id, ':') + 1)"
)
_BY_KEY = (
    "SELECT r.paper_id, r.position, p.id, 'citekey', 1.0, own.source_id FROM records own"
    ' JOIN "references" r ON r.paper_id = own.paper_id'
    " JOIN papers p ON p.citekey = r.source_id"
)


def link_papers(
    recorder: Recorder,
    papers: Collection[PaperId],
    added: Collection[PaperId],
    sources: Mapping[PaperId, str] | None = None,
) -> None:
    """Link references from and to papers that were just written.

    By identifier where there is one; what is left by title, first author and year.

    Args:
        recorder: the change of which this is a part.
        papers: the papers written.
        added: papers that came into being with this change; the others' links are kept for undo.
        sources: where the references of papers come from, if not from their records.
    """
    conn, among = recorder.conn, json_ids(papers)
    found: list[Found] = []
    for sql in (
        f"{_BY_DOI} WHERE r.paper_id {AMONG} AND r.doi IS NOT NULL",
        f"{_BY_RECORD} WHERE r.paper_id {AMONG} AND r.source_id IS NOT NULL",
        f"{_BY_NAME} WHERE r.paper_id {AMONG} AND instr(r.source_id, ':') > 1",
        # The other way round, told to begin at the few papers that are new.
        "SELECT r.paper_id, r.position, i.paper_id, 'doi' FROM identifiers i"
        ' CROSS JOIN "references" r'
        f" ON r.doi = i.value WHERE i.paper_id {AMONG} AND i.scheme = 'doi'",
        "SELECT r.paper_id, r.position, i.paper_id, i.scheme FROM identifiers i"
        ' CROSS JOIN "references" r'
        f" ON r.source_id = i.scheme || ':' || i.value WHERE i.paper_id {AMONG}",
        "SELECT r.paper_id, r.position, k.paper_id, 'record', 1.0, own.source_id FROM records k"
        ' CROSS JOIN "references" r'
        " ON r.source_id = k.record_key CROSS JOIN records own"
        f" ON own.paper_id = r.paper_id AND own.source_id = k.source_id WHERE k.paper_id {AMONG}",
    ):
        found += [Found(*row) for row in conn.exec_driver_sql(sql, (among,))]
    found += _by_further(conn, among)
    _link(recorder, found, added, sources)
    _link(recorder, [Found(*row) for row in fitting(conn, papers)], added, sources)


def _by_further(conn: sa.Connection, among: str) -> list[Found]:
    """Links from papers to those that took in the paper that a reference names."""
    found: list[Found] = []
    for scheme in further_schemes(conn):
        base = base_scheme(scheme)
        same = "r.doi = i.value" if base == "doi" else "r.source_id = ? || ':' || i.value"
        values = (base, scheme, among) if base == "doi" else (base, base, scheme, among)
        sql = f"{_BY_FURTHER.format(same)} AND r.paper_id {AMONG}"
        found += [Found(*row) for row in conn.exec_driver_sql(sql, values)]
    return found


def link_by_citekey(
    recorder: Recorder, source_id: int, batch_id: int, added: Collection[PaperId]
) -> None:
    """Link what a source's records cite by a citekey of the library, once all of them are in."""
    rows = recorder.conn.exec_driver_sql(
        f"{_BY_KEY} WHERE own.source_id = ? AND own.batch_id = ? AND r.source_id IS NOT NULL",
        (source_id, batch_id),
    )
    _link(recorder, [Found(*row) for row in rows], added)


def _link(
    recorder: Recorder,
    found: list[Found],
    added: Collection[PaperId],
    given: Mapping[PaperId, str] | None = None,
) -> None:
    never = refused(recorder.conn, {(one.citing, one.position, one.cited) for one in found})
    edges = {
        (one.citing, one.position): one
        for one in found
        if one.citing != one.cited and (one.citing, one.position, one.cited) not in never
    }
    if not edges:
        return
    sources = _sources(recorder.conn, {citing for citing, _ in edges}) | dict(given or {})
    told = {key: f"{SOURCE}:{one.origin}" for key, one in edges.items() if one.origin is not None}
    named = {key: sources[key[0]] for key in edges if key[0] in (given or {})}
    origins = {key: sources[key[0]] for key in edges} | told | named
    origins |= _services(recorder.conn, edges)
    own = {key: one for key, one in edges.items() if key[0] in added}
    insert_citations(
        recorder.conn,
        [(one.citing, one.cited, origins[key], one.method, one.score) for key, one in own.items()],
    )
    many(
        recorder.conn,
        'DELETE FROM "references" WHERE paper_id = ? AND position = ?',
        sorted(own),
    )
    note_links(recorder.conn, {citing for citing, _ in own})
    others = {key: one for key, one in edges.items() if key[0] not in added}
    if others:
        _link_others(recorder, others, origins)


def _sources(conn: sa.Connection, papers: Iterable[PaperId]) -> dict[PaperId, str]:
    """Where papers' references come from: their source, where they are of one alone."""
    found = dict.fromkeys(papers, SOURCE)
    rows = conn.exec_driver_sql(
        f"SELECT paper_id, min(source_id) FROM records WHERE paper_id {AMONG} GROUP BY paper_id"
        " HAVING min(source_id) = max(source_id)",
        (json_ids(found),),
    )
    for paper, source in rows:
        found[int(paper)] = f"{SOURCE}:{source}"
    return found


def _services(
    conn: sa.Connection, places: Collection[tuple[PaperId, int]]
) -> dict[tuple[PaperId, int], str]:
    """The references at some places that were looked up, with the service that told of them."""
    rows = conn.exec_driver_sql(
        "SELECT paper_id, position, json_extract(extra, '$.service') FROM \"references\""
        f" WHERE paper_id {AMONG} AND json_extract(extra, '$.service') IS NOT NULL",
        (json_ids({paper for paper, _ in places}),),
    )
    return {(row[0], row[1]): row[2] for row in rows if (row[0], row[1]) in places}


def _link_others(
    recorder: Recorder,
    edges: dict[tuple[PaperId, int], Found],
    origins: dict[tuple[PaperId, int], str],
) -> None:
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
    new: dict[PaperId, dict[PaperId, tuple[object, ...]]] = {}
    for key, one in edges.items():
        new.setdefault(one.citing, {})[one.cited] = (one.cited, origins[key], one.method, one.score)
    values = {}
    for paper in get_papers(conn, citing):
        places = zip(positions.get(paper.id, ()), paper.references, strict=True)
        left = tuple(ref for place, ref in places if (paper.id, place) not in edges)
        cited = new[paper.id] | {link[0]: tuple(link) for link in there.get(paper.id, ())}
        values[paper.id] = {"cites": tuple(cited[one] for one in sorted(cited)), "references": left}
    change_papers(recorder, values)
