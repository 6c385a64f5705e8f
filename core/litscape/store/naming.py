"""Papers by the beginning of their citation key or by words of their title, to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.store import lexical
from litscape.store.lexical import Term

if TYPE_CHECKING:
    import sqlalchemy as sa

_LAST = "\U0010ffff"
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
