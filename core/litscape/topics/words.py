"""Texts of papers as rows of numbered words, ready to count phrases in.

A word is known by its number, under which singular and plural, upper and lower case, with and
without hyphen are one. What ends a phrase is :data:`BREAK`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from litscape.topics.boilerplate import (
    CAPITALISED,
    EMPTY,
    ENDINGS,
    HAN_PHRASES,
    HAN_STOPS,
    INNER,
    STOPS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


BREAK = -1
LEAST_PAPERS = 2
"""Papers in which a word or phrase stands at least to be a term."""
_NOISE = re.compile(
    r"\$[^$\n]{0,300}\$|\\[a-zA-Z]+\*?|<[^<>]{1,80}>|&\#?\w{1,8};|https?://\S+|www\.\S+|\S+@\S+\.\S+"
    r"|\b10\.\d{4,}/\S+|\(cid:\d+\)"
)
_SLASH = re.compile(r"/(?<=[^\W\d_]{3}/)(?=[^\W\d_]{3})")
"""Between words, which it does not part: attention-deficit/hyperactivity disorder."""
_NOTICE = re.compile(
    r"(?:©|\(c\)\s*(?:19|20)\d\d|copyright\b|all rights reserved|published by (?:elsevier|springer"
    r"|wiley|john wiley)|this article is (?:protected|published)).{0,300}$",
    re.IGNORECASE | re.DOTALL,
)
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(
    rf"\d+(?:[.,]\d+)+%?|\b[A-Z]\.(?=\s?[a-z])|\b[Vv]an de[nr] [A-Z][a-z]+"
    rf"|[{_HAN}]|[\u30a1-\u30fa\u30fc-\u30ff]+|[\uac00-\ud7a3]+|[\u3040-\u309f]+"
    rf"|(?:(?![{_HAN}\u3040-\u30ff\uac00-\ud7a3])[^\W_])+"
    rf"(?:[-‐‑'’](?:(?![{_HAN}\u3040-\u30ff\uac00-\ud7a3])[^\W_])+)*"
    r"|[^\w\s]"
)
_SIGN = re.compile(f"[{_HAN}]")
_KANA = re.compile("[\u3040-\u309f]+")
_HANGUL_END = re.compile("(?:으로|에서|에게|까지|부터|은|는|이|가|을|를|의|에|와|과|로|도|및)$")
_ELIDED = re.compile(
    "^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|nell|sull|all|dall|un)['’]", re.IGNORECASE
)
"""What French, Italian and Catalan put before a vowel: no part of the word."""
_NUMBERED = re.compile(r"\d|\d[a-z]|\d+-[a-z].*")
_HANGUL = re.compile("[\uac00-\ud7a3]+")
_BOILERPLATE = re.compile("|".join(sorted(HAN_PHRASES, key=len, reverse=True)))
_SHORT = 6
"""Letters of a word in capitals from which on it is thought to be shouted, not an acronym."""
_NAMING = frozenset("BCDEGHKLMNPQRSTVWXYZ")
"""Letters that belong to a name when they stand alone in capitals: vitamin D."""
_LEAST_PARTICIPLE = 5
_ADVERB = re.compile("(?:al|iv|ent|ant|ous|ed|ing|ful|ab|ib)ly$")
_WORDS = 250
"""Words of a paper that are read: title and abstract; what follows is often something else."""


def cleaned(text: str) -> str:
    """A text without formulas, markup, addresses and publishers' notices."""
    text = _SLASH.sub(" ", _NOISE.sub(" . ", text))
    text = text.replace("state of the art", ";").replace("State of the art", ";")
    tail = text[-600:]
    return _BOILERPLATE.sub(" . ", text[:-600] + _NOTICE.sub(" . ", tail))


def tokens(text: str) -> list[str]:
    """Words, signs and punctuation of a cleaned text."""
    return _TOKEN.findall(text)


