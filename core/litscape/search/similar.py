"""Papers like given papers: by meaning, words and what such papers cite, with what they share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.search import profile as profiles
from litscape.search.fusion import blend
from litscape.search.hits import SearchHit
from litscape.search.reasons import Terms, shared_terms
from litscape.search.votes import WEIGHT as VOTES_WEIGHT
from litscape.search.votes import Votes, cast, elected
from litscape.store import lexical
from litscape.store.coupling import cited_together, linked, shared_references
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.index.base import Ids, Vectors
    from litscape.paper import PaperId
    from litscape.search.profile import Profile
    from litscape.search.reasons import Counts
    from litscape.search.semantic import Loaded
    from litscape.store.lexical import Scope, Text

VECTOR_WEIGHT = 0.4
"""Share of the vectors in the blend: chosen on the development queries of one corpus, where 0.3
to 0.5 differ little (docs/decisions). Cosines differ more than the words' measure does, so that
they still weigh more."""
NEGATIVE_WEIGHT = 0.5
"""How much papers that hits should not be like count against those that they should."""
BY_MEANING = 200
BY_WORDS = 100
ALONE = BY_MEANING + BY_WORDS
"""Candidates from the vectors and from the full-text index, and from the latter alone."""
NO_VOTES = Votes()
QUERY_TERMS = 25
TERM_BUDGET = 12_000
"""Most rows that the full-text index ranks for candidates; rarer words come first."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """What hits should be like, and what not.

    Attributes:
        liked: at least one paper.
        unliked: papers of which hits should be unlike.
    """

    liked: tuple[PaperId, ...]
    unliked: tuple[PaperId, ...] = ()

    @property
    def all(self) -> tuple[PaperId, ...]:
        """All of them: none is a hit."""
        return (*self.liked, *self.unliked)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Papers that may be similar, with both measures.

    Attributes:
        ids: (n,) int64.
        cosines: (n,) with the seeds' mean vector; NaN where a paper (or every seed) has none.
        words: (n,) similarity by words.
    """

    ids: NDArray[np.int64]
    cosines: NDArray[np.float64]
    words: NDArray[np.float64]

    def with_more(self, others: Candidates) -> Candidates:
        """These and others."""
        return Candidates(
            np.concatenate((self.ids, others.ids)),
            np.concatenate((self.cosines, others.cosines)),
            np.concatenate((self.words, others.words)),
        )


@dataclass(frozen=True, slots=True)
class Found:
    """What :func:`find` gives back: hits with their reasons, and which measures there were."""

    hits: tuple[SearchHit, ...]
    by_meaning: bool


def find(
    conn: sa.Connection,
    seeds: Seeds,
    k: int,
    scope: Scope,
    loaded: Loaded | None,
    weight: float,
    counts_of: Counts,
    papers: int,
    as_of: int | None = None,
) -> Found:
    """The ``k`` papers most like the liked seeds and least like the unliked.

    Args:
        conn: a connection.
        seeds: what to be like; never a hit.
        k: how many.
        scope: which papers may be found.
        loaded: the vectors, None where there are none.
        weight: share of the vectors, 0 … 1.
        counts_of: in how many papers words stand.
        papers: how many papers the library has.
        as_of: only citations between papers dated up to this year count; all where None.
    """
    texts = lexical.texts(conn, seeds.all)
    liked = [texts[paper].prose for paper in seeds.liked]
    unliked = [texts[paper].prose for paper in seeds.unliked]
    counts = counts_of(
        {word for text in liked + unliked for word in profiles.term_frequencies(text)}, None
    )
    idf = profiles.inverse_frequencies(counts, papers)
    profile = profiles.build(liked, unliked, idf, NEGATIVE_WEIGHT)
    vector = mean_vector(loaded, seeds)
    ids = np.union1d(
        _by_meaning(conn, vector, loaded, scope, len(seeds.all)),
        _by_words(conn, profile, counts, scope, BY_WORDS if vector is not None else ALONE),
    )
    ids = np.setdiff1d(ids, np.array(seeds.all, dtype=np.int64))
    candidates = lexical.texts(conn, ids.tolist())
    measured = _measured(candidates, profile, loaded, vector)
    similarity = blend(measured.cosines, measured.words, weight)
    votes = cast(conn, measured.ids, similarity, frozenset(seeds.all), as_of)
    if len(more := elected(conn, votes, measured.ids, scope)):
        texts_of_more = lexical.texts(conn, more.tolist())
        measured = measured.with_more(_measured(texts_of_more, profile, loaded, vector))
        candidates |= texts_of_more
    hits = ranked(measured, k, weight, votes)
    told = _explained(conn, hits, texts, seeds, candidates, counts_of, papers, votes)
    return Found(tuple(hit for hit in told if hit.score > 0 or hit.why), vector is not None)


def _explained(
    conn: sa.Connection,
    hits: tuple[SearchHit, ...],
    texts: Mapping[PaperId, Text],
    seeds: Seeds,
    candidates: Mapping[PaperId, Text],
    counts_of: Counts,
    papers: int,
    votes: Votes,
) -> tuple[SearchHit, ...]:
    links = link_reasons(conn, seeds.liked, [hit.paper_id for hit in hits], votes)
    own = Terms.of([texts[paper] for paper in seeds.liked])
    shared = shared_terms(own, [candidates[hit.paper_id] for hit in hits], counts_of, papers)
    return tuple(
        replace(hit, why=_why(links[hit.paper_id], words, hit.similarity))
        for hit, words in zip(hits, shared, strict=True)
    )


