"""Hits from what words, meaning and names found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.search.fusion import blend, reciprocal_ranks
from litscape.search.hits import SearchHit, SearchResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from litscape.paper import PaperId
    from litscape.search.fusion import Fusion
    from litscape.search.identifiers import Named, Naming
    from litscape.search.semantic import Loaded
    from litscape.search.words import WordHits

    Fits = Callable[[NDArray[np.int64]], NDArray[np.float64]]
    """From papers (n,) to how well they fit the query, (n,) 0 … 1."""

MEANING_WEIGHT = 0.5
"""Share of meaning where a query is searched by both: chosen on development queries, where 0.4 to
0.6 differ little (docs/decisions)."""


def only(naming: Naming, named: Named, k: int) -> SearchResult:
    """The papers that an identifier names, or the word that there are none."""
    notes = () if named.papers else (f"No paper here has the {naming.kind} {naming.shown}.",)
    hits = tuple(
        SearchHit(paper, 1.0, lexical_rank=rank, why=(named.why,))
        for rank, paper in enumerate(named.papers[:k], start=1)
    )
    return SearchResult(hits, f"{naming.kind} {naming.shown}", "lexical", notes)


def first(named: Named, found: SearchResult, k: int) -> SearchResult:
    """What was found, with the named papers before the others."""
    others = {hit.paper_id: hit for hit in found}
    top = max([1.0, *(hit.score for hit in found.hits[:1])])
    hits = []
    for rank, paper in enumerate(named.papers, start=1):
        hit = others.pop(paper, None) or SearchHit(paper, top, lexical_rank=rank)
        hits.append(replace(hit, score=top, why=(named.why, *hit.why)))
    return replace(found, hits=(*hits, *others.values())[:k])


def joined(
    words: WordHits,
    nearest: list[tuple[PaperId, float]],
    loaded: Loaded,
    vector: NDArray[np.float32],
    fusion: Fusion,
    fits: Fits | None = None,
) -> tuple[SearchHit, ...]:
    """The papers of both rankings, best first by both; each says which of them found it.

    Args:
        words: those by words.
        nearest: those by meaning.
        loaded: the vectors.
        vector: that of the query.
        fusion: how the two are joined.
        fits: another measure by words, which counts as much as BM25.
    """
    by_words = {paper: rank for rank, (paper, _) in enumerate(words.hits, start=1)}
    by_meaning = {paper: rank for rank, (paper, _) in enumerate(nearest, start=1)}
    ids = np.union1d(np.fromiter(by_words, dtype=np.int64), np.fromiter(by_meaning, dtype=np.int64))
    cosines = loaded.cosines(ids, vector)
    if fusion == "ranks":
        scores = reciprocal_ranks((tuple(by_words), tuple(by_meaning)), ids)
    else:
        shares = _shares(words, ids)
        if fits is not None:
            shares = (shares + fits(ids)) / 2
        scores = blend(cosines, shares, MEANING_WEIGHT)
    hits = []
    for i in np.lexsort((ids, -scores)).tolist():
        paper, cosine = int(ids[i]), None if np.isnan(cosines[i]) else float(cosines[i])
        ranks = by_words.get(paper), by_meaning.get(paper)
        partial = paper in words.partial
        why = _parts(*ranks, cosine, partial=partial)
        hits.append(SearchHit(paper, float(scores[i]), *ranks, cosine, why, partial))
    return tuple(hits)


def _shares(words: WordHits, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,) BM25 of each paper as a share of the best there could be.

    A paper that is not among the best by words counts as having none of them.
    """
    found = dict(words.hits)
    best = words.best if found else 1.0
    shares = np.array([found.get(paper, 0.0) / best for paper in ids.tolist()], dtype=np.float64)
    return np.minimum(1.0, shares)


def _parts(
    by_words: int | None, by_meaning: int | None, cosine: float | None, *, partial: bool
) -> tuple[str, ...]:
    what = "some words" if partial else "words"
    parts = [f"{what}, rank {by_words}"] if by_words else []
    if by_meaning and cosine is not None:
        parts.append(f"meaning {cosine:.2f}, rank {by_meaning}")
    return tuple(parts)
