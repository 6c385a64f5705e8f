"""Letters of a page put into lines by where they stand, where PDFium does not see the lines."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_LETTERS = 5000
_BLANK = 0.18
"""A gap of this share of a letter's height is a blank; between letters it is far smaller."""


class _Letter(NamedTuple):
    text: str
    left: float
    bottom: float
    right: float
    top: float


def rows_of(text_page: Any) -> str:
    """The text of a page, line by line from the top.

    Raises:
        PdfiumError: the letters have no places.
    """
    number = min(text_page.count_chars(), _MOST_LETTERS)
    letters = (
        _Letter(text_page.get_text_range(n, 1), *text_page.get_charbox(n, loose=True))
        for n in range(number)
    )
    return "\n".join(map(_line, _rows(one for one in letters if one.text.strip())))


def _rows(letters: Iterable[_Letter]) -> list[list[_Letter]]:
    """The letters by lines: those whose middles are within the height of the line's first."""
    rows: list[list[_Letter]] = []
    for letter in sorted(letters, key=lambda one: (-one.top, one.left)):
        middle = (letter.top + letter.bottom) / 2
        if rows and rows[-1][0].bottom <= middle <= rows[-1][0].top:
            rows[-1].append(letter)
        else:
            rows.append([letter])
    return [sorted(row, key=lambda one: one.left) for row in rows]


def _line(row: list[_Letter]) -> str:
    text = row[0].text
    for before, letter in itertools.pairwise(row):
        apart = letter.left - before.right > _BLANK * (letter.top - letter.bottom)
        text += f" {letter.text}" if apart else letter.text
    return text
