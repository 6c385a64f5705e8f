"""What topics are called: the terms that tell each from the others and from its siblings.

Class-based TF-IDF as in Grootendorst, "BERTopic: Neural topic modeling with a class-based TF-IDF
procedure" (arXiv:2203.05794), with the share of a topic's papers for the term frequency, and for
the inverse frequency how much larger that share is than among all papers and within the topic
above: what all siblings share names none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.topics.phrases import Terms

TERMS = 8
"""Terms of a topic at most."""
_DISTINCT = 5
"""Terms that no sibling has among its own."""
_IN_NAME = 3
_LONG_NAME = 44
_CANDIDATES = 60
_PHRASE = (1.0, 1.35, 1.45, 1.5, 1.55, 1.6)
"""How much more a phrase of so many words tells than a word."""
_TAKES_IN = 0.55
"""Share of a term's papers in which a longer one has to stand to take its place."""
_ACRONYM = 6
_LETTERS, _LONG = 2, 10
"""Letters of what stands for one word, and of that word: FM, fibromyalgia."""
_PART = 6
"""Letters of a word from which on another that holds it is a form of it: self-attention."""
_ALIKE = 0.54
"""Share of a word's letters, at its beginning, that make it a form of another."""
_BETWEEN = 3
"""Letters of a word between the parts of another: and, of, to."""
_SMOOTH = 0.5
_OF_PARENT = 0.6
"""What the difference from the topic above counts, beside that from all papers."""
_LEAST_SHARE = 0.04
_SMALL = 12
"""Papers of a topic below which two papers make a term; else it takes three, and 4 %."""


@dataclass(frozen=True, slots=True)
class Name:
    """What a topic is called: ``name`` for people, and all terms, the most telling first."""

    name: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The topics of one level as counts.

    Attributes:
        counts: in how many papers of each topic each term stands, sparse (topics, terms).
        sizes: papers of each topic, float64 (topics,).
        parents: place of each topic's parent in the level above, int64 (topics,); -1 for none.
    """

    counts: Any
    sizes: NDArray[np.float64]
    parents: NDArray[np.int64]

    def row(self, topic: int) -> NDArray[np.float64]:
        """The counts of one topic, (terms,)."""
        return np.asarray(self.counts[topic].todense()).ravel()


def names_of(terms: Terms, levels: Sequence[Level]) -> list[list[Name]]:
    """Names of all topics, level by level, no two of them the same.

    One that nothing tells from its siblings is called by what they share, with a number; one whose
    papers share no term is called by its number alone.
    """
    found: list[list[Name]] = []
    everywhere = _everywhere(levels[0])
    used: set[str] = set()
    for depth, level in enumerate(levels):
        above = levels[depth - 1] if depth else None
        chosen: list[list[int]] = [[] for _ in level.sizes]
        for parent in np.unique(level.parents).tolist():
            siblings = np.flatnonzero(level.parents == parent).tolist()
            there = _share(above.row(parent), above.sizes[parent]) if above else None
            rated = [_Rated(terms, level, topic, everywhere, there) for topic in siblings]
            for topic, own in zip(siblings, _choose(terms, rated), strict=True):
                chosen[topic] = own
        found.append(_named(terms, chosen, used))
    return found


def _share(counts: NDArray[np.float64], size: float) -> NDArray[np.float64]:
    return (counts + _SMOOTH) / (size + 1)


def _everywhere(coarsest: Level) -> NDArray[np.float64]:
    counts = np.asarray(coarsest.counts.sum(axis=0)).ravel()
    return _share(counts, float(coarsest.sizes.sum()))


class _Rated:
    """How well each term tells one topic from all papers, and from the topic above.

    Attributes:
        counts: papers of the topic in which each term stands, (terms,).
        scores: of each term, (terms,); 0 for what stands in too few.
    """

    def __init__(
        self,
        terms: Terms,
        level: Level,
        topic: int,
        everywhere: NDArray[np.float64],
        there: NDArray[np.float64] | None,
    ) -> None:
        self.counts = level.row(topic)
        size = float(level.sizes[topic])
        own = _share(self.counts, size)
        share = self.counts / max(size, 1.0) * terms.weight(_PHRASE)
        share[self.counts < max(2 if size < _SMALL else 3, _LEAST_SHARE * size)] = 0.0
        gain = np.log(own / everywhere)
        self._overall: NDArray[np.float64] = share * np.maximum(gain, 0.0)
        if there is not None:
            gain = (1 - _OF_PARENT) * gain + _OF_PARENT * np.log(own / there)
        self.scores: NDArray[np.float64] = share * np.maximum(gain, 0.0)

    def best(self) -> list[tuple[float, int]]:
        """The best terms as (minus score, term)."""
        return self._best(self.scores)

    def common(self) -> list[int]:
        """The best terms of a topic that nothing tells from its siblings: what they share."""
        return [term for _score, term in self._best(self._overall)]

    @staticmethod
    def _best(scores: NDArray[np.float64]) -> list[tuple[float, int]]:
        number = min(_CANDIDATES, len(scores))
        found = np.argpartition(-scores, number - 1)[:number] if number else np.empty(0, int)
        return sorted((-float(scores[term]), int(term)) for term in found if scores[term] > 0)


def _choose(terms: Terms, rated: Sequence[_Rated]) -> list[list[int]]:
    """Terms for each of some siblings: the best pairs of topic and term first."""
    pairs = [(score, n, term) for n, one in enumerate(rated) for score, term in one.best()]
    picked: list[list[int]] = [[] for _ in rated]
    taken: set[tuple[str, ...]] = set()
    for _score, n, term in sorted(pairs):
        mine = picked[n]
        if len(mine) >= TERMS:
            continue
        better = _longer(terms, rated[n], term)
        key = terms.keys[better]
        if (len(mine) < _DISTINCT and key in taken) or any(
            alike(key, terms.keys[other]) for other in mine
        ):
            continue
        mine.append(better)
        if len(mine) <= _DISTINCT:
            taken.add(key)
    for mine, one in zip(picked, rated, strict=True):
        for term in one.common() if not mine else ():
            if not any(alike(terms.keys[term], terms.keys[other]) for other in mine):
                mine.append(term)
        del mine[TERMS:]
    return picked


def _longer(terms: Terms, rated: _Rated, term: int) -> int:
    """The term, or a phrase that stands for it in most of the papers that have it."""
    counts, scores = rated.counts, rated.scores
    while True:
        longer = [
            (sum(counts[other] for other in terms.variants(one)), one) for one in terms.within(term)
        ]
        whole = [one for papers, one in longer if papers >= _TAKES_IN * counts[term]]
        if not whole:
            return term
        best = max(whole, key=lambda one: (counts[one], scores[one], -one))
        term = max(terms.variants(best), key=lambda one: (counts[one], one == best))


def alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two terms are near-duplicates: they share a word, or one is part of the other."""
    if any(_shortens(word, other) for word in one) or any(_shortens(word, one) for word in other):
        return True
    one, other = tuple(map(_spelt, one)), tuple(map(_spelt, other))
    joined, another = "".join(one), "".join(other)
    if joined in another or another in joined:
        return True
    if all(len(word) == 1 for word in one + other):  # signs of Han
        return len(set(one) & set(other)) * 2 > min(len(one), len(other))
    return any(_akin(a, b) for a in one for b in other)


