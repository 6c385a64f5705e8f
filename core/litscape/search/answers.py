"""Answers to a query that has been read: by words, by meaning, by both, or as a list."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from litscape.search.groups import expressions
from litscape.search.hits import SearchHit, SearchResult
from litscape.search.long_texts import fits, is_text
from litscape.search.results import joined
from litscape.search.understood import describe
from litscape.search.words import MAX_TERMS, rank_words, search_words, shown_name
from litscape.store import lexical

if TYPE_CHECKING:
    import numpy as np
    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.paper import PaperId
    from litscape.search.fusion import Fusion
    from litscape.search.hits import Mode
    from litscape.search.query import Query
    from litscape.search.semantic import Loaded
    from litscape.store.lexical import Scope

    Vector = NDArray[np.float32]

FUSION_DEPTH = 100
"""How deep each ranking is read when two are joined, at least."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query and where it is searched.

    Attributes:
        conn: a connection.
        query: the query.
        scope: which papers may be found.
        k: how many.
        notes: what is known to be said of it.
    """

    conn: sa.Connection
    query: Query
    scope: Scope
    k: int
    notes: tuple[str, ...] = ()

    def answer(
        self, hits: tuple[SearchHit, ...], mode: Mode, notes: tuple[str, ...] = ()
    ) -> SearchResult:
        """Hits as an answer to it."""
        query = self.query
        said = (*query.notes, *self.notes, *notes)
        return SearchResult(hits, describe(query), mode, said, query.wanted)


def listed(asked: Asked) -> SearchResult:
    """Papers that a query without words lets through, newest first; of nothing, nothing."""
    query = asked.query
    if query.empty and query.unread:
        notes = (*query.notes, "Nothing in it can be searched for: type words or a name.")
        return SearchResult((), describe(query), "lexical", notes)
    without = lexical.any_of(query.without)
    papers = lexical.listing(asked.conn, asked.k, asked.scope, without)
    hits = (SearchHit(paper, 0.0, lexical_rank=i) for i, paper in enumerate(papers, 1))
    return asked.answer(tuple(hits), "lexical")


def by_words(asked: Asked) -> SearchResult:
    """The best papers by words."""
    found = search_words(asked.conn, asked.query, asked.k, asked.scope)
    hits = tuple(
        SearchHit(paper, score, lexical_rank=rank, why=("words",), partial=not found.complete)
        for rank, (paper, score) in enumerate(found.hits, start=1)
    )
    return asked.answer(hits, "lexical", found.notes)


def by_meaning(asked: Asked, vector: Vector, loaded: Loaded) -> SearchResult:
    """The papers nearest in meaning."""
    hits = tuple(
        SearchHit(
            paper, cosine, semantic_rank=rank, similarity=cosine, why=(f"meaning {cosine:.2f}",)
        )
        for rank, (paper, cosine) in enumerate(_nearest(asked, asked.k, vector, loaded), start=1)
    )
    told = _told(asked, hits, loaded)
    return asked.answer(hits, "semantic", told)


def by_both(
    asked: Asked, vector: Vector, loaded: Loaded, fusion: Fusion, papers: int
) -> SearchResult:
    """The best papers by words and meaning in one score; ``papers`` is how many there are."""
    depth = max(asked.k, FUSION_DEPTH)
    if fusion == "ranks":
        words = search_words(asked.conn, asked.query, depth, asked.scope)
    else:
        words = rank_words(asked.conn, asked.query, depth, asked.scope, papers)
    nearest = _nearest(asked, depth, vector, loaded)
    fit = partial(fits, asked.conn, asked.query.meaning, papers=papers)
    measure = fit if is_text(asked.query) else None
    hits = joined(words, nearest, loaded, vector, fusion, measure)[: asked.k]
    told = _told(asked, hits, loaded, words.notes)
    return asked.answer(hits, "hybrid", told)


def _told(
    asked: Asked, hits: tuple[SearchHit, ...], loaded: Loaded, notes: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """What is said of hits by meaning where words, or what is in quotes, are in no paper.

    Args:
        asked: what was asked.
        hits: what was found.
        loaded: the vectors.
        notes: what the search by words says already.
    """
    terms = [term for term in asked.query.wanted if term.column not in ("authors_text", "venue")]
    terms = terms[:MAX_TERMS]
    counts = lexical.document_counts(asked.conn, terms, 1)
    gone = [term for n, term in zip(counts, terms, strict=True) if not n]
    if not (hits and gone):
        return notes
    phrases = [term for term in gone if term.exact and (term.written or " " in term.text)]
    if phrases:
        names = " or ".join(map(shown_name, phrases))
        others = " or with the other words" if len(gone) < len(terms) else ""
        if len(phrases) == len(gone):
            notes = tuple(note for note in notes if not note.startswith(f"No paper has {names}"))
        notes += (f"No paper has {names} as in quotes: these are near in meaning{others}.",)
    nearest = max((hit.similarity for hit in hits if hit.similarity is not None), default=None)
    if nearest is not None and len(gone) == len(terms):
        from litscape.alike.nearness import far_off

        said = far_off(loaded, nearest, "this query")
        notes += (said,) if said else ()
    return notes


def _nearest(asked: Asked, k: int, vector: Vector, loaded: Loaded) -> list[tuple[PaperId, float]]:
    """What is near in meaning, of the papers for which fields, groups and exclusions hold."""
    query, scope = asked.query, asked.scope
    fields = tuple(term for term in query.terms if term.column)
    groups = expressions(query)
    allowed = None
    if not scope.everything or fields or query.without or groups:
        allowed = lexical.scoped_ids(asked.conn, scope, fields, query.without, groups)
    ids, cosines = loaded.index.search(vector, k, allowed)
    return list(zip(ids.tolist(), cosines.tolist(), strict=True))
