"""Links with where they come from, what works outside the library are, and what is shared."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from litscape.paper import Reference
from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

    from litscape.paper import PaperId

_TRASHED = "(SELECT id FROM papers WHERE trashed_at IS NOT NULL)"
_LIVE = f"citing NOT IN {_TRASHED} AND cited NOT IN {_TRASHED}"


class StoredLink(NamedTuple):
    """A citation as it is stored; method and score are None where they are not known."""

    citing: PaperId
    cited: PaperId
    source: str
    method: str | None
    score: float | None


class PaperName(NamedTuple):
    """How a paper is called in an export.

    Attributes:
        unique: what names it alone: its DOI, or ``key:`` and its citation key where another paper
            has that DOI or it has none.
    """

    citekey: str
    title: str | None
    authors: str
    year: int | None
    doi: str | None
    unique: str

    @property
    def label(self) -> str:
        """First author and year, as maps are labelled; the citation key without an author."""
        first, _, rest = self.authors.partition(";")
        if not first:
            return self.citekey
        return f"{first}{' et al.' if rest else ''} ({self.year or 'n.d.'})"


def bare_references(conn: sa.Connection) -> dict[str, list[PaperId]]:
    """Ids by which papers cite works of which nothing else is known, with these papers."""
    rows = conn.exec_driver_sql(
        'SELECT source_id, paper_id FROM "references" WHERE doi IS NULL AND title IS NULL'
        " AND raw IS NULL AND instr(source_id, ':') > 1 ORDER BY 1, 2"
    )
    found: dict[str, list[PaperId]] = {}
    for source_id, paper in rows:
        found.setdefault(source_id, []).append(paper)
    return found


def names_of(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, PaperName]:
    """What papers are called, by id."""
    among = json_ids(ids)
    dois: dict[PaperId, str] = {}
    owners: dict[str, int] = {}
    for paper, doi in conn.exec_driver_sql(
        "SELECT paper_id, value FROM identifiers WHERE scheme = 'doi'"
    ):
        dois[paper] = doi
        owners[doi] = owners.get(doi, 0) + 1
    rows = conn.exec_driver_sql(
        f"SELECT id, citekey, title, authors_text, year FROM papers WHERE id {AMONG}", (among,)
    )
    found = {}
    for paper, citekey, title, authors, year in rows:
        doi = dois.get(paper)
        unique = doi if doi and owners[doi] == 1 else f"key:{citekey}"
        found[int(paper)] = PaperName(citekey, title, authors, year, doi, unique)
    return found


def links_of(conn: sa.Connection, paper: PaperId, *, cited_by: bool) -> list[StoredLink]:
    """The links of a paper to papers that are not in the trash, or those from such papers."""
    own, other = ("cited", "citing") if cited_by else ("citing", "cited")
    rows = conn.exec_driver_sql(
        "SELECT citing, cited, source, method, score FROM citations"
        f" WHERE {own} = ? AND {other} NOT IN {_TRASHED} ORDER BY {other}",
        (paper,),
    )
    return [StoredLink(*row) for row in rows]


def count_by_source(conn: sa.Connection, as_of: int | None = None) -> dict[str, int]:
    """How many links between live papers, with a year those dated up to it, are of each source."""
    dated = "(SELECT id FROM papers WHERE year <= ?1)"
    past = "" if as_of is None else f" AND citing IN {dated} AND cited IN {dated}"
    rows = conn.exec_driver_sql(
        f"SELECT source, count(*) FROM citations WHERE {_LIVE}{past}"
        " GROUP BY source ORDER BY 2 DESC, 1",
        () if as_of is None else (as_of,),
    )
    return {row[0]: row[1] for row in rows}


def source_locations(conn: sa.Connection) -> dict[int, str]:
    """Where imports came from, by the number of the source."""
    return {row[0]: row[1] for row in conn.exec_driver_sql("SELECT id, location FROM sources")}


def representatives(
    conn: sa.Connection, works: Iterable[int], papers: Iterable[PaperId]
) -> dict[int, Reference]:
    """One reference to each work by some of the papers: the one that tells most."""
    rows = conn.exec_driver_sql(
        "SELECT work, raw, doi, title, year, source_id, extra,"
        " max((title IS NOT NULL) * 4 + (doi IS NOT NULL) * 2 + (year IS NOT NULL))"
        f' FROM "references" WHERE work {AMONG} AND +paper_id {AMONG} GROUP BY work',
        (json_ids(works), json_ids(papers)),
    )
    return {row[0]: _reference(*row[1:7]) for row in rows}


def references_at(conn: sa.Connection, paper: PaperId) -> list[tuple[int, int | None, Reference]]:
    """The works outside the library that a paper cites: position, work, reference."""
    rows = conn.exec_driver_sql(
        'SELECT position, work, raw, doi, title, year, source_id, extra FROM "references"'
        " WHERE paper_id = ? ORDER BY position",
        (paper,),
    )
    return [(row[0], row[1], _reference(*row[2:])) for row in rows]


def own_names(conn: sa.Connection, paper: PaperId) -> set[str]:
    """What references call a paper: its identifiers with their scheme, and its sources' own ids."""
    rows = conn.exec_driver_sql(
        "SELECT scheme || ':' || value FROM identifiers WHERE paper_id = ?1"
        " UNION SELECT record_key FROM records WHERE paper_id = ?1",
        (paper,),
    )
    return {str(row[0]) for row in rows}


