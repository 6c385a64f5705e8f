"""Words as they are written, where the text index knows stems: “Adams” is no “Adam”."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from litscape.sorting import SIGN, search_letters
from litscape.store import lexical, names
from litscape.store.conditions import Condition

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.lexical import Term

_WHERE = {
    None: "title, abstract, authors_text, venue, keywords_text",
    "heading": "title, keywords_text",
}
"""The columns of a paper that a word may stand in."""
_SURE = re.compile(r"[a-z][a-hj-z]|[b-df-hj-np-tv-xz]i")
"""Two letters that begin a stem begin its word too: endings lie behind them, but for “ay” as “ai”.
The texts of the 20,000 papers that such a name may have need not be read."""
_WORD = re.compile(rf"[{SIGN}]|[^\W_{SIGN}]+")


def one_word(text: str) -> bool:
    """Whether a text is a single word of letters and digits in a script that sets blanks."""
    words = _WORD.findall(search_letters(text))
    return len(words) == 1 and len(words[0]) > 1


def the_word(term: Term) -> str:
    """The single word of a term in plain small letters."""
    (word,) = _WORD.findall(search_letters(term.text).casefold())
    return str(word)


def standing(term: Term) -> Condition:
    """That a word stands in a paper as it is written.

    The + keeps SQLite from running the match once for each paper that is asked.
    """
    columns = _WHERE.get(term.column, term.column)
    return Condition(
        f"(+id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?) AND"
        f" has_word(?, {columns}))",
        (lexical.all_of([term]), the_word(term)),
        1,
    )


def stands(conn: sa.Connection, term: Term) -> bool:
    """Whether a word stands in any paper as it is written; the trash is in it."""
    one = standing(term)
    sql = f"SELECT 1 FROM papers WHERE {one.sql} LIMIT 1"
    return conn.exec_driver_sql(sql, one.values).first() is not None


def named(conn: sa.Connection, term: Term) -> tuple[list[PaperId], list[PaperId]]:
    """The papers that the text index finds for a name, and those of them that have another one.

    Names have no endings: “Roberts” is not “Robert”. A name that may go on has to begin so.
    Initials and given names are compared as :mod:`litscape.store.names` reads them.

    Args:
        conn: a connection.
        term: a name, or several that follow each other, asked for in the authors.
    """
    text = search_letters(term.text)
    if term.prefix and _SURE.fullmatch(text.casefold()):
        return lexical.found_ids(conn, [term]).tolist(), []
    written = _written(text, begun=term.prefix)
    rows = conn.exec_driver_sql(
        "SELECT id, authors_text FROM papers WHERE id IN"
        " (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?)",
        (lexical.all_of([term]),),
    ).all()
    others = [
        int(paper)
        for paper, authors in rows
        if not (
            written.search(authors)
            or (not authors.isascii() and written.search(search_letters(authors).casefold()))
        )
    ]
    return [int(paper) for paper, _authors in rows], others


@lru_cache(maxsize=1000)
def _written(text: str, *, begun: bool) -> re.Pattern[str]:
    words = r"(?:[^\w;]|_)*".join(re.escape(word) for word in _WORD.findall(text.casefold()))
    plain = rf"(?<![^\W_]){words}" + ("" if begun else r"(?![^\W_])")
    other = names.pattern(text, begun=begun)
    return re.compile(f"{plain}|{other}" if other else plain, re.IGNORECASE)
