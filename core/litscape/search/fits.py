"""How similar many texts are to a profile at once: what :func:`profile.fit` says of each.

Hundreds of texts are compared while a person waits. Their words are never made: a word is a number
that follows from its letters, found for all words of all texts together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from litscape.search.profile import LOGS, fit, plain
from litscape.search.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from litscape.search.profile import Profile

    Numbers = NDArray[np.uint64]

MOST = 100
"""Texts that are looked at together: some 150,000 letters, whose numbers take a few megabytes; a
text's number has 16 bits beside those of a word."""
_TEXT = np.uint64(48)
_WORD = np.uint64((1 << 48) - 1)
_BLANK = ord(" ")
_APART = bytes(
    ord(sign.lower()) if (sign := chr(n)).isalnum() and n < 128 else _BLANK for n in range(256)
)
_LETTERS = np.random.default_rng(0).integers(1, 1 << 63, 256, dtype=np.uint64)
_FACTOR = 0x9E3779B97F4A7C15  # odd, so that it has an inverse among the numbers below 2 ** 64
_INVERSE = pow(_FACTOR, -1, 1 << 64)
_LOGS = np.array(LOGS)


def fits(profile: Profile, texts: Sequence[str]) -> NDArray[np.float64]:
    """(n,): how similar each text is to a profile by words, at most 1; 0 where they share none."""
    found = np.zeros(len(texts))
    for begin in range(0, len(texts), MOST):
        part = texts[begin : begin + MOST]
        found[begin : begin + MOST] = _fits(profile, part)
    return found


def _fits(profile: Profile, texts: Sequence[str]) -> NDArray[np.float64]:
    ascii_texts = [plain(text) for text in texts]
    bodies = [(text or "").encode("ascii").translate(_APART) for text in ascii_texts]
    begins = np.cumsum([0, *(len(body) + 1 for body in bodies)])
    starts, words = _words_of(b" " + b" ".join(bodies) + b" ")
    sizes = np.diff(np.searchsorted(starts, begins, side="right"))
    owners = np.repeat(np.arange(len(texts), dtype=np.uint64), sizes)
    keys, counts = np.unique((owners << _TEXT) | (words & _WORD), return_counts=True)
    owners, words = (keys >> _TEXT).astype(np.intp), keys & _WORD
    names = [word for word in profile if word.isascii()]
    at = _places(words, names)
    values = _LOGS[np.minimum(counts, len(LOGS) - 1)]
    often = counts >= len(LOGS)
    values[often] = 1 + np.log(counts[often])
    values *= at <= len(names)
    lengths = np.sqrt(np.bincount(owners, values * values, minlength=len(texts)))
    weights = np.array([*(profile[word] for word in names), 0.0])
    values *= weights[np.minimum(at, len(names))]
    shared = np.bincount(owners, values, minlength=len(texts))
    found: NDArray[np.float64] = shared / np.where(lengths > 0, lengths, 1.0)
    for place, text in enumerate(ascii_texts):
        if text is None:
            found[place] = fit(profile, texts[place])
    return found


def _places(words: Numbers, names: Sequence[str]) -> NDArray[np.intp]:
    """(w,): the place of each word among the names; their number for others, more for stop words.

    No stop word is among the names.
    """
    known = np.concatenate((_numbers(names), _stop_words()))
    order = np.argsort(known)
    known = known[order]
    order[order >= len(names)] = len(names) + 1
    at = np.minimum(np.searchsorted(known, words), len(known) - 1)
    return np.where(known[at] == words, order[at], len(names))


def _words_of(signs: bytes) -> tuple[NDArray[np.intp], Numbers]:
    """Where the words of a text in small ASCII letters start, and a number of each word.

    A word is two or more letters and digits, of which the first is a letter. Its number is the sum
    of its letters' numbers, each times a power of :data:`_FACTOR` by its place: a difference of
    running sums, taken back to the first place.

    Args:
        signs: letters, digits and blanks; a blank at either end.
    """
    codes = np.frombuffer(signs, dtype=np.uint8)
    inside = codes != _BLANK
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[::2].copy(), edges[1::2]
    # A blank is below the digits: what is of digits alone ends there, with nothing left of it.
    odd = np.flatnonzero(_is_digit(codes[starts]))
    while len(odd):
        starts[odd] += 1
        odd = odd[_is_digit(codes[starts[odd]])]
    long = ends - starts > 1
    starts, ends = starts[long], ends[long]
    powers, inverses = _powers(1 << (len(codes) - 1).bit_length())
    sums = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(_LETTERS[codes] * powers[: len(codes)], out=sums[1:])
    return starts, (sums[ends] - sums[starts]) * inverses[starts]


def _is_digit(codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return (codes >= ord("0")) & (codes <= ord("9"))


@lru_cache(maxsize=2)
def _powers(size: int) -> tuple[Numbers, Numbers]:
    """The first powers of the factor, and of its inverse, below 2 ** 64."""
    made = []
    for factor in (_FACTOR, _INVERSE):
        powers = np.full(size, factor, dtype=np.uint64)
        powers[0] = 1
        made.append(np.cumprod(powers, dtype=np.uint64))
    return made[0], made[1]


@lru_cache(maxsize=1)
def _stop_words() -> Numbers:
    return _numbers(word for word in STOP_WORDS if len(word) > 1)


def _numbers(words: Iterable[str]) -> Numbers:
    """The numbers of words in small letters of two letters or more, in the order given."""
    return _words_of(f" {' '.join(words)} ".encode("ascii"))[1] & _WORD
