"""Papers of the library that a batch of records may be, found with few statements."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    import sqlalchemy as sa

    from litscape.paper import PaperId

_LAST = "\U0010ffff"
ZOTERO_ITEM = "zotero"
"""The scheme under which a paper keeps the items of Zotero that were merged into it."""


def find_identifiers(
    conn: sa.Connection, pairs: Collection[tuple[str, str]]
) -> dict[tuple[str, str], list[PaperId]]:
    """The papers that have each (scheme, value)."""
    rows = _joined(
        conn,
        "SELECT i.scheme, i.value, i.paper_id FROM json_each(?) j CROSS JOIN identifiers i"
        " ON i.scheme = json_extract(j.value, '$[0]') AND i.value = json_extract(j.value, '$[1]')"
        " ORDER BY i.paper_id",
        sorted(pairs),
    )
    found: dict[tuple[str, str], list[PaperId]] = {}
    for scheme, value, paper in rows:
        found.setdefault((scheme, value), []).append(paper)
    return found


def zotero_item(library: str | None, key: str) -> str:
    """An item of Zotero as the identifier of the paper that another one was merged into."""
    return f"{library or ''}:{key}"


def further_identifiers(
    conn: sa.Connection, schemes: Iterable[str], *, first: bool = False
) -> list[tuple[str, str, PaperId]]:
    """The identifiers beyond the first (or with it) of papers, as (scheme, value, paper)."""
    found: list[tuple[str, str, PaperId]] = []
    for scheme in schemes:
        rows = conn.exec_driver_sql(
            "SELECT value, paper_id FROM identifiers"
            " WHERE (scheme > ? AND scheme < ?) OR (scheme = ? AND ?)",
            (f"{scheme}.", f"{scheme}/", scheme, first),  # the sign after the full stop
        )
        found += [(scheme, row[0], row[1]) for row in rows.fetchall()]
    return found


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
    if merged := further_identifiers(conn, (ZOTERO_ITEM,), first=True):
        wanted = {zotero_item(*key): key for key in keys}
        for _scheme, item, paper in merged:
            if item in wanted:
                found.setdefault(wanted[item], []).append(paper)
    return found


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
