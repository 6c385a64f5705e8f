"""The full-text index: which papers hold which words, and how well (FTS5, BM25).

Words are compared by their stems and in plain letters, Han, kana and Hangul sign by sign: the index
holds what the view ``papers_words`` makes of the papers.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from litscape.paper import PaperFilter
from litscape.sorting import search_letters
from litscape.store import names
from litscape.store.filters import AMONG, json_ids, where
from litscape.store.vocabulary import unstemmed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.conditions import Condition

Column = Literal["title", "abstract", "authors_text", "venue", "keywords_text", "heading"]
"""A column of the index; ``heading`` is the title or the keywords."""
WEIGHTS: dict[Column, float] = {
    "title": 10.0,
    "abstract": 1.0,
    "authors_text": 3.0,
    "venue": 2.0,
    "keywords_text": 5.0,
}
"""What a word counts for by where it stands, in the order of the index's columns."""
_BM25 = f"bm25(papers_fts, {', '.join(str(weight) for weight in WEIGHTS.values())})"
_MANY_FOR_EACH = 20
"""So many matches for each hit that is wanted are many to ask."""
_SAMPLE = 200
_LOOKED_INTO = 400
"""Most papers whose texts are looked into for a word that is being typed."""
_SATURATION = 2.2  # k1 + 1: what BM25 gives at most for one word, as a multiple of its idf
_LEAST_IDF = 1e-6
_NOT_TEXT = dict.fromkeys((*range(32), 127, *range(0xD800, 0xE000)))