def mean_vector(loaded: Loaded | None, seeds: Seeds) -> Vectors | None:
    """The liked seeds' direction less the unliked ones'; None where no liked one has a vector."""
    if loaded is None:
        return None
    _, liked = loaded.rows_of(np.array(seeds.liked, dtype=np.int64))
    if not len(liked):
        return None
    vector = liked.mean(axis=0)
    _, unliked = loaded.rows_of(np.array(seeds.unliked, dtype=np.int64))
    if len(unliked):
        vector = vector - NEGATIVE_WEIGHT * unliked.mean(axis=0)
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length, dtype=np.float32) if length > 1e-6 else None


def _measured(
    texts: Mapping[PaperId, Text],
    profile: Profile,
    loaded: Loaded | None,
    vector: Vectors | None,
) -> Candidates:
    ids = np.array(sorted(texts), dtype=np.int64)
    cosines = np.full(len(ids), np.nan)
    if loaded is not None and vector is not None and len(ids):
        cosines = loaded.cosines(ids, vector)
    words = [profiles.fit(profile, texts[paper].prose) for paper in ids.tolist()]
    return Candidates(ids, cosines, np.array(words, dtype=np.float64))


def ranked(
    candidates: Candidates, k: int, weight: float, votes: Votes = NO_VOTES
) -> tuple[SearchHit, ...]:
    """The ``k`` best candidates by the blend and votes, with their ranks by meaning and words."""
    scores = blend(candidates.cosines, candidates.words, weight)
    scores = scores + VOTES_WEIGHT * votes.of(candidates.ids)
    order = np.lexsort((candidates.ids, -scores))[:k]
    by_words = _ranks(np.where(candidates.words > 0, candidates.words, np.nan))
    by_meaning = _ranks(candidates.cosines)
    return tuple(
        SearchHit(
            paper_id=int(candidates.ids[i]),
            score=float(scores[i]),
            lexical_rank=by_words[i],
            semantic_rank=by_meaning[i],
            similarity=None if np.isnan(candidates.cosines[i]) else float(candidates.cosines[i]),
        )
        for i in order
    )


def link_reasons(
    conn: sa.Connection,
    seeds: Sequence[PaperId],
    hits: Sequence[PaperId],
    votes: Votes = NO_VOTES,
) -> dict[PaperId, tuple[str, ...]]:
    """What citations say of the hits: links to a seed, shared references, being cited together."""
    shared = shared_references(conn, seeds, hits)
    together = cited_together(conn, seeds, hits)
    cited, citing = linked(conn, seeds)
    reasons: dict[PaperId, tuple[str, ...]] = {}
    for paper in hits:
        found = []
        if paper in cited:
            found.append("cited by it" if len(seeds) == 1 else "cited by one of them")
        if paper in citing:
            found.append("cites it" if len(seeds) == 1 else "cites one of them")
        number = shared.get(paper, 0)
        if number:
            found.append(f"{number} shared reference{'s' if number > 1 else ''}")
        if times := together.get(paper, 0):
            found.append(f"cited together by {times} paper{'s' if times > 1 else ''}")
        if (voters := votes.numbers.get(paper, 0)) > 1:
            found.append(f"cited by {voters} papers like {'it' if len(seeds) == 1 else 'them'}")
        reasons[paper] = tuple(found)
    return reasons


def _by_meaning(
    conn: sa.Connection, vector: Vectors | None, loaded: Loaded | None, scope: Scope, seeds: int
) -> Ids:
    if vector is None or loaded is None:
        return np.empty(0, dtype=np.int64)
    allowed = None if scope.everything else lexical.scoped_ids(conn, scope)
    return loaded.index.search(vector, BY_MEANING + seeds, allowed)[0]


def _by_words(
    conn: sa.Connection, profile: Profile, counts: Mapping[str, int], scope: Scope, limit: int
) -> Ids:
    rows = 0
    chosen: list[Term] = []
    for word in sorted(profile, key=lambda word: (-profile[word], word)):
        if profile[word] <= 0 or len(chosen) == QUERY_TERMS:
            break
        if counts[word] > 1 and rows + counts[word] <= TERM_BUDGET:
            rows += counts[word]
            chosen.append(Term(word))
    found = lexical.rank(conn, lexical.any_of(chosen), limit, scope) if chosen else []
    return np.array([paper for paper, _ in found], dtype=np.int64)


def _ranks(values: NDArray[np.float64]) -> list[int | None]:
    """The rank of each value from 1, highest first; None for NaN."""
    ranks: list[int | None] = [None] * len(values)
    order = np.argsort(-values, kind="stable")
    for rank, i in enumerate(order.tolist(), start=1):
        if not np.isnan(values[i]):
            ranks[i] = rank
    return ranks


def _why(links: tuple[str, ...], words: tuple[str, ...], cosine: float | None) -> tuple[str, ...]:
    shared = (f"shared words: {', '.join(words)}",) if words else ()
    meaning = () if cosine is None else (f"meaning {cosine:.2f}",)
    return (*links, *shared, *meaning)
