"""What texts are about, as weighted words: to find others like them, and to say what is shared."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.search.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WORD = re.compile(r"[^\W\d_][^\W_]+")
MAX_SHARED = 4
_TELLING_SHARE = 0.05
"""A shared word is worth showing if at most this share of the papers has it."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The words of one or more texts.

    Attributes:
        weights: what a word counts for, by the word in small letters; less than 0 for words of
            texts that are unwanted.
        shown: the word as it is written in the texts.
    """

    weights: Mapping[str, float]
    shown: Mapping[str, str]


def words_of(text: str) -> list[str]:
    """The words of a text as written, without numbers and stop words."""
    return [word for word in _WORD.findall(text) if word.lower() not in STOP_WORDS]


def term_frequencies(text: str) -> dict[str, float]:
    """1 + log of how often each word stands in a text, by the word in small letters."""
    counts = Counter(_WORD.findall(text.lower()))
    return {word: 1 + math.log(n) for word, n in counts.items() if word not in STOP_WORDS}


def build(
    texts: Sequence[str], unwanted: Sequence[str], idf: Mapping[str, float], gamma: float
) -> Profile:
    """The mean of the wanted texts' TF-IDF vectors less ``gamma`` times that of the unwanted.

    Args:
        texts: at least one.
        unwanted: texts that hits should not be like.
        idf: inverse document frequency of every word in them.
        gamma: how much the unwanted count (Rocchio 1971).
    """
    weights: dict[str, float] = {}
    for group, sign in ((texts, 1.0), (unwanted, -gamma)):
        for text in group:
            vector = {word: tf * idf[word] for word, tf in term_frequencies(text).items()}
            length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
            for word, value in vector.items():
                weights[word] = weights.get(word, 0.0) + sign * value / length / len(group)
    forms: dict[str, Counter[str]] = {}
    for text in texts:
        for word in words_of(text):
            forms.setdefault(word.lower(), Counter())[word] += 1
    return Profile(weights, {word: found.most_common(1)[0][0] for word, found in forms.items()})


def fit(profile: Profile, text: str) -> float:
    """How similar a text is to a profile, by words; 0 where they share none.

    The text's words are weighted by how often they stand there alone, and its length is that of
    this vector. On citation retrieval that ranks as well as full TF-IDF cosine, and it needs no
    document frequencies of words that the profile lacks.
    """
    weights = profile.weights
    product = squares = 0.0
    for word, tf in term_frequencies(text).items():
        squares += tf * tf
        if word in weights:
            product += tf * weights[word]
    return product / math.sqrt(squares) if squares else 0.0


def shared_words(profile: Profile, text: str, telling: Mapping[str, float]) -> tuple[str, ...]:
    """The words that make a text similar to a profile, as the profile's texts write them.

    Args:
        profile: from :func:`build`.
        text: the text.
        telling: inverse document frequency of the words that may be shown.
    """
    gains = {
        word: tf * profile.weights[word] * telling[word]
        for word, tf in term_frequencies(text).items()
        if word in telling and profile.weights.get(word, 0.0) > 0
    }
    chosen: list[str] = []
    for word in sorted(gains, key=lambda word: (-gains[word], word)):
        if not any(_same_stem(word, other) for other in chosen):
            chosen.append(word)
    return tuple(profile.shown[word] for word in chosen[:MAX_SHARED])


def _same_stem(first: str, second: str) -> bool:
    """Whether two words are forms of one, as far as their beginnings tell."""
    length = max(4, min(len(first), len(second)) - 2)
    return first[:length] == second[:length]


def inverse_frequencies(counts: Mapping[str, int], papers: int) -> dict[str, float]:
    """Smoothed idf by word: log((1 + papers) / (1 + count)) + 1."""
    return {word: math.log((1 + papers) / (1 + n)) + 1 for word, n in counts.items()}


def telling_words(counts: Mapping[str, int], papers: int) -> set[str]:
    """Words rare enough to say something about what two papers share."""
    most = max(2, _TELLING_SHARE * papers)
    return {word for word, n in counts.items() if n <= most}