def _spelt(word: str) -> str:
    """A word as it is spelt in one of two ways: sulphonylurea, anaesthesia, oedema."""
    return word.replace("ph", "f").replace("ae", "e").replace("oe", "e")


def _shortens(word: str, words: tuple[str, ...]) -> bool:
    """Whether a word stands for a phrase or a part of it: RL, LSTM, NSAIDs, ADHD, GER; FM."""
    if not 2 <= len(word) <= _ACRONYM:
        return False
    if len(words) == 1:
        return len(word) <= _LETTERS and len(words[0]) >= _LONG and _stands_for(word, words)
    spans = combinations(range(len(words) + 1), 2)
    return any(_stands_for(word, words[a:b]) for a, b in spans if b - a > 1)


def _stands_for(word: str, words: tuple[str, ...]) -> bool:
    initials = "".join(one[0] for one in words)
    if len(words) > 1 and word.endswith(initials):
        return True
    return (
        word[0] == initials[0]
        and (len(words) == 1 or word[-1] in (initials[-1], words[-1][-1]))
        and _within(initials, word)
        and _within(word, "".join(words))
    )


def _within(letters: str, text: str) -> bool:
    """Whether letters stand in a text in their order."""
    rest = iter(text)
    return all(letter in rest for letter in letters)


def _akin(a: str, b: str) -> bool:
    """Whether two words are forms of one: translate, translation."""
    if a == b or (min(len(a), len(b)) >= _PART and (a in b or b in a)):
        return True
    same, longest = _common(a, b), max(len(a), len(b))
    if same >= max(4, _ALIKE * longest):
        return True
    # Two spellings, one letter apart: amoxycillin, amoxicillin; oestrogen, estrogen. Or a short
    # word stands between the parts of one: visionandlanguage, visionlanguage.
    same += _common(a[same:][::-1], b[same:][::-1])
    shortest = min(len(a), len(b))
    joined = shortest >= _LONG and longest <= shortest + _BETWEEN and same >= shortest
    return joined or (longest > _PART and same >= longest - 1)


def _common(a: str, b: str) -> int:
    """How many letters two words begin with alike."""
    same = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        same += 1
    return same


def _named(terms: Terms, chosen: list[list[int]], used: set[str]) -> list[Name]:
    found: list[Name] = []
    for number, own in enumerate(chosen, start=1):
        words = tuple(terms.shown[term] for term in own)
        name = _name(words, used) or _free(f"Topic {number}", used)
        used.add(name.casefold())
        found.append(Name(name, words))
    return found


def _name(words: tuple[str, ...], used: set[str]) -> str:
    """Two or three terms, more where others are called so."""
    for length in range(_IN_NAME, len(words) + 1):
        first = words[:length]
        if length == _IN_NAME and len(", ".join(first)) > _LONG_NAME:
            first = words[:2]
        name = ", ".join(first)
        if name and name.casefold() not in used:
            return name
    return _free(", ".join(words[:_IN_NAME]), used) if words else ""


def _free(name: str, used: set[str]) -> str:
    number, free = 1, name
    while free.casefold() in used:
        number += 1
        free = f"{name} ({number})"
    return free
