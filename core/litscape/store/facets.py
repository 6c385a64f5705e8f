"""Which value of each facet which paper has: whole columns at once, for counting in memory.

SQLite groups and joins the values by itself, so that a column of 580,000 authorships comes as three
texts and holds up nothing else.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from litscape.sorting import same_value, search_letters

if TYPE_CHECKING:
    from collections.abc import Iterator

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.paper import PaperFilter

FOLDED = frozenset(("venue", "author", "keyword", "type", "topic"))
"""Facets whose values are one whatever the case of their letters and their blanks."""
BETWEEN = "\x1f"
"""What stands between the values of a column; in a value it counts as a blank."""
_ZOTERO = "zotero:"
_PIECE = 50_000

AUTHOR = (
    "CASE WHEN ifnull(literal, '') <> '' THEN literal ELSE"
    " trim(trim(ifnull(particle, '') || ' ' || ifnull(family, ''))"
    " || ', ' || ifnull(given, '') || ifnull(', ' || nullif(suffix, ''), ''), ', ') END"
)
"""SQL for an author's name as facets show it: ``van den Berg, Jan``, or the name in one piece."""

PAIRS = {
    "year": "SELECT CAST(year AS TEXT), id FROM papers WHERE year IS NOT NULL",
    "venue": "SELECT venue, id FROM papers WHERE venue IS NOT NULL",
    "author": f"SELECT {AUTHOR}, paper_id FROM authors",
    "tag": "SELECT name, paper_id FROM paper_tags JOIN tags ON tags.id = tag_id",
    "collection": (
        "SELECT DISTINCT above.path, paper_id FROM paper_collections"
        " JOIN inside ON inside.id = collection_id JOIN above ON above.id = inside.above"
    ),
    "topic": ("SELECT DISTINCT name, paper FROM topic_of JOIN topics ON topics.id = above"),
    "keyword": "SELECT term, paper_id FROM keywords",
    "type": "SELECT type, id FROM papers WHERE type IS NOT NULL",
    "source": (
        "SELECT DISTINCT location, paper_id FROM records JOIN sources ON sources.id = source_id"
        " WHERE paper_id IS NOT NULL"
    ),
    "read": (
        "SELECT ifnull(read_state, 'unread'), id FROM papers"
        " LEFT JOIN reading ON reading.paper_id = papers.id"
    ),
    "rating": "SELECT CAST(rating AS TEXT), paper_id FROM reading WHERE rating IS NOT NULL",
    "colour": "SELECT colour, paper_id FROM reading WHERE colour IS NOT NULL",
}
"""SQL by facet: (value, paper), each pair once or more; the trash is in it."""

_COLLECTIONS = (
    "above(id, path) AS (SELECT id, name FROM collections WHERE parent_id IS NULL UNION ALL"
    " SELECT c.id, above.path || '/' || c.name FROM collections c"
    " JOIN above ON c.parent_id = above.id),"
    " inside(id, above) AS (SELECT id, id FROM collections UNION"
    " SELECT inside.id, c.parent_id FROM inside JOIN collections c ON c.id = inside.above"
    " WHERE c.parent_id IS NOT NULL),"
)
_TOPICS = (
    "part(id, above) AS (SELECT id, id FROM topics"
    " WHERE tree_id IN (SELECT max(id) FROM topic_trees GROUP BY scope)"
    " UNION SELECT part.id, t.parent_id FROM part JOIN topics t ON t.id = part.above"
    " WHERE t.parent_id IS NOT NULL),"
    " topic_of(above, paper) AS (SELECT part.above, papers.id FROM part"
    " JOIN topics ON topics.id = part.id, json_each(topics.members) one"
    " JOIN papers ON papers.id = one.value),"
)
_NEEDED = {"collection": _COLLECTIONS, "topic": _TOPICS}


class Column(NamedTuple):
    """The values of a facet as they are written.

    Attributes:
        values: the different spellings, :data:`BETWEEN` them; empty where there are none.
        sizes: how many papers have each, (v,) int64.
        papers: those papers, spelling after spelling, (sum of sizes,) int64.
    """

    values: str
    sizes: NDArray[np.int64]
    papers: NDArray[np.int64]


def read_column(conn: sa.Connection, facet: str) -> Column:
    """All values of a facet and who has them."""
    needed = _NEEDED.get(facet, "")
    row = conn.exec_driver_sql(
        f"WITH RECURSIVE {needed} pair(value, paper) AS ({PAIRS[facet]}),"
        " one(value, size, papers) AS (SELECT value, count(*), group_concat(paper) FROM pair"
        " WHERE trim(value) <> '' GROUP BY value)"
        " SELECT group_concat(replace(value, char(31), ' '), char(31)), group_concat(size),"
        " group_concat(papers) FROM one"
    ).one()
    return Column(row[0] or "", _numbers(row[1]), _numbers(row[2]))


