"""Where a manuscript cites what: every citation with the parts of the text that it stands in."""

from __future__ import annotations

import enum
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HELD = "\ue000"
"""Stands for a citation while sentences are found."""
BLANK = "\ue001"
"""Stands for each letter of what is no text: comments, code, what comes before the body."""
_END = re.compile(
    rf"[.!?…]['\"’”»)\]}}]*(?:~*{HELD})*[\s{BLANK}]+"
    rf"(?=['\"‘“«(\[{{¿¡]*(?:[^\W\d_a-z]|\d|{HELD}))"
    rf"|[。！？．]['\"’”」』）]*{HELD}*\s*"
)
"""An end of a sentence; a citation that touches the full stop belongs to what it ends."""
_SHORT = frozenset(
    {
        *("al", "approx", "ca", "cf", "e.g", "i.e", "no", "nos", "resp", "viz", "vs"),
        *("ch", "chap", "eq", "eqs", "fig", "figs", "lem", "p", "pp", "prop", "ref", "refs"),
        *("sec", "sect", "tab", "thm", "vol", "vols", "ed", "eds", "dr", "jr", "prof", "sr", "st"),
        *("bzw", "d.h", "u.a", "vgl", "z.b"),
    }
)
_WORD = re.compile(r"[\w.]+$")


class Level(enum.IntEnum):
    """The closest part that two citations share; each is worth half of the one before.

    Citation proximity analysis (Gipp and Beel 2009: sentence 1, paragraph 1/2, chapter 1/4), with
    one level more: works named in one citation.
    """

    CITATION = 0
    SENTENCE = 1
    PARAGRAPH = 2
    SECTION = 3

    @property
    def weight(self) -> float:
        """What one such pair counts."""
        return float(2.0 ** -int(self))


@dataclass(frozen=True, slots=True)
class Cited:
    """One work in one citation.

    Attributes:
        citekey: as it is written.
        line: of the file, from 1.
        section, paragraph, sentence, cite: number of each part in the file; all four ascend.
    """

    citekey: str
    line: int
    section: int
    paragraph: int
    sentence: int
    cite: int


@dataclass(frozen=True, slots=True)
class Citation:
    """Works cited by one command: their keys, and where it stands in the text."""

    start: int
    end: int
    keys: tuple[str, ...]


def blanked(found: re.Match[str]) -> str:
    """What was found with nothing in it, as long and on as many lines."""
    return blank(found[0])


def blank(text: str) -> str:
    """Nothing, as long and on as many lines as a text."""
    return re.sub(r"[^\n]", BLANK, text)


def arrange(
    text: str,
    citations: Sequence[Citation],
    sections: Iterable[int],
    paragraphs: Iterable[int],
) -> Iterator[Cited]:
    """Number the parts that citations stand in.

    Args:
        text: the manuscript; what is no text in it (comments, code) is blanked.
        citations: by place, without overlap.
        sections: offsets at which a section begins.
        paragraphs: offsets at which a paragraph begins; sections begin one as well.
    """
    heads = sorted(set(sections))
    breaks = sorted({*paragraphs, *heads})
    lines = [found.end() for found in re.finditer("\n", text)]
    sentence = 0
    for number, (paragraph, inside) in enumerate(_by_paragraph(citations, breaks)):
        start = breaks[paragraph - 1] if paragraph else 0
        end = breaks[paragraph] if paragraph < len(breaks) else len(text)
        ends = _sentence_ends(text[start:end], inside, start)
        for citation in inside:
            within = bisect_right(ends, citation.start)
            for key in dict.fromkeys(citation.keys):
                yield Cited(
                    key,
                    bisect_right(lines, citation.start) + 1,
                    bisect_right(heads, citation.start),
                    number,
                    sentence + within,
                    citation.start,
                )
        sentence += len(ends) + 1


def _by_paragraph(
    citations: Sequence[Citation], breaks: Sequence[int]
) -> Iterator[tuple[int, list[Citation]]]:
    """The citations of each paragraph that has any."""
    held: list[Citation] = []
    now = 0
    for citation in citations:
        paragraph = bisect_right(breaks, citation.start)
        if held and paragraph != now:
            yield now, held
            held = []
        now = paragraph
        held.append(citation)
    if held:
        yield now, held


def _sentence_ends(paragraph: str, citations: Sequence[Citation], start: int) -> list[int]:
    """Offsets in the whole text at which a new sentence begins within a paragraph."""
    parts, places, done = [], [], 0
    length = 0
    for citation in citations:
        before = paragraph[done : citation.start - start]
        parts += [before, HELD]
        length += len(before)
        places.append((length, citation.end - start - (length + 1)))
        length += 1
        done = citation.end - start
    plain = "".join([*parts, paragraph[done:]])
    keys = [place for place, _shift in places]
    ends = []
    for found in _END.finditer(plain):
        if _is_short(plain, found.start()):
            continue
        held = bisect_right(keys, found.end() - 1)
        shift = places[held - 1][1] if held else 0
        ends.append(start + found.end() + shift)
    return ends


def _is_short(text: str, stop: int) -> bool:
    """Whether the word before a full stop is an initial or an abbreviation."""
    if text[stop] != ".":
        return False
    word = _WORD.search(text, max(0, stop - 20), stop)
    if word is None:
        return False
    last = word[0].lower()
    return (len(last) == 1 and last.isalpha()) or last in _SHORT
