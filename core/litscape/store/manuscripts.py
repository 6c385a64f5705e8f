"""Manuscripts and what they cite, as rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from litscape.importers import normalise
from litscape.store.bulk import many, now
from litscape.store.candidates import find_identifiers
from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId


class ManuscriptRow(NamedTuple):
    """A manuscript as it was read last (UTC)."""

    id: int
    path: str
    kind: str
    read_at: str
    mark: str
    citations: int
    works: int


class CiteRow(NamedTuple):
    """A work in a citation, and the numbers of the parts that it stands in, from the outermost."""

    citekey: str
    line: int
    section: int
    paragraph: int
    sentence: int
    cite: int


def list_manuscripts(conn: sa.Connection) -> list[ManuscriptRow]:
    """All manuscripts by path, with how many citations they hold of how many works."""
    rows = conn.exec_driver_sql(
        "SELECT m.id, m.path, m.kind, m.read_at, m.mark, count(DISTINCT c.cite),"
        " count(DISTINCT c.citekey) FROM manuscripts m"
        " LEFT JOIN manuscript_cites c ON c.manuscript_id = m.id GROUP BY m.id ORDER BY m.path"
    )
    return [ManuscriptRow(*row) for row in rows]


def put_manuscript(
    conn: sa.Connection, path: str, kind: str, mark: str, cites: Sequence[CiteRow]
) -> None:
    """Store what a manuscript cites in the place of what it did."""
    drop_manuscripts(conn, [path])
    number = conn.exec_driver_sql(
        "INSERT INTO manuscripts(path, kind, read_at, mark) VALUES (?, ?, ?, ?)",
        (path, kind, now(), mark),
    ).lastrowid
    many(
        conn,
        "INSERT INTO manuscript_cites(manuscript_id, position, citekey, line, section, paragraph,"
        " sentence, cite) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(number, position, *cite) for position, cite in enumerate(cites)],
    )


def drop_manuscripts(conn: sa.Connection, paths: Iterable[str]) -> None:
    """Forget manuscripts; ``manuscript_cites`` goes with them."""
    many(conn, "DELETE FROM manuscripts WHERE path = ?", [(path,) for path in paths])


def read_cites(conn: sa.Connection) -> list[tuple[int, CiteRow]]:
    """What all manuscripts cite, by manuscript and place."""
    rows = conn.exec_driver_sql(
        "SELECT manuscript_id, citekey, line, section, paragraph, sentence, cite"
        " FROM manuscript_cites ORDER BY manuscript_id, position"
    )
    return [(row[0], CiteRow(*row[1:])) for row in rows]


def papers_of_keys(conn: sa.Connection, keys: Iterable[str]) -> dict[str, PaperId]:
    """The live papers that citation keys mean.

    A key is a paper's own, one of its former or other keys, written in other capitals, or its DOI
    as Pandoc takes it (``doi:10.1000/1``); where several papers fit equally well, it means none.
    """
    keys = set(keys)
    wanted = json.dumps(sorted(keys))
    found: dict[str, PaperId] = {}
    for sql in (
        f"SELECT citekey, id FROM papers WHERE trashed_at IS NULL AND citekey {AMONG}",
        "SELECT a.citekey, p.id FROM aliases a JOIN papers p ON p.id = a.paper_id"
        f" WHERE p.trashed_at IS NULL AND a.citekey {AMONG}",
        "SELECT citekey_original, id FROM papers"
        f" WHERE trashed_at IS NULL AND citekey_original {AMONG}",
        "SELECT k.value, p.id FROM json_each(?) k JOIN papers p"
        " ON p.citekey = k.value COLLATE NOCASE WHERE p.trashed_at IS NULL",
    ):
        several: dict[str, set[PaperId]] = {}
        for key, paper in conn.exec_driver_sql(sql, (wanted,)):
            several.setdefault(key, set()).add(paper)
        for key, papers in several.items():
            if len(papers) == 1:
                found.setdefault(key, min(papers))
    return _by_doi(conn, keys - found.keys()) | found


def _by_doi(conn: sa.Connection, keys: Iterable[str]) -> dict[str, PaperId]:
    dois = {key: doi for key in keys if (doi := normalise.doi_only(key))}
    holders = find_identifiers(conn, {("doi", doi) for doi in dois.values()})
    there = {key: holders.get(("doi", doi), []) for key, doi in dois.items()}
    trashed = {
        row[0]
        for row in conn.exec_driver_sql(
            f"SELECT id FROM papers WHERE trashed_at IS NOT NULL AND id {AMONG}",
            (json_ids({paper for papers in there.values() for paper in papers}),),
        )
    }
    live = {key: set(papers) - trashed for key, papers in there.items()}
    return {key: min(papers) for key, papers in live.items() if len(papers) == 1}


def dated_up_to(conn: sa.Connection, papers: Iterable[PaperId], year: int) -> set[PaperId]:
    """Those of some papers that have a year, and none after ``year``."""
    rows = conn.exec_driver_sql(
        f"SELECT id FROM papers WHERE year <= ? AND id {AMONG}", (year, json_ids(papers))
    )
    return {row[0] for row in rows}
