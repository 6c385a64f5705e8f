"""Papers by their names: identifiers, citation keys, or what these or their titles begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.sorting import sort_text
from litscape.store import lexical
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId

_LAST = "\U0010ffff"
MOST_NAMED = 50
"""Most papers that one identifier or key names: those of the beginning of one may be many."""
_ROW = "SELECT citekey, ifnull(title, '') FROM papers WHERE trashed_at IS NULL AND"


def begun_titles(conn: sa.Connection, text: str, most: int) -> list[tuple[str, str]]:
    """(citation key, title) of papers whose key begins with a text, then of those it is found in.

    Args:
        conn: a connection.
        text: the beginning of a key, or of a word of a title; the newest papers where empty.
        most: how many.
    """
    if not text.strip():
        rows = conn.exec_driver_sql(f"{_ROW} 1 ORDER BY id DESC LIMIT ?", (most,))
        return [(str(key), str(title)) for key, title in rows]
    found: dict[str, str] = {}
    for typed in dict.fromkeys((text, text.casefold(), text.capitalize())):
        rows = conn.exec_driver_sql(
            f"{_ROW} citekey >= ? AND citekey < ? ORDER BY citekey LIMIT ?",
            (typed, typed + _LAST, most),
        )
        found.update((str(key), str(title)) for key, title in rows)
    term = Term(text, "title", prefix=True)
    if len(found) < most and not term.empty:
        rows = conn.exec_driver_sql(
            f"{_ROW} id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ? LIMIT ?)"
            " ORDER BY year DESC LIMIT ?",
            (lexical.all_of([term]), 20 * most, most),
        )
        for key, title in rows:
            found.setdefault(str(key), str(title))
    return list(found.items())[:most]


def titled_papers(conn: sa.Connection, title: str) -> list[PaperId]:
    """The live papers of a whole title, in letters of any case, at most two."""
    rows = conn.exec_driver_sql(
        "SELECT id FROM papers WHERE sort_title = ? AND trashed_at IS NULL ORDER BY id LIMIT 2",
        (sort_text(title),),
    )
    return list(rows.scalars())


def identified(
    conn: sa.Connection, pairs: Sequence[tuple[str, str]], *, begun: bool = False
) -> list[PaperId]:
    """The papers with one of some (scheme, value); ``begun``: or a value that starts so."""
    end = _LAST if begun else ""
    found: dict[PaperId, None] = {}
    for scheme, value in pairs:
        rows = conn.exec_driver_sql(
            "SELECT paper_id FROM identifiers WHERE scheme = ? AND value >= ? AND value <= ?"
            " ORDER BY value, paper_id LIMIT ?",
            (scheme, value, value + end, MOST_NAMED),
        )
        found.update(dict.fromkeys(rows.scalars()))
    return list(found)


def keyed(conn: sa.Connection, key: str, *, any_case: bool) -> list[PaperId]:
    """The papers with a citation key, else those that had it before, else in any case of letters.

    The last looks at every key: 10 ms for 100,000 papers.
    """
    statements = ["citekey = ?", "id IN (SELECT paper_id FROM aliases WHERE citekey = ?)"]
    if any_case:
        statements.append("citekey = ? COLLATE NOCASE")
    for condition in statements:
        rows = conn.exec_driver_sql(
            f"SELECT id FROM papers WHERE {condition} ORDER BY id LIMIT ?", (key, MOST_NAMED)
        )
        if found := list(rows.scalars()):
            return found
    return []
