"""Papers of the library that a batch of records may be, found with few statements."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    import sqlalchemy as sa

    from litscape.paper import PaperId

_LAST = "\U0010ffff"
_FURTHER = re.compile(r"(.+)\.\d+")
_UNTITLED = 1000
"""Papers without a title that a batch is compared with."""
ZOTERO_ITEM = "zotero"
"""The scheme under which a paper keeps the items of Zotero that were merged into it."""


def find_identifiers(
    conn: sa.Connection, pairs: Collection[tuple[str, str]]
) -> dict[tuple[str, str], list[PaperId]]:
    """The papers that have each (scheme, value), also as one of several of the scheme."""
    named: dict[str, list[str]] = {}
    for scheme in further_schemes(conn):
        named.setdefault(base_scheme(scheme), []).append(scheme)
    wanted = {(s, v): (s, v) for s, v in pairs}
    wanted |= {(one, v): (s, v) for s, v in pairs for one in named.get(s, ())}
    rows = _joined(
        conn,
        "SELECT i.scheme, i.value, i.paper_id FROM json_each(?) j CROSS JOIN identifiers i"
        " ON i.scheme = json_extract(j.value, '$[0]') AND i.value = json_extract(j.value, '$[1]')"
        " ORDER BY i.paper_id",
        sorted(wanted),
    )
    found: dict[tuple[str, str], list[PaperId]] = {}
    for scheme, value, paper in rows:
        found.setdefault(wanted[scheme, value], []).append(paper)
    return found


def base_scheme(scheme: str) -> str:
    """The scheme of an identifier, whether it is a paper's first one or stored as ``doi.2``."""
    further = _FURTHER.fullmatch(scheme)
    return further[1] if further else scheme


def further_schemes(conn: sa.Connection) -> list[str]:
    """The names under which identifiers beyond the first are stored: ``doi.2``, ``isbn.3``, …."""
    rows = conn.exec_driver_sql(
        # From name to name along the index, past all values of each.
        "WITH RECURSIVE s(scheme) AS (SELECT min(scheme) FROM identifiers UNION ALL"
        " SELECT (SELECT min(scheme) FROM identifiers WHERE scheme > s.scheme) FROM s"
        " WHERE s.scheme IS NOT NULL) SELECT scheme FROM s WHERE scheme IS NOT NULL"
    )
    return [str(row[0]) for row in rows if _FURTHER.fullmatch(row[0])]


def zotero_item(library: str | None, key: str) -> str:
    """An item of Zotero as the identifier of the paper that another one was merged into."""
    return f"{library or ''}:{key}"


def find_zotero(
    conn: sa.Connection, keys: Collection[tuple[str, str]]
) -> dict[tuple[str, str], list[PaperId]]:
    """The papers of each (Zotero library, item key), also those that took the item's paper in."""
    rows = _joined(
        conn,
        "SELECT p.library, p.zotero_key, p.id FROM json_each(?) j CROSS JOIN papers p"
        " ON p.zotero_key = json_extract(j.value, '$[1]')"
        " AND p.library IS json_extract(j.value, '$[0]')"
        " WHERE p.zotero_key IS NOT NULL ORDER BY p.id",
        sorted(keys),
    )
    found: dict[tuple[str, str], list[PaperId]] = {}
    for library, key, paper in rows:
        found.setdefault((library, key), []).append(paper)
    wanted = {(ZOTERO_ITEM, zotero_item(*key)): key for key in keys}
    for pair, papers in find_identifiers(conn, wanted).items():
        found.setdefault(wanted[pair], []).extend(papers)
    return found


def several_records(conn: sa.Connection, ids: Iterable[PaperId]) -> dict[PaperId, list[bytes]]:
    """The signatures of the source records of those papers that have more than one."""
    rows = conn.exec_driver_sql(
        f"SELECT paper_id, hash FROM records WHERE paper_id {AMONG} ORDER BY id", (json_ids(ids),)
    )
    found: dict[PaperId, list[bytes]] = {}
    for paper, hashed in rows:
        found.setdefault(paper, []).append(bytes(hashed))
    return {paper: hashes for paper, hashes in found.items() if len(hashes) > 1}


