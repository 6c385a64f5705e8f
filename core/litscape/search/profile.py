"""What texts are about, as weighted words: to find others like them."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from litscape.search.stopwords import STOP_WORDS
from litscape.sorting import has_signs, parted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Profile = Mapping[str, float]
    """What a word counts for, by the word in small letters; less than 0 for words of texts that
    are unwanted. Squares sum to 1."""

WORD = re.compile(r"[^\W\d_][^\W_]+")
_PLAIN = re.compile(r"[a-z][a-z0-9]+")
"""The same in small letters of ASCII."""


def term_frequencies(text: str) -> dict[str, float]:
    """1 + log of how often each word stands in a text, by the word in small letters."""
    counts = _counted(text)
    return {word: 1 + math.log(n) for word, n in counts.items() if word not in STOP_WORDS}


def _counted(text: str) -> Counter[str]:
    text = text.lower()
    if text.isascii():  # most are, and it takes half as long
        return Counter(_PLAIN.findall(text))
    words = WORD.findall(text)
    if has_signs(text):
        words = [part for word in words for part in parted(word)]
    return Counter(words)


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
            length = _length(vector)
            for word, value in vector.items():
                weights[word] = weights.get(word, 0.0) + sign * value / length / len(group)
    length = _length(weights)
    return {word: weight / length for word, weight in weights.items()}


def fit(profile: Profile, text: str) -> float:
    """How similar a text is to a profile, by words, at most 1; 0 where they share none.

    The text's words are weighted by how often they stand there alone, and its length is that of
    this vector. On citation retrieval that ranks as well as full TF-IDF cosine, and it needs no
    document frequencies of words that the profile lacks.
    """
    counts = _counted(text)
    for word in counts.keys() & STOP_WORDS:
        del counts[word]
    # Most words stand there once or twice: how many do so often is counted first.
    often = Counter(counts.values())
    length = math.sqrt(sum(words * (1 + math.log(n)) ** 2 for n, words in often.items()))
    shared = counts.keys() & profile.keys()
    return sum((1 + math.log(counts[word])) * profile[word] for word in shared) / (length or 1.0)


def inverse_frequencies(counts: Mapping[str, int], papers: int) -> dict[str, float]:
    """Smoothed idf by word: log((1 + papers) / (1 + count)) + 1."""
    return {word: math.log((1 + papers) / (1 + n)) + 1 for word, n in counts.items()}


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(sum(value * value for value in vector.values())) or 1.0
