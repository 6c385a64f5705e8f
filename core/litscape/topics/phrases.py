"""Words and phrases of papers, and in how many papers of each group they stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.topics.boilerplate import INNER
from litscape.topics.words import LEAST_PAPERS, empty, ending, hanging, is_sign, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from litscape.topics.words import Texts

_LONGEST = 5
_LONGEST_SIGNS = 6
_SPLIT = 3
"""Words of a phrase from which on it may be parted in several ways, by hyphens."""
_BOUND = 0.5
"""Share of the papers with a phrase in which a general word has to follow to belong to it."""
_LEAST_JOINED = 4
"""Papers that it takes to believe that *of* or *and* belongs to a phrase."""


@dataclass(frozen=True, eq=False)
class Terms:
    """Terms, and the papers in which they stand.

    Attributes:
        words: the word numbers of each term.
        shown: each term as it is mostly written.
        keys: what each is known by: its words in the singular.
        paper: of each occurrence (a term counts once a paper), which paper, int32 (o,).
        term: and which term, int64 (o,).
    """

    words: tuple[tuple[int, ...], ...]
    shown: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    paper: NDArray[np.int32]
    term: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def _longer(self) -> dict[tuple[int, ...], list[int]]:
        found: dict[tuple[int, ...], list[int]] = {}
        for term, words in enumerate(self.words):
            keys = self.keys[term]
            for part in _parts(words, keys) if len(words) > 1 else ():
                found.setdefault(part, []).append(term)
        return found

    def weight(self, by_length: Sequence[float]) -> NDArray[np.float64]:
        """A number for each term by how many words it has, (terms,)."""
        last = len(by_length) - 1
        return np.array(by_length)[np.minimum(self._lengths - 1, last)]

    @cached_property
    def _lengths(self) -> NDArray[np.int64]:
        return np.array([len(one) for one in self.words], np.int64)

    def within(self, term: int) -> list[int]:
        """Phrases that have one word more than a term, before or after it."""
        return self._longer.get(self.words[term], [])

    @cached_property
    def _same(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for term, keys in enumerate(self.keys):
            if len(keys) >= _SPLIT:
                found.setdefault("".join(keys), []).append(term)
        return found

    def variants(self, term: int) -> list[int]:
        """Phrases of the same letters, parted otherwise: attention deficit, attention-deficit."""
        return sorted({term, *self._same.get("".join(self.keys[term]), ())})

    def counts(self, group: NDArray[np.int64], groups: int, weight: NDArray[np.float64]) -> Any:
        """In how many papers of each group each term stands: sparse float64 (groups, terms).

        Args:
            group: of each paper; -1 for none.
            groups: how many there are.
            weight: for how many papers each paper stands.
        """
        from scipy.sparse import csr_matrix

        of = group[self.paper]
        inside = of >= 0
        found = (weight[self.paper[inside]], (of[inside], self.term[inside]))
        return csr_matrix(found, shape=(groups, len(self)))


def _parts(words: tuple[int, ...], keys: tuple[str, ...]) -> set[tuple[int, ...]]:
    """What a phrase goes on from: it without its first or last word, and without *of* there."""
    first = 2 if len(words) > 2 and keys[1] in INNER else 1
    last = 2 if len(words) > 2 and keys[-2] in INNER else 1
    return {words[first:], words[:-last]}


@dataclass(slots=True, eq=False)
class _Grams:
    """Phrases of one length: where each begins, which one it is, and in how many papers."""

    length: int
    starts: NDArray[np.int64]
    number: NDArray[np.int64]
    words: NDArray[np.int64]
    papers: NDArray[np.int64]


def terms_of(texts: Texts) -> Terms:
    """All words and phrases of some papers that can name something.

    A phrase has up to three words, or six signs of Han, none of which ends a phrase, and one of
    which names something; it stands in at least two papers.
    """
    blank = np.array([empty(key) for key in texts.keys] or [True])
    words: list[tuple[int, ...]] = []
    shown: list[str] = []
    papers: list[NDArray[np.int32]] = []
    terms: list[NDArray[np.int64]] = []
    known: dict[tuple[int, ...], int] = {}
    for grams in _grams(texts):
        useful = _whole(texts, grams, _useful(texts, grams, blank), known)
        numbers = np.full(len(grams.words), -1, np.int64)
        numbers[useful] = len(words) + np.arange(len(useful))
        forms = _forms(texts, grams, useful)
        words += [tuple(row) for row in grams.words[useful].tolist()]
        shown += [_joined(form) for form in forms]
        number = numbers[grams.number]
        kept = number >= 0
        pairs = np.unique(number[kept] * texts.papers + texts.paper[grams.starts[kept]])
        terms.append(pairs // max(1, texts.papers))
        papers.append((pairs % max(1, texts.papers)).astype(np.int32))
    return Terms(
        words=tuple(words),
        shown=tuple(shown),
        keys=tuple(tuple(texts.keys[word] for word in one) for one in words),
        paper=np.concatenate(papers) if papers else np.empty(0, np.int32),
        term=np.concatenate(terms) if terms else np.empty(0, np.int64),
    )


def _grams(texts: Texts) -> Iterator[_Grams]:
    """Phrases of 1, 2, … words, each of which stands in enough papers."""
    words = texts.words.astype(np.int64)
    starts = np.flatnonzero(words >= 0)
    if not len(starts):
        return
    keys, number = np.unique(words[starts], return_inverse=True)
    grams = _Grams(1, starts, number, keys[:, None], _papers(texts, starts, number, len(keys)))
    sign = np.array([is_sign(key) for key in texts.keys])
    yield grams
    while grams.length < _LONGEST_SIGNS and len(grams.starts):
        grams = _longer(texts, grams, sign if grams.length >= _LONGEST else None)
        yield grams


def _longer(texts: Texts, grams: _Grams, sign: NDArray[np.bool_] | None) -> _Grams:
    """Phrases with one word more than those given; of signs alone where these are told."""
    ends = grams.starts + grams.length
    goes_on = ends < len(texts.words)
    starts, number = grams.starts[goes_on], grams.number[goes_on]
    following = texts.words[ends[goes_on]].astype(np.int64)
    fits = (following >= 0) & (texts.paper[starts] == texts.paper[ends[goes_on]])
    if sign is not None:
        fits &= sign[following] & sign[texts.words[starts]]
    starts, number, following = starts[fits], number[fits], following[fits]
    width = max(1, len(texts.keys))
    keys, number = np.unique(number * width + following, return_inverse=True)
    papers = _papers(texts, starts, number, len(keys))
    enough = papers >= LEAST_PAPERS
    kept = enough[number] if len(number) else np.zeros(0, bool)
    renumbered = np.cumsum(enough) - 1
    before, last = keys[enough] // width, keys[enough] % width
    return _Grams(
        length=grams.length + 1,
        starts=starts[kept],
        number=renumbered[number[kept]] if len(number) else number,
        words=np.column_stack([grams.words[before], last]),
        papers=papers[enough],
    )


def _papers(
    texts: Texts, starts: NDArray[np.int64], number: NDArray[np.int64], phrases: int
) -> NDArray[np.int64]:
    """In how many papers each phrase stands, (phrases,)."""
    pairs = np.unique(number * texts.papers + texts.paper[starts])
    return np.bincount(pairs // max(1, texts.papers), minlength=phrases).astype(np.int64)


def _useful(texts: Texts, grams: _Grams, blank: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Those phrases that can name something."""
    signs = np.array([is_sign(texts.keys[word]) for word in grams.words[:, 0]], bool)
    names = ~blank[grams.words]
    if grams.length == 1:
        return np.flatnonzero(names[:, 0])
    digits = np.array([key.isdecimal() for key in texts.keys], bool)
    good = names.any(axis=1) & ~digits[grams.words[:, 0]]
    inner = np.array([key in INNER for key in texts.keys], bool)
    loose = np.array([key in INNER or hanging(key) for key in texts.keys], bool)
    good &= ~inner[grams.words[:, 0]] & ~loose[grams.words[:, -1]]
    signs &= np.array([all(is_sign(texts.keys[w]) for w in row) for row in grams.words], bool)
    return np.flatnonzero(good | signs)