@dataclass(frozen=True, slots=True)
class Term:
    """A word, or a phrase of several, to be found as it stands.

    Attributes:
        text: as typed; what the tokeniser makes of it must follow each other.
        column: where it has to stand; anywhere where None.
        prefix: whether the last word may go on.
        exact: whether it was asked for as it stands, in quotes.
        written: whether it is one word that has to stand as it is written, not as another word of
            its stem; the text index alone can't tell.
    """

    text: str
    column: Column | None = None
    prefix: bool = False
    exact: bool = field(default=False, compare=False)
    written: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it that could be found."""
        return not any(character.isalnum() for character in self.text)


def all_of(terms: Iterable[Term], without: Iterable[Term] = ()) -> str:
    """The FTS5 expression for papers with every term, and none of the others."""
    return _without(" AND ".join(_quoted(term) for term in terms if not term.empty), without)


def any_of(terms: Iterable[Term], without: Iterable[Term] = ()) -> str:
    """The FTS5 expression for papers with at least one term, and none of the others."""
    return _without(" OR ".join(_quoted(term) for term in terms if not term.empty), without)


def both(*expressions: str) -> str:
    """The FTS5 expression for papers that all of some expressions match; empty ones are skipped."""
    kept = [one for one in expressions if one]
    return " AND ".join(f"({one})" for one in kept) if len(kept) > 1 else "".join(kept)


def either(*expressions: str) -> str:
    """The FTS5 expression for papers that one of some expressions matches."""
    return " OR ".join(f"({one})" for one in expressions)


def but_not(expression: str, hidden: str) -> str:
    """The FTS5 expression for papers that one expression matches and another does not."""
    return f"({expression}) NOT ({hidden})" if hidden else expression


def _without(expression: str, without: Iterable[Term]) -> str:
    return but_not(expression, any_of(without) if without else "")


def _quoted(term: Term) -> str:
    # Inside double quotes FTS5 knows no syntax but the quote itself; a NUL would end the query.
    text = search_letters(term.text).translate(_NOT_TEXT).replace('"', " ")
    column = "title keywords_text" if term.column == "heading" else term.column
    scope = f"{{{column}}} : " if column else ""
    whole = f'{scope}"{text}"'
    if column == "authors_text" and (other := names.expression(term.text, begun=term.prefix)):
        return f"({whole}{' *' if term.prefix else ''} OR {scope}({other}))"
    if not term.prefix:
        return whole
    # The index stems what is asked for as well: “vas*” would be “va*”.
    begun = unstemmed(text)
    return f"{whole} *" if begun == text else f'({scope}"{begun}" * OR {whole})'


@dataclass(frozen=True, slots=True)
class Scope:
    """Which papers may be found.

    Attributes:
        wanted: a paper must pass; the live papers where None.
        unwanted: a paper must pass none of these.
        conditions: a paper must fulfil all of these as well.
    """

    wanted: PaperFilter | None = None
    unwanted: tuple[PaperFilter, ...] = ()
    conditions: tuple[Condition, ...] = ()

    @property
    def everything(self) -> bool:
        """Whether it is all live papers."""
        return self.wanted is None and not self.unwanted and not self.conditions

    def condition(self) -> tuple[str, tuple[object, ...]]:
        """SQL on ``papers`` and its parameters; empty where only the trash is left out."""
        if self.everything:
            return "", ()
        sql, values = where(self.wanted or PaperFilter())
        for flt in self.unwanted:
            more, its_values = where(flt)
            sql += f" AND ({more}) IS NOT TRUE"  # an unknown year is not a year to leave out
            values += its_values
        for one in self.conditions:
            sql += f" AND {one.sql}"
            values += one.values
        return sql, tuple(values)


EVERYTHING = Scope()


def count(conn: sa.Connection, expression: str, at_most: int) -> int:
    """How many papers match, counted up to ``at_most``; the trash is in it."""
    found: int = conn.exec_driver_sql(
        "SELECT count(*) FROM (SELECT 1 FROM papers_fts WHERE papers_fts MATCH ? LIMIT ?)",
        (expression, at_most),
    ).scalar_one()
    return found


def rank(
    conn: sa.Connection,
    expression: str,
    limit: int,
    scope: Scope = EVERYTHING,
    newest: int | None = None,
    listed: bool = False,
) -> list[tuple[PaperId, float]]:
    """The best matching papers and their BM25 scores (higher is better), ties by id.

    Args:
        conn: a connection.
        expression: from :func:`all_of` and its like.
        limit: how many to return.
        scope: which papers may be found.
        newest: score only so many matching papers, the last added. Scoring costs about a
            microsecond each, which a word that most papers hold makes long.
        listed: make the list of the papers in scope first: worth it for many matches.
    """
    if not listed and _ask_best_alone(conn, expression, limit, scope, newest):
        return _best_in_scope(conn, expression, limit, scope)
    condition, values = _condition(scope, listed)
    matching = (
        f"SELECT rowid AS paper, {_BM25} AS badness FROM papers_fts"
        f" WHERE papers_fts MATCH ? {condition}"
    )
    if newest is not None:
        matching = f"SELECT * FROM ({matching} ORDER BY rowid DESC LIMIT {int(newest)})"
    rows = conn.exec_driver_sql(
        f"{matching} ORDER BY badness, paper LIMIT ?", (expression, *values, limit)
    )
    return [(int(paper), -float(badness)) for paper, badness in rows]


def _ask_best_alone(
    conn: sa.Connection, expression: str, limit: int, scope: Scope, newest: int | None
) -> bool:
    """Whether of many matches few have to be asked whether they are in scope, the best first.

    Asking costs more than scoring.
    """
    if scope.everything:
        return False
    many = _MANY_FOR_EACH * limit
    if not many < count(conn, expression, most := newest or 1 << 30) < most:
        return False
    sql, values = scope.condition()
    last = conn.exec_driver_sql("SELECT max(id) FROM papers").scalar_one()
    sample = range(1, last + 1, max(1, last // _SAMPLE))
    found: int = conn.exec_driver_sql(
        f"SELECT count(*) FROM papers WHERE {sql} AND id {AMONG}", (*values, json_ids(sample))
    ).scalar_one()
    return found * _MANY_FOR_EACH > len(sample) * 2


def _best_in_scope(
    conn: sa.Connection, expression: str, limit: int, scope: Scope
) -> list[tuple[PaperId, float]]:
    condition, values = scope.condition()
    # The inner limit keeps SQLite from asking before it sorts. To sort all takes as long as to
    # score them, and the best are mostly enough.
    for best in (_MANY_FOR_EACH * limit, -1):
        rows = conn.exec_driver_sql(
            f"SELECT paper, badness FROM (SELECT rowid AS paper, {_BM25} AS badness FROM papers_fts"
            " WHERE papers_fts MATCH ? ORDER BY badness, paper LIMIT ?)"
            f" WHERE EXISTS (SELECT 1 FROM papers WHERE papers.id = paper AND {condition}) LIMIT ?",
            (expression, best, *values, limit),
        ).all()
        if len(rows) == limit:
            break
    return [(int(paper), -float(badness)) for paper, badness in rows]


def best_score(counts: Iterable[int], papers: int) -> float:
    """The BM25 score that no paper can pass for words that stand in so many of the papers."""
    idf = (math.log((max(papers, n) - n + 0.5) / (n + 0.5)) for n in counts)
    return _SATURATION * sum(max(value, _LEAST_IDF) for value in idf)


def document_counts(conn: sa.Connection, terms: Sequence[Term], at_most: int) -> list[int]:
    """In how many papers each term stands, counted up to ``at_most``; the trash is in it."""
    # One statement for all: they are many, and each would take longer to begin than to count.
    rows = conn.exec_driver_sql(
        "SELECT j.key, (SELECT count(*) FROM (SELECT 1 FROM papers_fts"
        " WHERE papers_fts MATCH j.value LIMIT ?)) FROM json_each(?) j WHERE j.value IS NOT NULL",
        (at_most, json.dumps([None if term.empty else _quoted(term) for term in terms])),
    )
    found = {int(place): int(number) for place, number in rows}
    return [found.get(place, 0) for place in range(len(terms))]


def word_begun(conn: sa.Connection, start: str, wider: Term) -> str | None:
    """The word, or words, that most often go on from ``start`` in some papers with a wider term."""
    rows = conn.exec_driver_sql(
        "SELECT ifnull(title, ''), ifnull(abstract, ''), authors_text, ifnull(venue, ''),"
        " keywords_text FROM papers WHERE id IN"
        " (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ? LIMIT ?)",
        (_quoted(wider), _LOOKED_INTO),
    )
    begun = re.compile(rf"\b{re.escape(search_letters(start).casefold())}\w*")
    found: Counter[str] = Counter()
    for row in rows:
        found.update(begun.findall(search_letters(" \n ".join(row)).casefold()))
    return min(found, key=lambda word: (-found[word], word), default=None)


class Text(NamedTuple):
    """What a paper says of itself, empty where unknown."""

    title: str
    abstract: str
    keywords: str

    @property
    def prose(self) -> str:
        """Title and abstract."""
        return f"{self.title} {self.abstract}"


def texts(conn: sa.Connection, ids: Sequence[PaperId]) -> dict[PaperId, Text]:
    """The texts by paper id; ids without a paper are left out."""
    rows = conn.exec_driver_sql(
        f"SELECT id, ifnull(title, ''), ifnull(abstract, ''), keywords_text FROM papers"
        f" WHERE id {AMONG}",
        (json_ids(ids),),
    )
    return {
        paper: Text(title, abstract, keywords) for paper, title, abstract, keywords in rows.all()
    }


def listing(
    conn: sa.Connection, limit: int, scope: Scope = EVERYTHING, without: str = ""
) -> list[PaperId]:
    """Papers in scope that an expression does not match, newest year first."""
    found: list[PaperId] = listed_ids(conn, scope, without, limit).tolist()
    return found


def listed_ids(
    conn: sa.Connection, scope: Scope = EVERYTHING, without: str = "", limit: int = -1
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The same as an array, (n,) int64; all of them unless there is a limit."""
    sql, values = scope.condition()
    conditions = [sql or "trashed_at IS NULL"]
    if without:
        conditions.append("id NOT IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?)")
        values = (*values, without)
    found = (
        f"SELECT id FROM papers WHERE {' AND '.join(conditions)}"
        " ORDER BY year IS NULL, year DESC, sort_title, id LIMIT ?"
    )
    return _ids(conn, f"SELECT group_concat(id) FROM ({found})", *values, limit)