def find_citekeys(conn: sa.Connection, keys: Collection[str]) -> dict[str, list[PaperId]]:
    """The papers that have each key, as citekey or alias."""
    rows = _joined(
        conn,
        "SELECT j.value, p.id FROM json_each(?1) j CROSS JOIN papers p ON p.citekey = j.value"
        " UNION SELECT j.value, a.paper_id FROM json_each(?1) j CROSS JOIN aliases a"
        " ON a.citekey = j.value",
        sorted(keys),
    )
    return _lists(rows)


def taken_citekeys(conn: sa.Connection, keys: Collection[str]) -> set[str]:
    """Those of the keys that are a paper's citekey."""
    sql = f"SELECT citekey FROM papers WHERE citekey {AMONG}"
    return {str(row[0]) for row in _joined(conn, sql, sorted(keys))}


def find_titles(
    conn: sa.Connection, starts: Collection[str], exact: Collection[str]
) -> dict[str, list[PaperId]]:
    """The papers whose sort title begins with, or is, each of some texts."""
    found = _lists(
        _joined(
            conn,
            "SELECT j.value, p.id FROM json_each(?) j CROSS JOIN papers p"
            f" ON p.sort_title >= j.value AND p.sort_title < j.value || '{_LAST}'",
            sorted(starts),
        )
    )
    whole = _joined(
        conn,
        "SELECT j.value, p.id FROM json_each(?) j CROSS JOIN papers p ON p.sort_title = j.value",
        sorted(exact),
    )
    for text, papers in _lists(whole).items():
        found[text] = sorted({*found.get(text, ()), *papers})
    return found


def find_untitled(conn: sa.Connection, years: Collection[int | None]) -> list[PaperId]:
    """The newest papers without a title of some years, None for those without a year."""
    if not years:
        return []
    rows = conn.exec_driver_sql(
        "SELECT id FROM papers WHERE sort_title = '' AND ifnull(year, 0) IN"
        " (SELECT ifnull(value, 0) FROM json_each(?)) ORDER BY id DESC LIMIT ?",
        (json.dumps(sorted(years, key=lambda year: year or 0)), _UNTITLED),
    )
    return sorted(int(row[0]) for row in rows)


def read_briefs(conn: sa.Connection, ids: Iterable[PaperId]) -> Iterator[tuple[Any, ...]]:
    """What is compared of papers: (id, citekey, title, year, type, place, names, identifiers).

    The place is (venue, volume, issue, pages).
    Names are family names and literals of the first ten authors, ``[family, literal]`` each;
    identifiers are (scheme, value).
    """
    among = json_ids(ids)
    names: dict[PaperId, list[list[str | None]]] = {}
    for paper, family, literal in conn.exec_driver_sql(
        f"SELECT paper_id, family, literal FROM authors WHERE paper_id {AMONG} AND position < 10",
        (among,),
    ):
        names.setdefault(paper, []).append([family, literal])
    schemes: dict[PaperId, list[tuple[str, str]]] = {}
    for paper, scheme, value in conn.exec_driver_sql(
        f"SELECT paper_id, scheme, value FROM identifiers WHERE paper_id {AMONG}", (among,)
    ):
        schemes.setdefault(paper, []).append((scheme, value))
    rows = conn.exec_driver_sql(
        "SELECT id, citekey, title, year, type, venue, volume, issue, pages FROM papers"
        f" WHERE id {AMONG}",
        (among,),
    )
    for row in rows.fetchall():
        yield (*row[:5], tuple(row[5:]), names.get(row[0], []), schemes.get(row[0], []))


def _joined(conn: sa.Connection, sql: str, values: list[Any]) -> Iterable[Any]:
    if not values:
        return ()
    return conn.exec_driver_sql(sql, (json.dumps(values),)).fetchall()


def _lists(rows: Iterable[Any]) -> dict[str, list[PaperId]]:
    found: dict[str, list[PaperId]] = {}
    for key, paper in rows:
        found.setdefault(key, []).append(paper)
    return found