def _reference(
    raw: str | None,
    doi: str | None,
    title: str | None,
    year: int | None,
    source_id: str | None,
    extra: str,
) -> Reference:
    return Reference(raw, doi, title, year, source_id, MappingProxyType(json.loads(extra)))


def further_identifiers(conn: sa.Connection, scheme: str) -> list[tuple[str, PaperId]]:
    """(value, paper) of the identifiers that papers have beyond their first of a scheme."""
    rows = conn.exec_driver_sql(
        "SELECT value, paper_id FROM identifiers WHERE scheme > ? AND scheme < ?",
        (f"{scheme}.", f"{scheme}/"),  # the sign after the full stop
    )
    return [(row[0], row[1]) for row in rows]


def papers_with_references(conn: sa.Connection) -> list[PaperId]:
    """The ids of papers that cite works outside the library."""
    rows = conn.exec_driver_sql('SELECT DISTINCT paper_id FROM "references" ORDER BY 1')
    return [int(row[0]) for row in rows]


def all_papers(conn: sa.Connection) -> list[PaperId]:
    """The ids of all papers, those in the trash among them."""
    return [int(row[0]) for row in conn.exec_driver_sql("SELECT id FROM papers ORDER BY id")]


_MEMBERS = {
    "tag": ("paper_tags", "tag_id"),
    "collection": ("paper_collections", "collection_id"),
}


def count_sharing(conn: sa.Connection, kind: str) -> int:
    """How many live papers have a tag, or are in a collection, with another one."""
    table, column = _MEMBERS[kind]
    live = f"FROM {table} WHERE paper_id NOT IN {_TRASHED}"
    found: int = conn.exec_driver_sql(
        f"SELECT count(DISTINCT paper_id) {live} AND {column} IN"
        f" (SELECT {column} {live} GROUP BY 1 HAVING count(*) > 1)"
    ).scalar_one()
    return found


def memberships(conn: sa.Connection, kind: str) -> list[tuple[PaperId, int]]:
    """(paper, tag or collection) of live papers, by paper."""
    table, column = _MEMBERS[kind]
    rows = conn.exec_driver_sql(
        f"SELECT paper_id, {column} FROM {table} WHERE paper_id NOT IN {_TRASHED} ORDER BY 1, 2"
    )
    return [(row[0], row[1]) for row in rows]


def zotero_related(conn: sa.Connection) -> list[tuple[PaperId, PaperId]]:
    """Pairs of live papers that Zotero calls related, the lower id first, each once."""
    rows = conn.exec_driver_sql(
        "SELECT id, library, zotero_key, json_extract(raw_fields, '$.related') FROM papers"
        " WHERE zotero_key IS NOT NULL AND trashed_at IS NULL"
    ).fetchall()
    by_key: dict[str, list[PaperId]] = {}
    for paper, _library, key, _related in rows:
        by_key.setdefault(key, []).append(paper)
    libraries = {paper: library for paper, library, _key, _related in rows}
    pairs = set()
    for paper, library, _key, related in rows:
        for address in (related or "").split("; "):
            others = by_key.get(address.rpartition(":")[2], [])
            near = [one for one in others if libraries[one] == library] or others
            if len(near) == 1 and near[0] != paper:
                pairs.add((min(paper, near[0]), max(paper, near[0])))
    return sorted(pairs)
