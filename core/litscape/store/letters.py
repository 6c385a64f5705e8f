"""Words as they are written, where the text index knows stems: “Adams” is no “Adam”."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from litscape.sorting import SIGN, search_letters
from litscape.store import lexical, names
from litscape.store.conditions import Condition
from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_JOINED = ";\x1e"
"""Between the authors of two papers where they are joined."""
_SHOWN = "' ' || ifnull(nullif(literal, ''), ifnull(given, '') || ' ' || family) || ' '"
"""The given and family name of an author, or the literal, between blanks."""
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


def named(conn: sa.Connection, term: Term) -> tuple[int, list[PaperId]]:
    """How many papers the text index finds for a name, and those of them that have another one.

    Names have no endings: “Roberts” is not “Robert”. A name that may go on has to begin so.
    Initials and given names are compared as :mod:`litscape.store.names` reads them.

    Args:
        conn: a connection.
        term: a name, or several that follow each other, asked for in the authors.
    """
    text = search_letters(term.text)
    match = lexical.all_of([term])
    if term.prefix and _SURE.fullmatch(text.casefold()):
        return lexical.count(conn, match, -1), []
    if text.isascii() and text.isalnum() and len(text) > 1:
        words = f"% {text}%" if term.prefix else f"% {text} %"
        count, others = conn.exec_driver_sql(
            "SELECT count(*), group_concat(iif(EXISTS (SELECT 1 FROM authors WHERE"
            f" paper_id = papers_fts.rowid AND {_SHOWN} LIKE ?), NULL, rowid))"
            " FROM papers_fts WHERE papers_fts MATCH ?",
            (words, match),
        ).one()
        # Most of them have it between blanks, which costs a third of reading the papers' rows.
        unsure = "SELECT value FROM json_each(?)"
        return count, _unnamed(conn, term, unsure, f"[{others}]")[1] if others else []
    return _unnamed(conn, term, "SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?", match)


def _unnamed(conn: sa.Connection, term: Term, which: str, value: str) -> tuple[int, list[PaperId]]:
    """How many papers a query with one value selects, and those that do not have a name."""
    ids, told = conn.exec_driver_sql(
        "SELECT group_concat(id), group_concat(replace(authors_text, char(30), ' '), char(59, 30))"
        f" FROM papers WHERE id IN ({which})",
        (value,),
    ).one()
    if told is None:
        return 0, []
    papers = ids.split(",")
    have = _places(told, names_patterns(term))
    return len(papers), [int(paper) for at, paper in enumerate(papers) if at not in have]


def _places(told: str, asked: Sequence[re.Pattern[str]]) -> set[int]:
    """Which of the texts that are joined by :data:`_JOINED` have a name, by their places.

    All are looked through in one go, which takes a third of the time that it takes one by one.
    """
    found = _hit(told.lower(), asked)
    if told.isascii():
        return found
    texts = told.split(_JOINED)
    others = [place for place, one in enumerate(texts) if place not in found and not one.isascii()]
    if others:
        plain = _JOINED.join(search_letters(texts[place]) for place in others).casefold()
        found |= {others[place] for place in _hit(plain, asked)}
    return found


def _hit(joined: str, asked: Sequence[re.Pattern[str]]) -> set[int]:
    text = f";{joined}"
    ends = [one.end() for pattern in asked for one in pattern.finditer(text)]
    # Of each text, where the next one begins in all of them.
    begins = np.cumsum([len(one) + len(_JOINED) for one in joined.split(_JOINED)])
    found: list[int] = np.unique(np.searchsorted(begins, ends)).tolist()
    return set(found)


def authors(conn: sa.Connection, ids: Sequence[PaperId]) -> dict[PaperId, str]:
    """The authors by paper id, a semicolon between two; ids without a paper are left out."""
    sql = f"SELECT id, authors_text FROM papers WHERE id {AMONG}"
    return {int(one): text for one, text in conn.exec_driver_sql(sql, (json_ids(ids),))}


def is_named(term: Term, author: str) -> bool:
    """Whether an author has a name that is asked for."""
    return bool(_places(author, names_patterns(term)))


def names_patterns(term: Term) -> tuple[re.Pattern[str], ...]:
    """The expressions of which one finds authors of a name in “;given family;…”, small letters.

    They begin with letters or a semicolon where they can: so they are found ten times as quickly.
    """
    return _written(search_letters(term.text), begun=term.prefix)


@lru_cache(maxsize=1000)
def _written(text: str, *, begun: bool) -> tuple[re.Pattern[str], ...]:
    first, *more = (re.escape(word) for word in _WORD.findall(text.casefold()))
    words = r"(?:[^\w;]|_)*".join([rf"{first}(?<![^\W_]{first})", *more])
    plain = words + ("" if begun else r"(?![^\W_])")
    return tuple(map(re.compile, (plain, *names.patterns(text, begun=begun))))
