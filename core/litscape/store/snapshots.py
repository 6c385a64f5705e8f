"""Whole papers taken out of the library and put back: for undo and for deleting for good."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from litscape.paper import PaperDraft, PaperId
from litscape.store.bulk import NewPaper, delete_papers, insert_papers, many, note_links
from litscape.store.citekeys import free_citekey
from litscape.store.history import as_json, stored
from litscape.store.images import PAPER_FIELDS, Image, image_of, typed, user_edits
from litscape.store.papers import get_papers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import sqlalchemy as sa

_IMAGE = tuple(name for name in PAPER_FIELDS if name not in ("user_edits", "cites"))
_OF_DRAFT = {field.name for field in fields(PaperDraft)}
_AMONG = "IN (SELECT value FROM json_each(?))"
_LINK = "citing, cited, source, method, score"


def snapshots(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, Image]:
    """Everything of these papers that would be lost with them, as JSON values.

    Besides the fields: links to and from other papers, source records and batches.
    """
    wanted = sorted(ids)
    edits = user_edits(conn, wanted)
    links = _links(conn, wanted)
    records = _grouped(
        conn,
        "SELECT paper_id, id, source_id, record_key, paper_id, batch_id, line, position,"
        f" hash, raw, missing FROM records WHERE paper_id {_AMONG} ORDER BY id",
        wanted,
    )
    batches = _grouped(
        conn,
        f"SELECT paper_id, batch_id, outcome FROM batch_papers WHERE paper_id {_AMONG}",
        wanted,
    )
    return {
        paper.id: image_of(paper, _IMAGE)
        | {
            "modified_at": paper.modified_at,
            "user_edits": edits.get(paper.id, []),
            "links": links.get(paper.id, []),
            "records": records.get(paper.id, []),
            "batches": batches.get(paper.id, []),
        }
        for paper in get_papers(conn, wanted)
    }


def _grouped(
    conn: sa.Connection, sql: str, ids: Sequence[PaperId]
) -> dict[PaperId, list[list[Any]]]:
    found: dict[PaperId, list[list[Any]]] = {}
    for row in conn.exec_driver_sql(sql, (json.dumps(ids),)):
        found.setdefault(row[0], []).append([as_json(value) for value in row[1:]])
    return found


def _links(conn: sa.Connection, ids: Sequence[PaperId]) -> dict[PaperId, list[list[Any]]]:
    found = _grouped(conn, f"SELECT citing, {_LINK} FROM citations WHERE citing {_AMONG}", ids)
    cited = _grouped(conn, f"SELECT cited, {_LINK} FROM citations WHERE cited {_AMONG}", ids)
    for paper, rows in cited.items():
        found.setdefault(paper, []).extend(rows)
    return found


def remove(conn: sa.Connection, ids: Iterable[PaperId]) -> set[PaperId]:
    """Remove papers for good; others that cite them keep them as references.

    Returns:
        The papers that were there.
    """
    among = json.dumps(sorted(ids))
    gone = {
        int(found)
        for (found,) in conn.exec_driver_sql(f"SELECT id FROM papers WHERE id {_AMONG}", (among,))
    }
    note_links(conn, _links_to_references(conn, among))
    delete_papers(conn, gone)
    return gone


def _links_to_references(conn: sa.Connection, among: str) -> set[PaperId]:
    """Keep as references what other papers cite; returns these papers."""
    # No more than ``stand_ins`` knows of: undo tells these references by what they hold.
    rows = conn.exec_driver_sql(
        'INSERT INTO "references"(paper_id, position, doi, title, year, work, block, name)'
        " SELECT paper, position, doi, title, year, cited_work(doi, NULL, title, year, NULL, '{}'),"
        " cited_block(title, year, NULL, '{}'), cited_name(title, year, NULL, '{}')"
        " FROM (SELECT c.citing AS paper,"
        ' ifnull((SELECT max(position) FROM "references" WHERE paper_id = c.citing), -1)'
        "  + row_number() OVER (PARTITION BY c.citing ORDER BY c.cited) AS position,"
        " (SELECT value FROM identifiers WHERE paper_id = c.cited AND scheme = 'doi') AS doi,"
        " p.title, p.year"
        " FROM citations c JOIN papers p ON p.id = c.cited"
        f" WHERE c.cited {_AMONG} AND c.citing NOT {_AMONG}) RETURNING paper_id",
        (among, among),
    )
    return {int(row[0]) for row in rows.fetchall()}


def put_back(conn: sa.Connection, taken: Mapping[PaperId, Image]) -> set[PaperId]:
    """Bring papers back as they were, under their old ids.

    Returns:
        The ids that came back; one that is in use stays as it is.
    """
    there = {
        int(found)
        for (found,) in conn.exec_driver_sql(
            f"SELECT id FROM papers WHERE id {_AMONG}", (json.dumps(sorted(taken)),)
        )
    }
    back = {paper: image for paper, image in taken.items() if paper not in there}
    papers = []
    for paper, image in back.items():
        key = free_citekey(conn, image["citekey"])
        values = {
            name: typed(name, image[name]) for name in _IMAGE if name in _OF_DRAFT & image.keys()
        }
        papers.append(NewPaper(paper, key, PaperDraft(**(values | {"citekey": key}))))
    insert_papers(conn, papers)
    many(
        conn,
        "UPDATE papers SET added_at = ?, modified_at = ?, trashed_at = ? WHERE id = ?",
        [(i["added_at"], i["modified_at"], i["trashed_at"], p) for p, i in back.items()],
    )
    many(
        conn,
        "INSERT INTO user_edits(paper_id, field) VALUES (?, ?)",
        [(paper, name) for paper, image in back.items() for name in image["user_edits"]],
    )
    _restore_origins(conn, back)
    _restore_links(conn, back)
    return set(back)


def _restore_origins(conn: sa.Connection, back: Mapping[PaperId, Image]) -> None:
    # A name that another record of the source got meanwhile stays with that one.
    many(
        conn,
        "INSERT OR IGNORE INTO records(id, source_id, record_key, paper_id, batch_id, line,"
        " position, hash, raw, missing) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            tuple(stored(value) for value in row)
            for image in back.values()
            for row in image["records"]
        ],
    )
    many(
        conn,
        "INSERT OR IGNORE INTO batch_papers(batch_id, paper_id, outcome)"
        " SELECT id, ?, ? FROM batches WHERE id = ?",
        [
            (paper, outcome, batch)
            for paper, image in back.items()
            for batch, outcome in image["batches"]
        ],
    )


def _restore_links(conn: sa.Connection, back: Mapping[PaperId, Image]) -> None:
    links = sorted(
        {(*link, None, None)[:5] for image in back.values() for link in image["links"]},
        key=lambda link: link[:2],
    )
    many(
        conn,
        "INSERT OR IGNORE INTO citations(citing, cited, source, method, score)"
        " SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM papers WHERE id = ?1)"
        " AND EXISTS (SELECT 1 FROM papers WHERE id = ?2)",
        links,
    )
    note_links(conn, {link[0] for link in links})
    stand_ins = [
        (citing, back[cited]["doi"], back[cited]["title"], back[cited]["year"])
        for citing, cited, *_origin in links
        if cited in back and citing not in back
    ]
    many(
        conn,
        'DELETE FROM "references" WHERE (paper_id, position) IN'
        ' (SELECT paper_id, position FROM "references" WHERE paper_id = ? AND doi IS ?'
        " AND title IS ? AND year IS ? AND raw IS NULL AND source_id IS NULL LIMIT 1)",
        stand_ins,
    )
