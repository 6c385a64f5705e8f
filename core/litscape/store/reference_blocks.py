"""References and papers without a common identifier, compared within their blocks."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from litscape.graph.cited import (
    Cited,
    Known,
    bare_start,
    block_text,
    fit,
    guessed_title,
    mark,
    paper_blocks,
    spoken,
    title_block,
    title_start,
)
from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId

_LAST = "\U0010ffff"
_CHUNK = 5_000
MOST_A_BLOCK = 200
"""A block with more papers than that ("editorial board of the …") tells nothing."""
MOST_LIKE, _LEAST = 30, 4
"""Papers that begin in a like way that are compared; letters before a mark that are looked for."""
_ANY_MARK = re.compile(r"[^\w\s'’-]|\s-")


class Row(NamedTuple):
    """A reference whose block is known, and how its title begins."""

    citing: PaperId
    position: int
    cited: Cited
    block: str
    start: str


Fitting = tuple[int, int, int, str, float]
"""Citing paper, position of the reference, cited paper, method, score."""
_COLUMNS = "paper_id, position, title, year, doi, raw, extra"


def fitting(conn: sa.Connection, papers: Collection[PaperId]) -> list[Fitting]:
    """References from and to papers with what they mean, by title, author and year.

    Args:
        conn: a connection.
        papers: the papers whose references are looked at, and to which others may refer.
    """
    return [*_from(conn, papers), *_to(conn, papers)]


def read_texts_anew(conn: sa.Connection) -> None:
    """Make the numbers anew of references whose texts are read better than when they came."""
    conn.exec_driver_sql(
        'UPDATE "references" SET block = cited_block(title, year, raw, extra),'
        " name = cited_name(title, year, raw, extra)"
        " WHERE title IS NULL AND raw IS NOT NULL"
        " AND block IS NOT cited_block(title, year, raw, extra)"
    )


def _from(conn: sa.Connection, papers: Collection[PaperId]) -> list[Fitting]:
    rows = _references(conn, f"paper_id {AMONG} AND block IS NOT NULL", json_ids(papers))
    found: list[Fitting] = []
    for start in range(0, len(rows), _CHUNK):
        part = rows[start : start + _CHUNK]
        blocks = _papers_of(conn, part)
        known = read_known(conn, {paper for ids in blocks.values() for paper in ids})
        found += _best(part, {b: [known[p] for p in ids] for b, ids in blocks.items()})
    return found


def _to(conn: sa.Connection, papers: Collection[PaperId]) -> list[Fitting]:
    by_block: dict[str, list[Known]] = {}
    for paper in read_known(conn, papers).values():
        for block in paper_blocks(paper):
            by_block.setdefault(block, []).append(paper)
    marks = json.dumps([mark(block) for block in by_block])
    condition = f"block {AMONG} AND paper_id NOT {AMONG}"
    return _best(_references(conn, condition, marks, json_ids(papers)), by_block)


def _references(conn: sa.Connection, condition: str, *values: str) -> list[Row]:
    rows = conn.exec_driver_sql(
        f'SELECT {_COLUMNS} FROM "references" WHERE {condition} ORDER BY 1, 2', values
    )
    found = []
    for citing, position, title, year, doi, raw, extra in rows.fetchall():
        parts = json.loads(extra) if extra != "{}" else {}
        start = title_start(spoken(title or guessed_title(raw) or ""))
        block = title_block(start) if title else block_text(title, year, raw, parts)
        if block:
            found.append(Row(citing, position, Cited(title, year, doi, raw, parts), block, start))
    return found


def _best(rows: Iterable[Row], papers: Mapping[str, list[Known]]) -> list[Fitting]:
    """The best fitting paper of each reference; of equals the one that came first."""
    found = []
    for row in rows:
        fits = [
            (fitted, paper.id)
            for paper in papers.get(row.block, ())
            if paper.id != row.citing and (fitted := fit(row.cited, paper))
        ]
        if fits:
            best, paper = min(fits, key=lambda one: (-one[0].score, one[1]))
            found.append((row.citing, row.position, paper, best.method, best.score))
    return found


def _papers_of(conn: sa.Connection, rows: Sequence[Row]) -> dict[str, list[PaperId]]:
    """The papers that are in the block of each reference, or may be."""
    blocks = {row.block for row in rows}
    starts = {row.start: row.block for row in rows if row.block.startswith("title:")}
    found: dict[str, list[PaperId]] = {}
    like: dict[str, list[PaperId]] = {}
    for start, paper, title in _beginning(conn, {start: start for start in starts}):
        if title_start(title) == start:
            found.setdefault(starts[start], []).append(paper)
        else:
            like.setdefault(starts[start], []).append(paper)
    # Another mark near the beginning; where there is none, looking for all would take too long.
    left = {start: head for start, block in starts.items() if block not in found
            and (mark := _ANY_MARK.search(start)) and len(head := start[: mark.start()]) >= _LEAST
            }  # fmt: skip
    for start, paper, title in _beginning(conn, left):
        bare = bare_start(start)
        if bare_start(title)[: len(bare)] == bare:
            like.setdefault(starts[start], []).append(paper)
    for block, ids in like.items():
        if len(ids) <= MOST_LIKE:
            found.setdefault(block, []).extend(set(ids).difference(found.get(block, ())))
    places = {
        (int(year), volume, page, page + _LAST): block
        for block in blocks
        if block.startswith("place:")
        for _family, year, volume, page in [block.removeprefix("place:").rsplit("|", 3)]
    }
    found_places = conn.exec_driver_sql(
        "SELECT j.key, p.id FROM json_each(?) j CROSS JOIN papers p"
        " ON p.year = json_extract(j.value, '$[0]') AND p.volume = json_extract(j.value, '$[1]')"
        " AND p.pages >= json_extract(j.value, '$[2]') AND p.pages < json_extract(j.value, '$[3]')"
        " WHERE p.pages IS NOT NULL AND p.volume IS NOT NULL",
        (json.dumps(list(places)),),
    )
    names = list(places.values())
    for place, paper in found_places:
        found.setdefault(names[place], []).append(paper)
    return {block: ids for block, ids in found.items() if len(ids) <= MOST_A_BLOCK}


def _beginning(conn: sa.Connection, heads: Mapping[str, str]) -> list[tuple[str, PaperId, str]]:
    """Papers whose folded titles begin with some heads: what each is wanted for, id, title."""
    rows = conn.exec_driver_sql(
        "SELECT j.key, p.id, p.sort_title FROM json_each(?) j CROSS JOIN papers p"
        f" ON p.sort_title >= j.value AND p.sort_title < j.value || '{_LAST}'",
        (json.dumps(dict(sorted(heads.items()))),),
    )
    return [(row[0], row[1], row[2]) for row in rows]


def read_known(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, Known]:
    """What is compared of papers, by id."""
    among = json_ids(ids)
    names: dict[PaperId, list[str]] = {}
    for paper, name in conn.exec_driver_sql(
        "SELECT paper_id, ifnull(family, literal) FROM authors"
        f" WHERE paper_id {AMONG} AND position < 10 ORDER BY paper_id, position",
        (among,),
    ):
        if name:
            names.setdefault(paper, []).append(name)
    dois: dict[PaperId, set[str]] = {}
    for paper, doi in conn.exec_driver_sql(
        f"SELECT paper_id, value FROM identifiers WHERE paper_id {AMONG}"
        " AND (scheme = 'doi' OR (scheme > 'doi.' AND scheme < 'doi/'))",
        (among,),
    ):
        dois.setdefault(paper, set()).add(doi)
    rows = conn.exec_driver_sql(
        f"SELECT id, title, year, volume, pages FROM papers WHERE id {AMONG}", (among,)
    )
    return {
        row[0]: Known(
            row[0], row[1], row[2], tuple(names.get(row[0], ())), row[3], row[4],
            frozenset(dois.get(row[0], ())),
        )
        for row in rows
    }  # fmt: skip
