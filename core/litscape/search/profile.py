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
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_DIGITS = "0123456789"
_APART = str.maketrans({chr(n): chr(n).lower() if chr(n).isalnum() else " " for n in range(128)})
"""Small letters and digits of ASCII stay; whatever else is there parts words."""
LOGS = (0.0, *(1 + math.log(n) for n in range(1, 256)))
"""What a word counts for by how often it stands in a text."""
_SQUARES = tuple(value * value for value in LOGS)


def term_frequencies(text: str) -> dict[str, float]:
    """1 + log of how often each word stands in a text, by the word in small letters."""
    counts = _counted(text)
    return {word: 1 + math.log(n) for word, n in counts.items() if word not in STOP_WORDS}


def _counted(text: str) -> Counter[str]:
    in_ascii = plain(text)
    if in_ascii is None:
        text = text.lower()
        words = WORD.findall(text)
        if has_signs(text):
            words = [part for word in words for part in parted(word)]
        return Counter(words)
    # Most texts are plain, and cutting at blanks takes half as long as looking for words does.
    counts = Counter(in_ascii.translate(_APART).split())
    for odd in [word for word in counts if word < "a" or len(word) < 2]:
        number, rest = counts.pop(odd), odd.lstrip(_DIGITS)
        if len(rest) > 1:
            counts[rest] += number
    return counts


def plain(text: str) -> str | None:
    """The text in ASCII, where nothing but dashes, quotes and the like stands in its way."""
    if text.isascii():
        return text
    for sign in set(_FOREIGN.findall(text)):
        if sign.isalnum():
            return None
        text = text.replace(sign, " ")
    return text


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
    shared = profile.keys() & counts.keys()
    if not shared:
        return 0.0
    if max(counts.values()) >= len(LOGS):
        frequencies = term_frequencies(text)
        return sum(frequencies[word] * profile[word] for word in shared) / _length(frequencies)
    squares = sum(map(_SQUARES.__getitem__, counts.values()))
    squares -= sum(_SQUARES[counts[word]] for word in STOP_WORDS.intersection(counts))
    return sum(LOGS[counts[word]] * profile[word] for word in shared) / math.sqrt(squares)


def inverse_frequencies(counts: Mapping[str, int], papers: int) -> dict[str, float]:
    """Smoothed idf by word: log((1 + papers) / (1 + count)) + 1."""
    return {word: math.log((1 + papers) / (1 + n)) + 1 for word, n in counts.items()}


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(sum(value * value for value in vector.values())) or 1.0
