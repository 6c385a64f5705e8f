"""Which papers the table lists, in which order, found how; worked out beside the window."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from litscape.outline import read_names
from litscape_app.window.scope import ALL, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from litscape.fulltext.records import Passage
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId, PaperRow
    from litscape.search.filtered import Filtered
    from litscape.search.highlights import Shown
    from litscape.search.hits import Mode, SearchHit
    from litscape.store.lexical import Term

Ids = np.ndarray[tuple[int], np.dtype[np.int64]]
RELEVANCE = "relevance"
FIRST_ROWS = 64
"""Rows read together with the ids, so that the list appears whole."""
MOST_BY_WORDS = 1000
MOST_BY_MEANING = 100
"""Hits listed of one search. Everything is a little like everything: of meaning, only the best."""
_FEW = 2000


@dataclass(frozen=True, slots=True)
class Request:
    """What to list."""

    scope: Scope = ALL
    query: str = ""
    mode: str = "lexical"
    sort: str = "added"
    descending: bool = True
    inside: bool = False
    """Whether words are looked for inside PDFs too."""
    typing: bool = False
    """Whether the end of the query is still being typed."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What is listed.

    Attributes:
        request: what was asked.
        ids: the papers in order, (n,) int64.
        rows: the first of them, ready to be shown.
        scope_count: papers of the place without the query.
        understood: the query in words, empty without one.
        notes: what the reader should know.
        found: for each hit, whether words, meaning (and how near) or both found it, or on which
            page its PDF.
        why: for each hit, its reasons.
        passages: for hits whose PDF has the words, where.
        complete: False where there may be more hits than are listed.
        only_words: meaning was asked for, but it can't be searched yet.
        bare: columns that are empty in the whole library: tags, collections.
        words: the words that papers were found by.
        shown: where they stand in the papers of ``rows``.
    """

    request: Request
    ids: Ids
    rows: tuple[PaperRow, ...] = ()
    scope_count: int = 0
    understood: str = ""
    notes: tuple[str, ...] = ()
    found: Mapping[PaperId, str] = field(default_factory=dict)
    why: Mapping[PaperId, tuple[str, ...]] = field(default_factory=dict)
    passages: Mapping[PaperId, Passage] = field(default_factory=dict)
    complete: bool = True
    only_words: bool = False
    bare: frozenset[str] = frozenset()
    words: tuple[Term, ...] = ()
    shown: Mapping[PaperId, Shown] = field(default_factory=dict)


def read_rows(
    library: Library, ids: list[PaperId], words: tuple[Term, ...]
) -> tuple[tuple[PaperRow, ...], Mapping[PaperId, Shown]]:
    """The rows of papers, and where some words stand in them."""
    rows = tuple(library.papers.rows(ids))
    if not words:
        return rows, {}
    from litscape.search.highlights import Highlighter, shown

    with library.database.read() as conn:
        return rows, shown(conn, Highlighter(words), ids)


def list_papers(library: Library, request: Request, ctx: JobContext) -> Listing:
    """Carry a request out; cancellable between its steps."""
    scope = request.scope
    if not request.query.strip():
        ids = library.papers.ids(scope.filter, request.sort, request.descending)
        ctx.check()
        first = tuple(library.papers.rows(ids[:FIRST_ROWS].tolist()))
        return Listing(request, ids, first, len(ids), bare=_bare(library))
    # Imported beside the window, for it takes longer than a frame.
    from litscape.search.filtered import filtered

    narrowed = None if scope.kind in ("all", "search") else scope.filter
    whole = filtered(library.database, request.query, narrowed, as_you_type=request.typing)
    if whole is not None:
        return _whole(library, request, whole, ctx)
    mode = cast("Mode", request.mode)
    only_words = mode != "lexical" and not _knows_meaning(library)
    if only_words:
        mode = "lexical"
    most = MOST_BY_WORDS if mode == "lexical" else MOST_BY_MEANING
    inside = request.inside and mode != "semantic" and library.fulltext.exists
    result = library.search(
        request.query, mode, most, narrowed, as_you_type=request.typing, inside=inside
    )
    ctx.check()
    ids = np.fromiter((hit.paper_id for hit in result.hits), dtype=np.int64)
    if request.sort != RELEVANCE and len(ids):
        ids = _sorted(library, ids, request)
        ctx.check()
    rows, shown = read_rows(library, ids[:FIRST_ROWS].tolist(), result.words)
    ctx.check()
    passages = {hit.paper_id: hit.passage for hit in result.hits if hit.passage is not None}
    told = mode != "lexical" or bool(passages) or any(_noted(hit) for hit in result.hits)
    shown = {**shown, **_inside(result.hits)}
    return Listing(
        request,
        ids,
        rows,
        library.papers.count(scope.filter),
        result.understood,
        result.notes,
        {hit.paper_id: _found(hit) for hit in result.hits} if told else {},
        {hit.paper_id: hit.why for hit in result.hits if hit.why},
        passages,
        len(ids) < most,
        only_words,
        _bare(library),
        result.words,
        shown,
    )


def _inside(hits: Iterable[SearchHit]) -> Mapping[PaperId, Shown]:
    """What PDFs say, for papers that were found by that."""
    from litscape.search.highlights import Passage as Part
    from litscape.search.highlights import Shown

    return {
        hit.paper_id: Shown(snippet=Part(hit.passage.text, hit.passage.marks))
        for hit in hits
        if hit.passage is not None and hit.passage.text and hit.why[:1] == (hit.passage.where,)
    }


def _whole(library: Library, request: Request, found: Filtered, ctx: JobContext) -> Listing:
    """All papers that a query without words lets through, however many."""
    ctx.check()
    ids = found.ids if request.sort == RELEVANCE else _sorted(library, found.ids, request)
    ctx.check()
    return Listing(
        request,
        ids,
        tuple(library.papers.rows(ids[:FIRST_ROWS].tolist())),
        library.papers.count(request.scope.filter),
        found.understood,
        found.notes,
        bare=_bare(library),
    )


def _bare(library: Library) -> frozenset[str]:
    tags, collections = read_names(library.database)
    names = (("tags", tags), ("collections", collections))
    return frozenset(column for column, used in names if not used)


def _knows_meaning(library: Library) -> bool:
    """Whether there are vectors, and the model can encode what is typed."""
    card = library.models.active()
    if not library.vector_store.count(card.version):
        return False
    return library.engine.query(card).state != "needs-export"


def _sorted(library: Library, ids: Ids, request: Request) -> Ids:
    flt = request.scope.filter
    if len(ids) <= _FEW:  # sorting them alone is quicker than all of the place
        flt = replace(flt, ids=frozenset(ids.tolist()))
    order = library.papers.ids(flt, request.sort, request.descending)
    return order[np.isin(order, ids)]


def _noted(hit: SearchHit) -> bool:
    """Whether a note alone has the words."""
    from litscape.search.in_notes import WHY

    return hit.why[:1] == (WHY,)


def _found(hit: SearchHit) -> str:
    if hit.passage is not None and hit.why[:1] == (hit.passage.where,):
        return f"PDF, p. {hit.passage.page:,}"
    if _noted(hit):
        return "note"
    alike = "" if hit.similarity is None else f" {hit.similarity:.2f}"
    if hit.lexical_rank is None:
        return f"meaning{alike}"
    return "words" if hit.semantic_rank is None else f"both{alike}"