def _whole(
    texts: Texts, grams: _Grams, useful: NDArray[np.int64], known: dict[tuple[int, ...], int]
) -> NDArray[np.int64]:
    """Of useful phrases those whose general words belong to them: without, they are cut.

    Args:
        texts: the papers.
        grams: phrases of one length.
        useful: those that can name something.
        known: useful shorter phrases and in how many papers they stand; these are added.
    """
    general = np.array([key in INNER or ending(key) for key in texts.keys], bool)
    doubtful = general[grams.words[useful]].any(axis=1) if grams.length > 1 else general[:0]
    words = list(map(tuple, grams.words[useful].tolist()))
    papers = grams.papers[useful].tolist()
    fits = np.ones(len(useful), bool)
    for place in np.flatnonzero(doubtful).tolist():
        keys = tuple(texts.keys[word] for word in words[place])
        rest = [known[part] for part in _without(words[place], keys) if part in known]
        least = _LEAST_JOINED if INNER.intersection(keys) else LEAST_PAPERS
        fits[place] = bool(rest) and papers[place] >= max(least, _BOUND * min(rest))
    known.update((words[place], papers[place]) for place in np.flatnonzero(fits).tolist())
    return useful[fits]


def _without(words: tuple[int, ...], keys: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """A phrase without its general words: what is on both sides of *of*, or before an ending."""
    for place, key in enumerate(keys):
        if key in INNER:
            yield words[:place]
            yield words[place + 1 :]
            return
    first = next((n for n, key in enumerate(keys) if not ending(key)), 0)
    last = next((n for n, key in enumerate(keys[::-1]) if not ending(key)), 0)
    yield words[first : len(words) - last] if first + last else words


def _forms(texts: Texts, grams: _Grams, useful: NDArray[np.int64]) -> list[tuple[str, ...]]:
    """How each useful phrase is mostly written."""
    if not len(useful):
        return []
    chosen = np.full(len(grams.words), -1, np.int64)
    chosen[useful] = np.arange(len(useful))
    number = chosen[grams.number]
    kept = number >= 0
    number, starts = number[kept], grams.starts[kept]
    parts = np.column_stack([texts.forms[starts + n] for n in range(min(grams.length, 3))])
    code = np.zeros(len(parts), np.int64)
    for column in parts.T:
        code = code * max(1, len(texts.written)) + column
    order = np.lexsort((code, number))
    number, code, starts = number[order], code[order], starts[order]
    edge = np.r_[True, (number[1:] != number[:-1]) | (code[1:] != code[:-1])]
    first = np.flatnonzero(edge)
    counts = np.diff(np.r_[first, len(number)])
    best = first[np.lexsort((first, -counts, number[first]))]
    best = best[np.r_[True, number[best][1:] != number[best][:-1]]]
    return [
        tuple(texts.written[texts.forms[start + n]] for n in range(grams.length))
        for start in starts[best]
    ]


def _joined(forms: tuple[str, ...]) -> str:
    if all(is_sign(form) for form in forms):
        return "".join(forms)
    return " ".join(map(shown, forms))
