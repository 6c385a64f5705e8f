"""The papers that make up the result of a query, in no order, however many they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.search.forms import read
from litscape.search.groups import expressions
from litscape.search.scope import scope_of
from litscape.search.words import as_written, required
from litscape.store import lexical

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.paper import PaperFilter
    from litscape.search.hits import Mode
    from litscape.search.marks import Inside
    from litscape.search.query import Query
    from litscape.search.searcher import Searcher
    from litscape.store.database import Database

LISTED = {"lexical": 1000, "semantic": 100, "hybrid": 100}
"""Hits that a list shows. By words, the result is all that match; by meaning, only these: all
papers are a little like anything."""


def result_ids(
    database: Database,
    searcher: Searcher,
    query: str,
    mode: Mode,
    flt: PaperFilter | None = None,
    *,
    as_you_type: bool = False,
) -> NDArray[np.int64]:
    """The ids of the papers that a query finds, (n,) int64; trashed ones may be among many.

    Raises:
        NotReadyError: search by meaning without vectors or encoder.
    """
    if mode == "lexical":
        parsed = read(database, query, as_you_type=as_you_type)
        matching = _matching(database, parsed, flt, searcher.inside)
        if len(matching) > LISTED[mode] and (noted := searcher.noted(parsed, flt)):
            return np.union1d(matching, np.array(noted, dtype=np.int64))
        if len(matching) > LISTED[mode] or not query.strip():
            return matching
    # Few enough to be found as a list finds them: by their name, or with some of the words.
    found = searcher.search(query, mode, LISTED[mode], flt, as_you_type=as_you_type)
    return np.fromiter((hit.paper_id for hit in found), dtype=np.int64, count=len(found.hits))


def _matching(
    database: Database, parsed: Query, flt: PaperFilter | None, inside: Inside | None
) -> NDArray[np.int64]:
    """The papers with all words, without scores: those cost more than anything else."""
    if parsed.empty and parsed.unread:
        return np.empty(0, dtype=np.int64)
    with database.read() as conn:
        scope, _notes = scope_of(conn, parsed, flt, inside)
        terms, groups = required(parsed.terms), expressions(parsed)
        scope = as_written(conn, scope, terms)
        if scope.everything and (terms or groups):
            return lexical.found_ids(conn, terms, parsed.without, groups)
        return lexical.scoped_ids(conn, scope, terms, parsed.without, groups)
