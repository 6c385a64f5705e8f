"""Which papers may be found: by filter, query, years and collections, and never an example."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.paper import PaperFilter
from litscape.search.groups import expressions
from litscape.search.scope import scope_of, scope_within
from litscape.search.words import as_written, missing
from litscape.store import lexical
from litscape.store.graph_reads import NO_YEAR

if TYPE_CHECKING:
    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.alike.ground import Ground
    from litscape.alike.request import SimilarRequest
    from litscape.search.query import Query
    from litscape.store.lexical import Scope


def allowed_papers(
    conn: sa.Connection, request: SimilarRequest, query: Query, ground: Ground
) -> tuple[Scope, NDArray[np.bool_], tuple[str, ...]]:
    """Which papers may be found: as conditions of the store, by number, and what to say of it.

    ``query`` is what the request's ``within`` asks for.
    """
    links = ground.links
    scope, notes = scope_of(conn, query, request.flt)
    scope = as_written(conn, scope, query.terms)
    allowed = np.ones(len(links), dtype=bool)
    if not scope.everything or not query.empty:
        allowed[:] = False
        ids = lexical.scoped_ids(conn, scope, query.terms, query.without, expressions(query))
        allowed[links.numbers_of(ids)] = True
    if request.newer_than is not None:
        allowed &= (links.years > request.newer_than) & (links.years != NO_YEAR)
    if request.older_than is not None:
        allowed &= links.years < request.older_than
    unwanted = PaperFilter(within=(request.not_in,)) if request.not_in else None
    if unwanted is not None:
        inside = lexical.scoped_ids(conn, scope_within(unwanted))
        allowed[links.numbers_of(inside)] = False
        scope = replace(scope, unwanted=(*scope.unwanted, unwanted))
    if request.newer_than is not None or request.older_than is not None:
        scope = replace(scope, wanted=_dated(scope.wanted or PaperFilter(), request))
    allowed[_examples(request, ground)] = False
    return scope, allowed, (*query.notes, *notes, *missing(conn, query.terms))


def voting_papers(
    request: SimilarRequest, ground: Ground, scope: Scope, allowed: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which papers may speak for others by what they cite, (n,) by number.

    Those that a filter, a query or a collection leaves out may: whoever asks for unread papers
    alone wants to know what the read ones cite. Papers later than a last year, and beside those of
    a list, may not.
    """
    wanted = scope.wanted or PaperFilter()
    if wanted.ids is not None or wanted.trashed:
        return allowed
    links = ground.links
    voting = np.ones(len(links), dtype=bool)
    if wanted.year_to is not None:
        voting &= (links.years <= wanted.year_to) & (links.years != NO_YEAR)
    voting[_examples(request, ground)] = False
    return voting | allowed


def _examples(request: SimilarRequest, ground: Ground) -> NDArray[np.int32]:
    seeds = (*ground.liked.papers, *ground.unliked.papers, *request.without)
    return ground.links.numbers_of(np.array(seeds, dtype=np.int64))


def _dated(flt: PaperFilter, request: SimilarRequest) -> PaperFilter:
    first = [year for year in (flt.year_from,) if year is not None]
    last = [year for year in (flt.year_to,) if year is not None]
    if request.newer_than is not None:
        first.append(request.newer_than + 1)
    if request.older_than is not None:
        last.append(request.older_than - 1)
    return replace(flt, year_from=max(first, default=None), year_to=min(last, default=None))