def scoped_ids(
    conn: sa.Connection,
    scope: Scope,
    terms: Sequence[Term] = (),
    without: Sequence[Term] = (),
    groups: str = "",
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Ids in scope that have all of ``terms`` and none of ``without``, (n,) int64, in no order.

    ``groups`` is a further expression that has to match.
    """
    expression = both(all_of(terms), groups)
    sql, values = scope.condition()
    conditions = [sql or "trashed_at IS NULL"]
    match = "id {} (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?)"
    if expression:
        conditions.append(match.format("IN"))
        values = (*values, expression)
    if without:
        conditions.append(match.format("NOT IN"))
        values = (*values, any_of(without))
    return _ids(
        conn, f"SELECT group_concat(id) FROM papers WHERE {' AND '.join(conditions)}", *values
    )


def found_ids(
    conn: sa.Connection, terms: Sequence[Term], without: Sequence[Term] = (), groups: str = ""
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Ids of all papers, trashed ones too, that :func:`scoped_ids` would find, (n,) int64."""
    expression = _without(both(all_of(terms), groups), without)
    return _ids(
        conn, "SELECT group_concat(rowid) FROM papers_fts WHERE papers_fts MATCH ?", expression
    )


def _ids(
    conn: sa.Connection, sql: str, *values: object
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    # As one text: row by row, 100,000 ids would take Python longer than SQLite finds them.
    return np.fromstring(
        conn.exec_driver_sql(sql, values).scalar_one() or "", dtype=np.int64, sep=","
    )


def among(conn: sa.Connection, ids: Sequence[PaperId], scope: Scope) -> list[PaperId]:
    """Those of the papers that are in scope, in the order given."""
    sql, values = scope.condition()
    rows = conn.exec_driver_sql(
        f"SELECT id FROM papers WHERE {sql or 'trashed_at IS NULL'} AND id {AMONG}",
        (*values, json_ids(ids)),
    )
    there = set(rows.scalars())
    return [paper for paper in ids if paper in there]


def _condition(scope: Scope, listed: bool) -> tuple[str, tuple[object, ...]]:
    """SQL that lets through what is in scope, asked for each match or from a list made before.

    A list costs some 0.1 s for 100,000 papers, whatever matches; asking for each match costs about
    a microsecond. The + keeps SQLite from running the match once for each id of the list.
    """
    sql, values = scope.condition()
    if not sql:
        trash = "SELECT id FROM papers WHERE trashed_at IS NOT NULL"
        return f"AND +rowid NOT IN ({trash})", ()
    if listed:
        return f"AND +rowid IN (SELECT id FROM papers WHERE {sql})", values
    return (
        f"AND EXISTS (SELECT 1 FROM papers WHERE papers.id = papers_fts.rowid AND {sql})",
        values,
    )
