"""Rows of a table in text: quoted cells over several lines, and rows that are not sound."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DELIMITERS = (",", ";", "\t", "|")
_MANY_MENDED, _SHORT_CELL = 200, 20_000
"""After so many unclosed quotes, one is looked for no further than so many characters."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_FORMULA = re.compile("'*[=+\\-@＝＋－＠\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*")
_DECLARED = re.compile(r"\ufeff?\"?sep=(.)\"?[ \t]*(?:\r\n|\r|\n)", re.I)


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        cells: what stands in it, quotes undone.
        raw: its text in the file.
        line: 1-based line where it begins.
        mended: whether a quote that is never closed was closed at the end of its line.
    """

    cells: list[str]
    raw: str
    line: int
    mended: bool = False


class _Grammar:
    """What ends a cell, for one delimiter."""

    def __init__(self, delimiter: str) -> None:
        one = re.escape(delimiter)
        ends = rf"(?=[ ]*(?:{one}|\r|\n|\Z))"
        # A quote that nothing ends behind is part of the text, as careless programs write it.
        self.quoted = re.compile(rf'[ ]*"((?:[^"]++|""|"(?![ ]*(?:{one}|\r|\n|\Z)))*+)"{ends}[ ]*')
        self.bare = re.compile(rf"[^{one}\r\n]*")
        self.delimiter = delimiter
        self.closing = re.compile(rf'"[ ]*(?:{one}|\r|\n|\Z)')


class _Rows:
    def __init__(self, text: str, delimiter: str, position: int) -> None:
        self._text = text
        self._grammar = _Grammar(delimiter)
        self._position = position
        self._line = 1 + len(_LINE_END.findall(text, 0, position))
        last = [found.start() for found in self._grammar.closing.finditer(text)]
        self._last_closing = last[-1] if last else -1
        self._width = 0
        self._mended = 0

    def read(self) -> Iterator[Row]:
        while self._position < len(self._text):
            start = self._position
            cells, end, sound = self._cells(start, len(self._text))
            stop = self._line_end(start)
            mended = not sound
            if not sound or (end > stop and self._suspicious(cells) and self._row_begins(stop)):
                cells, end, _ = self._cells(start, stop)
                mended = True
                self._mended += 1
            yield from self._row(cells, start, end, mended=mended)
            found = _LINE_END.match(self._text, end)
            self._position = found.end() if found else max(end, start + 1)
            self._line += len(_LINE_END.findall(self._text, start, self._position))

    def _row(self, cells: list[str], start: int, end: int, *, mended: bool) -> Iterator[Row]:
        raw = self._text[start:end]
        if raw.strip():
            self._width = self._width or len(cells)
            yield Row(cells, raw, self._line, mended)

    def _reach(self, position: int, bound: int) -> int:
        """How far a closing quote is looked for."""
        return min(bound, position + _SHORT_CELL) if self._mended > _MANY_MENDED else bound

    def _line_end(self, start: int) -> int:
        found = _LINE_END.search(self._text, start)
        return found.start() if found else len(self._text)

    def _suspicious(self, cells: list[str]) -> bool:
        """Whether a row over several lines looks as if it had swallowed another."""
        return bool(self._width) and len(cells) != self._width

    def _row_begins(self, stop: int) -> bool:
        """Whether the line behind a place is a whole row by itself."""
        found = _LINE_END.match(self._text, stop)
        if not found or found.end() >= len(self._text):
            return False
        cells, _, sound = self._cells(found.end(), self._line_end(found.end()))
        return sound and len(cells) == self._width

    def _cells(self, start: int, bound: int) -> tuple[list[str], int, bool]:
        """The cells from a place on, where they end, and whether all quotes are closed."""
        cells: list[str] = []
        position, grammar, text = start, self._grammar, self._text
        while True:
            found = None
            quote = text[position : position + 1] == '"' or text[position : position + 2] == ' "'
            if quote and position < bound:
                if position < self._last_closing:
                    found = grammar.quoted.match(text, position, self._reach(position, bound))
                if found is None:
                    stop = min(self._line_end(position), bound)
                    cells.append(text[position:stop].strip().removeprefix('"').replace('""', '"'))
                    return cells, stop, False
                cells.append(found[1].replace('""', '"'))
            else:
                found = grammar.bare.match(text, position, bound)
                cells.append(found[0].strip() if found else "")
            position = found.end() if found else bound
            if position >= bound or text[position] != grammar.delimiter:
                return cells, position, True
            position += 1


def rows(text: str, delimiter: str | None = None) -> Iterator[Row]:
    """Every row of a table that is not blank, the heading first.

    A quote that is never closed costs its own line only.

    Args:
        text: the whole file.
        delimiter: what parts cells; by default a ``sep=`` line or :func:`delimiter_of` tells.
    """
    declared = _DECLARED.match(text)
    start = declared.end() if declared else len(text) - len(text.lstrip("\ufeff"))
    yield from _Rows(text, delimiter or delimiter_of(text), start).read()


def delimiter_of(text: str) -> str:
    """The delimiter by which the first line has most cells."""
    declared = _DECLARED.match(text)
    if declared:
        return declared[1]
    first = text.lstrip("\ufeff \r\n")
    first = _LINE_END.split(first, maxsplit=1)[0]
    counts = {}
    for one in DELIMITERS if first else ():
        # A line of separators alone, such as U+001F, is no row.
        row = next(_Rows(first, one, 0).read(), None)
        counts[one] = len(row.cells) if row else 0
    return max(counts, key=lambda one: counts[one]) if counts else ","


def guarded(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: such text has an apostrophe in front.

    A title may come from anywhere, and a formula can start programs and send what is in the table.
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unguarded(text: str) -> str:
    """The text of a cell that :func:`guarded` has made."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