@lru_cache(maxsize=200_000)
def key_of(token: str) -> str:
    """What a word is known by; empty for what ends a phrase."""
    if not token[0].isalnum() or _KANA.fullmatch(token):
        return ""
    if _SIGN.match(token):
        return "" if token in HAN_STOPS else token
    if _HANGUL.match(token):
        bare = _HANGUL_END.sub("", token) if len(token) > 2 else token
        return bare if len(bare) > 1 else ""
    word = token.casefold().replace("’", "'").replace("‐", "-").replace("‑", "-")
    word = _ELIDED.sub("", word.removesuffix("'s")).strip("'-")
    if not word or (word in STOPS and token not in _NAMING):
        return word.capitalize() if token.istitle() and word in CAPITALISED else ""
    if len(word) == 1 and token.islower():  # n = 20, 4 h; but vitamin D
        return ""
    if word in INNER:
        return word
    if word[0].isdigit():  # type 2 diabetes, 3D; no numbers, counts and years
        return word if _NUMBERED.fullmatch(word) else ""
    if token.isupper() and len(token) < _SHORT:  # AIDS is no aid
        return word.replace("-", "")
    return singular(word.replace("-", "").replace("'", ""))


def singular(word: str) -> str:
    """An English word without its plural ending; what may be something else is left alone."""
    if len(word) < 4 or not word.isascii() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith(("ias", "iases")):
        return word.removesuffix("es")
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def is_sign(key: str) -> bool:
    """Whether a word is one sign of Han: such stand together without blanks."""
    return len(key) == 1 and _SIGN.match(key) is not None


def empty(key: str) -> bool:
    """Whether a word names nothing when it stands alone."""
    bare = key.strip(".")
    known = key in _EMPTY_KEYS or key.casefold() in CAPITALISED
    return known or len(bare) < 2 or key[0].isdigit() or hanging(key)


def hanging(key: str) -> bool:
    """Whether what is said of something goes on behind a word: induced, paired; orally."""
    if not key.isascii():
        return False
    participle = key.endswith("ed") and not key.endswith("eed") and len(key) >= _LEAST_PARTICIPLE
    return participle or _ADVERB.search(key) is not None


def ending(key: str) -> bool:
    """Whether a word belongs to a phrase only where this is cut without it."""
    return key in _ENDING_KEYS or (key[0].isupper() and key.casefold() in CAPITALISED)


_ENDING_KEYS = frozenset(singular(word) for word in ENDINGS)
_EMPTY_KEYS = frozenset(singular(word.replace("-", "")) for word in EMPTY) | EMPTY


def shown(form: str) -> str:
    """A word as it is shown: without what is no part of it."""
    return _ELIDED.sub("", form.removesuffix("'s").removesuffix("’s"))


class Texts:
    """Papers as one row of word numbers.

    Attributes:
        words: number of each word in reading order, int32 (t,); :data:`BREAK` between phrases.
        forms: as which of :attr:`written` each stands there, int32 (t,).
        paper: which paper (its place among those given) each stands in, int32 (t,).
        keys: the words by their number.
        written: the forms in which words were written.
        papers: how many papers were read.
    """

    def __init__(self, texts: Iterable[tuple[str | None, str | None]]) -> None:
        """Read papers, each as title and abstract."""
        forms = _Numbers()
        rows = [np.array([forms[one] for one in _forms(*text)], np.int32) for text in texts]
        self.papers = len(rows)
        lengths = np.array([len(row) for row in rows], np.int64)
        self.paper = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
        self.forms = np.concatenate(rows) if rows else np.empty(0, np.int32)
        self.written = list(forms)
        words = _Numbers()
        known = [words[key] if (key := key_of(form)) else BREAK for form in self.written]
        self.keys = list(words)
        self.words = np.array(known, np.int32)[self.forms] if rows else self.forms
        self._drop_rare()

    def _drop_rare(self) -> None:
        """Let words of a single paper end phrases: they name no topic."""
        inside = self.words >= 0
        if not inside.any():
            return
        pairs = np.unique(self.words[inside].astype(np.int64) * self.papers + self.paper[inside])
        counts = np.bincount(pairs // max(1, self.papers), minlength=len(self.keys))
        gone = inside & (counts < LEAST_PAPERS)[np.where(inside, self.words, 0)]
        self.words[gone] = BREAK


class _Numbers(dict[str, int]):
    """Numbers for strings, in the order in which they come."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


def _forms(title: str | None, abstract: str | None) -> Iterator[str]:
    """The words of a paper as written, those of a title in small letters where these are usual."""
    if title:
        for token in tokens(cleaned(title))[:_WORDS]:
            yield token.lower() if abstract and len(token) > 1 and token.istitle() else token
        yield "."
    if abstract:
        begins = True
        for token in tokens(cleaned(abstract))[:_WORDS]:
            yield token.lower() if begins and token.casefold() in CAPITALISED else token
            begins = token in ".:!?"
        yield "."