def read_papers(conn: sa.Connection) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ids of all papers, (n,) int64, and of those in the trash, both ascending."""
    rows = [
        conn.exec_driver_sql(f"SELECT group_concat(id) FROM papers {which}").scalar_one()
        for which in ("", "WHERE trashed_at IS NOT NULL")
    ]
    return np.sort(_numbers(rows[0])), np.sort(_numbers(rows[1]))


def _numbers(text: str | None) -> NDArray[np.int64]:
    """Numbers with commas between them, read piece by piece: NumPy lets no thread in meanwhile."""
    parts, start = [], 0
    while text and start < len(text):
        end = text.find(",", start + _PIECE)
        end = len(text) if end < 0 else end
        parts.append(np.fromstring(text[start:end], dtype=np.int64, sep=","))
        start = end + 1
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def source_names(locations: list[str]) -> list[str]:
    """How each source is called: by as much of the end of its path as no other ends in.

    A file is ``refs.bib``, or ``b/refs.bib`` beside ``a/refs.bib``; a Zotero that was read directly
    is ``Zotero`` where there is one.
    """
    parts = [one.replace("\\", "/").split("/") for one in locations]
    direct = [one.startswith(_ZOTERO) for one in locations]
    names = []
    for number, own in enumerate(parts):
        if direct[number] and sum(direct) == 1:
            names.append("Zotero")
            continue
        depth = 1
        while depth < len(own) and any(
            other[-depth:] == own[-depth:] for at, other in enumerate(parts) if at != number
        ):
            depth += 1
        names.append("/".join(own[-depth:]))
    return names


_FROM_SOURCES = (
    "id IN (SELECT paper_id FROM records WHERE source_id IN (SELECT sources.id FROM sources,"
    " json_each(?) WHERE location = value"
    " OR (lower(value) = 'zotero' AND substr(location, 1, 7) = 'zotero:')"
    " OR substr(replace(location, '\\', '/'), -length(value) - 1) = '/' || value))"
)
_AMONG = "IN (SELECT value FROM json_each(?))"
_MATCH = "(SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?)"


def conditions(flt: PaperFilter) -> Iterator[tuple[str, ...]]:
    """What a filter asks of facets, as facets count them: SQL on ``papers`` and its parameters.

    The text index finds whose names hold the words; only those are compared as they are written.
    """
    if flt.venues:
        phrases = [_quoted(name) for name in flt.venues]
        within, match = _matching("venue", phrases)
        keys = json.dumps([same_value(name) for name in flt.venues])
        own = f"id IN {_MATCH} AND " if within else ""
        yield f"({own}same_value(venue) {_AMONG})", *match, keys
    if flt.authors:
        words = [" AND ".join(filter(None, map(_quoted, one.split()))) for one in flt.authors]
        within, match = _matching("authors_text", words)
        keys = json.dumps([author_key(name) for name in flt.authors])
        own = f"paper_id IN {_MATCH} AND " if within else ""
        yield (
            f"id IN (SELECT paper_id FROM authors WHERE {own}"
            f"same_value(replace({AUTHOR}, '.', ' ')) {_AMONG})",
            *match,
            keys,
        )
    if flt.keywords:
        within, match = _matching("keywords_text", [_quoted(term) for term in flt.keywords])
        keys = json.dumps([same_value(term) for term in flt.keywords])
        own = f"paper_id IN {_MATCH} AND " if within else ""
        yield (
            f"id IN (SELECT paper_id FROM keywords WHERE {own}same_value(term) {_AMONG})",
            *match,
            keys,
        )
    if flt.sources:
        yield _FROM_SOURCES, json.dumps(flt.sources)


def author_key(name: str) -> str:
    """What makes two names of authors one: all but case, blanks and full stops."""
    return same_value(name.replace(".", " "))


def _matching(column: str, parts: list[str]) -> tuple[bool, tuple[str, ...]]:
    """The expression that finds any of some parts in a column; none where one has no words."""
    if not all(parts):
        return False, ()
    return True, (" OR ".join(f"({column} : ({part}))" for part in parts),)


def _quoted(text: str) -> str:
    """A text as a phrase of the text index; empty where there is nothing that it holds."""
    letters = "".join(one if one.isprintable() else " " for one in search_letters(text))
    return '"' + letters.replace('"', " ") + '"' if any(map(str.isalnum, letters)) else ""
