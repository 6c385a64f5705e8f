"""The words around those that were found, with marks on these."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from litscape.sorting import SIGN, search_letters
from litscape.store.same_words import same_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from litscape.store.lexical import Term

WIDTH = 220
"""Letters of a snippet, about."""
_TOKEN = re.compile(rf"[{SIGN}]|[^\W{SIGN}]+")
_BEFORE = 50
_MOST_HITS = 400
_SAME_START = 2
"""No ending changes these letters of a word, so that words which begin otherwise are not asked
for."""


class Snippet(NamedTuple):
    """A piece of text and where the words stand in it: from, to."""

    text: str
    marks: tuple[tuple[int, int], ...]


class _Token(NamedTuple):
    start: int
    end: int
    word: str


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The words of a term, in their order, and whether the last one may go on."""

    words: tuple[str, ...]
    prefix: bool

    @property
    def needles(self) -> list[tuple[str, bool]]:
        last = len(self.words) - 1
        return [(word, self.prefix and n == last) for n, word in enumerate(self.words)]


def snippets(texts: Sequence[str], terms: Iterable[Term]) -> list[Snippet]:
    """For each text the piece that has most of the terms; its beginning where it has none."""
    wanted = [_Wanted(_words(term.text), term.prefix) for term in terms if not term.empty]
    starts = {word[:_SAME_START] for one in wanted for word in one.words}
    tokens = [_tokens(text, starts) for text in texts]
    known = sorted({token.word for some in tokens for token in some})
    needles = list(dict.fromkeys(needle for one in wanted for needle in one.needles))
    same = dict(zip(needles, same_words(known, needles), strict=True))
    forms = [[same[needle] for needle in one.needles] for one in wanted]
    return [_snippet(text, some, forms) for text, some in zip(texts, tokens, strict=True)]


def _words(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(search_letters(text).casefold()))


def _tokens(text: str, starts: set[str]) -> list[_Token]:
    """The tokens that may be wanted, each with its place among all as its neighbours tell it."""
    found = []
    for piece in _TOKEN.finditer(text):
        word = piece[0]
        plain = word.lower() if word.isascii() else search_letters(word).casefold()
        found.append(_Token(*piece.span(), plain if plain[:_SAME_START] in starts else ""))
    return found


def _snippet(
    text: str, tokens: Sequence[_Token], forms: Sequence[Sequence[frozenset[str]]]
) -> Snippet:
    hits = [
        (tokens[n].start, tokens[n + len(form) - 1].end, number)
        for number, form in enumerate(forms)
        for n in range(len(tokens) - len(form) + 1)
        if form and all(tokens[n + i].word in words for i, words in enumerate(form))
    ]
    hits = sorted(hits)[:_MOST_HITS]
    if not hits:
        return Snippet(_cut(text, 0, WIDTH)[0], ())
    best = max(hits, key=lambda hit: (_terms_within(hits, hit[0]), -hit[0]))
    piece, start = _cut(text, max(0, best[0] - _BEFORE), max(0, best[0] - _BEFORE) + WIDTH)
    end = start + len(piece)
    marks: list[tuple[int, int]] = []
    for first, last, _number in hits:
        if first >= start and last <= end and (not marks or first - start >= marks[-1][1]):
            marks.append((first - start, last - start))
    return _with_ends(piece, marks, start > 0, end < len(text))


def _terms_within(hits: Sequence[tuple[int, int, int]], start: int) -> int:
    end = start + WIDTH - _BEFORE
    return len({number for first, last, number in hits if first >= start and last <= end})


def _cut(text: str, start: int, end: int) -> tuple[str, int]:
    """A piece of a text that does not begin or end within a word, unless that is a long one."""
    if start > 0 and (blank := text.find(" ", start, start + _BEFORE)) >= 0:
        start = blank + 1
    if end < len(text) and (blank := text.rfind(" ", end - _BEFORE, end)) > start:
        end = blank
    return text[start:end], start


def _with_ends(piece: str, marks: Iterable[tuple[int, int]], before: bool, after: bool) -> Snippet:
    head = "… " if before else ""
    shifted = tuple((first + len(head), last + len(head)) for first, last in marks)
    return Snippet(f"{head}{piece}{' …' if after else ''}", shifted)
