"""The words around those that were found, with marks on these."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from litscape.sorting import SIGN, has_signs, search_letters
from litscape.store.vocabulary import stems_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from litscape.store.lexical import Term

WIDTH = 220
"""Letters of a snippet, about."""
_TOKEN = re.compile(rf"[{SIGN}]|[^\W{SIGN}]+")
_BEFORE = 36
_FOREIGN = r"[^\W\x00-\x7f]"
_SAME = 2
_MOST_HITS = 60
_MOST_LETTERS = 20_000


class Snippet(NamedTuple):
    """A piece of text and where the words stand in it: from, to."""

    text: str
    marks: tuple[tuple[int, int], ...]


class _Place(NamedTuple):
    """Where a term may stand: from, to, and the words there."""

    start: int
    end: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The words of a term, in their order, and whether the last one may go on."""

    words: tuple[str, ...]
    prefix: bool

    @property
    def needles(self) -> list[tuple[str, bool]]:
        """Each word, and whether it may go on."""
        last = len(self.words) - 1
        return [(word, self.prefix and n == last) for n, word in enumerate(self.words)]


def snippets(texts: Sequence[str], terms: Iterable[Term]) -> list[Snippet]:
    """For each text the piece that has most of the terms; its beginning where it has none."""
    texts = [text[:_MOST_LETTERS] for text in texts]
    wanted = [_Wanted(_words(term.text), term.prefix) for term in terms if not term.empty]
    wanted = [one for one in wanted if one.words]
    starts = _starts(wanted)
    places = [_places(text, wanted, starts) for text in texts]
    known = sorted({w for some in places for its in some for place in its for w in place.words})
    needles = list(dict.fromkeys(needle for one in wanted for needle in one.needles))
    stems = stems_of([*known, *(word for word, _may_go_on in needles)])
    same = {needle: _same(needle, known, stems) for needle in needles}
    forms = [[same[needle] for needle in one.needles] for one in wanted]
    return [_snippet(text, some, forms) for text, some in zip(texts, places, strict=True)]


def _same(
    needle: tuple[str, bool], known: Iterable[str], stems: Mapping[str, tuple[str, ...]]
) -> frozenset[str]:
    """The words that the text index takes for the same as one, or that go on from it."""
    wanted, goes_on = needle
    return frozenset(
        word
        for word in known
        if stems[word] == stems[wanted] or (goes_on and word.startswith(wanted))
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(search_letters(text).casefold()))


def _starts(wanted: Sequence[_Wanted]) -> re.Pattern[str]:
    """Words that begin with the two letters that a wanted one begins with: no ending changes them.

    Other letters than those of ASCII may be the same in plain letters.
    """
    first = {one.words[0][:_SAME] for one in wanted}
    begun = "|".join(
        re.escape(letters[0]) + "".join(f"(?:{re.escape(c)}|{_FOREIGN})" for c in letters[1:])
        for letters in sorted(first)
    )
    if not begun:
        return re.compile(r"(?!)")
    signs = f"[{SIGN}]|" if any(map(has_signs, first)) else ""
    return re.compile(rf"{signs}(?<![^\W{SIGN}])(?:{begun}|{_FOREIGN})[^\W{SIGN}]*", re.IGNORECASE)


def _places(text: str, wanted: Sequence[_Wanted], starts: re.Pattern[str]) -> list[list[_Place]]:
    """Where each of the wanted may stand, by the beginnings of words."""
    begun: dict[str, list[tuple[int, int, str]]] = {}
    for piece in starts.finditer(text):
        word = _plain(piece[0])
        begun.setdefault(word[:_SAME], []).append((*piece.span(), word))
    found: list[list[_Place]] = []
    for one in wanted:
        its: list[_Place] = []
        for start, end, word in begun.get(one.words[0][:_SAME], ()):
            words, last = [word], end
            while len(words) < len(one.words):
                following = _TOKEN.search(text, last)
                if following is None:
                    break
                words.append(_plain(following[0]))
                last = following.end()
            if len(words) == len(one.words):
                its.append(_Place(start, last, tuple(words)))
        found.append(its)
    return found


def _plain(word: str) -> str:
    return word.lower() if word.isascii() else search_letters(word).casefold()


def _snippet(
    text: str, places: Sequence[Sequence[_Place]], forms: Sequence[Sequence[frozenset[str]]]
) -> Snippet:
    hits = [
        (place.start, place.end, number)
        for number, (its, form) in enumerate(zip(places, forms, strict=True))
        for place in its
        if all(word in words for word, words in zip(place.words, form, strict=True))
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
