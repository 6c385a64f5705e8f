"""From the ground to candidates, what every signal says of them, and the weighted sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.seeds import UNLIKE
from litscape.alike.signals import SIGNALS
from litscape.alike.signals.votes import cast, elected
from litscape.search import profile as profiles
from litscape.search.fits import fits
from litscape.store import lexical
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from litscape.alike.ground import Ground, Values
    from litscape.search.profile import Profile
    from litscape.search.reasons import Counts
    from litscape.store.lexical import Scope, Text

CHEAP = 200
"""Candidates by all signals that are known of every paper."""
BY_WORDS = 100
ALONE = CHEAP + BY_WORDS
"""Candidates from the full-text index, and from it alone where there are no vectors."""
QUERY_TERMS = 25
TERM_BUDGET = 12_000
"""Most rows that the full-text index ranks for candidates; rarer words come first."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates with what speaks for them.

    Attributes:
        numbers: (m,) ascending, of papers.
        values: by signal, (m,) as measured.
        total: (m,) the weighted sum.
        texts: what the candidates say, by paper.
        voters: (m,) how many of the most similar papers cite each.
        block: (m,) 0 for the candidates; where more papers are wanted, the others follow in
            blocks of :data:`CHEAP`, 1, 2 …
    """

    numbers: NDArray[np.int64]
    values: Mapping[str, Values]
    total: Values
    texts: Mapping[int, Text]
    voters: NDArray[np.int64]
    block: NDArray[np.int64]

    def order(self) -> NDArray[np.int64]:
        """Places of the candidates, best first; of equals the lower id."""
        return np.lexsort((self.numbers, -self.total, self.block))


@dataclass(frozen=True, slots=True)
class Words:
    """What the examples are about in words."""

    profile: Profile
    counts: Mapping[str, int]

    @classmethod
    def of(cls, ground: Ground, counts_of: Counts, papers: int) -> Words:
        """The words of the examples, weighted by how rare they are."""
        liked = [text.prose for text in ground.liked.texts]
        unliked = [text.prose for text in ground.unliked.texts]
        words = {word for text in liked + unliked for word in profiles.term_frequencies(text)}
        counts = counts_of(words, None)
        idf = profiles.inverse_frequencies(counts, papers)
        return cls(profiles.build(liked, unliked, idf, UNLIKE), counts)

    def fit_of(self, text: str) -> float:
        """How similar one text is by words."""
        return profiles.fit(self.profile, text)

    def fit(self, texts: Mapping[int, Text], ids: NDArray[np.int64]) -> Values:
        """(m,): how similar papers are by words."""
        return fits(self.profile, [texts[paper].prose for paper in ids.tolist()])


def rank(
    ground: Ground,
    weights: Mapping[str, float],
    scope: Scope,
    allowed: NDArray[np.bool_],
    words: Words,
    wanted: int = CHEAP,
    voting: NDArray[np.bool_] | None = None,
    far: bool = False,
) -> Ranked:
    """Gather candidates and measure them.

    How many are wanted changes nothing of the candidates: papers beyond them follow, in blocks.

    Args:
        ground: what to measure from.
        weights: what each signal counts for, by name; one with 0 is not measured.
        scope: which papers may be found.
        allowed: (n,) the same by number, without the examples.
        words: what the examples are about.
        wanted: how many papers there should be, if there are so many.
        voting: (n,) which papers may vote, where these are more than may be found.
        far: whether no paper is alike: none votes.
    """
    broad = _broad(ground, weights)
    known = _said(ground, broad, weights, allowed)
    by_words = _by_words(ground, words, scope, allowed, weights["lexical"])
    numbers = np.union1d(_best(known), by_words)
    asked = numbers
    if voting is not None and weights["votes"] and (voting & ~allowed).any():
        asked = np.union1d(asked, _best(_said(ground, broad, weights, voting)))
    texts = lexical.texts(ground.conn, ground.links.ids[asked].tolist())
    fits = _fit(ground, words, texts, asked, weights)
    alike = _text_score(broad, fits, asked, weights) * (not far)
    votes = cast(ground.links, asked, alike, _seeds(ground))
    more = elected(votes, numbers, allowed) if weights["votes"] else numbers[:0]
    fits = fits[np.searchsorted(asked, numbers)]
    first = len(numbers) + len(more)
    rest = _rest(known, np.concatenate((numbers, more)), wanted)
    if len(others := np.append(more, rest)):
        theirs = lexical.texts(ground.conn, ground.links.ids[others].tolist())
        fits = np.concatenate((fits, _fit(ground, words, theirs, others, weights)))
        numbers, texts = np.append(numbers, others), texts | theirs
    block = np.maximum(0, np.arange(len(numbers)) - first + CHEAP) // CHEAP
    order = np.argsort(numbers)
    numbers, fits, block = numbers[order], fits[order], block[order]
    values = {name: found[numbers] for name, found in broad.items()}
    values |= {"lexical": fits, "votes": votes.shares[numbers]}
    return Ranked(numbers, values, _total(values, weights), texts, votes.numbers[numbers], block)


def _broad(ground: Ground, weights: Mapping[str, float]) -> dict[str, Values]:
    """The signals that are known of every paper, (n,) each."""
    return {
        signal.name: signal.measure(ground)
        for signal in SIGNALS
        if signal.measure is not None and weights[signal.name]
    }


def _total(values: Mapping[str, Values], weights: Mapping[str, float]) -> Values:
    parts = [weights[name] * found for name, found in values.items()]
    total: Values = np.sum(parts, axis=0, dtype=np.float64)
    return total


def _said(
    ground: Ground,
    broad: Mapping[str, Values],
    weights: Mapping[str, float],
    allowed: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], Values]:
    """The papers of which the signals known of all say anything, and the sum of these signals."""
    score = ground.nothing()
    said = ~np.isnan(ground.cosines) if "vector" in broad else np.zeros(len(score), dtype=bool)
    for name, values in broad.items():
        score += weights[name] * values
        if name != "vector":
            said |= values > 0
    there = np.flatnonzero(allowed & said)
    return there, score[there]


def _best(said: tuple[NDArray[np.int64], Values]) -> NDArray[np.int64]:
    """The best papers by the signals that are known of all."""
    there, score = said
    if len(there) > CHEAP:
        there = there[np.argpartition(-score, CHEAP - 1)[:CHEAP]]
    return np.sort(there)


def _rest(
    said: tuple[NDArray[np.int64], Values], candidates: NDArray[np.int64], wanted: int
) -> NDArray[np.int64]:
    """The next best papers, best first: whole blocks until there are as many as wanted."""
    lacking = wanted - len(candidates)
    if lacking <= 0:
        return candidates[:0]
    there, score = said
    others = np.isin(there, candidates, invert=True)
    there, score = there[others], score[others]
    return there[np.lexsort((there, -score))[: -(-lacking // CHEAP) * CHEAP]]


def _by_words(
    ground: Ground, words: Words, scope: Scope, allowed: NDArray[np.bool_], weight: float
) -> NDArray[np.int64]:
    if not weight:
        return np.empty(0, dtype=np.int64)
    rows = 0
    alone = 1 if ground.liked.papers else 0  # a word that only the example has finds nothing else
    chosen: list[Term] = []
    for word in sorted(words.profile, key=lambda word: (-words.profile[word], word)):
        if words.profile[word] <= 0 or len(chosen) == QUERY_TERMS:
            break
        if words.counts[word] > alone and rows + words.counts[word] <= TERM_BUDGET:
            rows += words.counts[word]
            chosen.append(Term(word))
    limit = ALONE if np.isnan(ground.cosines).all() else BY_WORDS
    found = lexical.rank(ground.conn, lexical.any_of(chosen), limit, scope) if chosen else []
    numbers = ground.links.numbers_of(np.array([paper for paper, _ in found], dtype=np.int64))
    return numbers[allowed[numbers]].astype(np.int64)


def _fit(
    ground: Ground,
    words: Words,
    texts: Mapping[int, Text],
    numbers: NDArray[np.int64],
    weights: Mapping[str, float],
) -> Values:
    if not weights["lexical"]:
        return np.zeros(len(numbers))
    return words.fit(texts, ground.links.ids[numbers])


def _text_score(
    broad: Mapping[str, Values],
    fits: Values,
    numbers: NDArray[np.int64],
    weights: Mapping[str, float],
) -> Values:
    """(m,): how similar candidates are by meaning and words; by all else where neither counts."""
    score: Values = weights["lexical"] * fits
    if "vector" in broad:
        score = score + weights["vector"] * broad["vector"][numbers]
    if not (weights["lexical"] or "vector" in broad):
        for name, values in broad.items():
            score = score + weights[name] * values[numbers]
    return score


def _seeds(ground: Ground) -> NDArray[np.int32]:
    papers = np.array((*ground.liked.papers, *ground.unliked.papers), dtype=np.int64)
    return ground.links.numbers_of(papers)
