"""The objects of a JSON list, one by one: a broken one costs none of its neighbours."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = re.compile(r"[\s,\ufeff]*")
_LIST_KEY = re.compile(r'"(?:items|references|records|data|entries|works|papers|results)"\s*:\s*\[')
# From the beginning of white space only, or long runs of it would be read over and over.
_OPEN = re.compile(r"(?<!\s)(\s*+)\{")
_CLOSING = re.compile(r"\}\s*+\]\s*+\}?\s*+\Z")
_TELLING = frozenset({"title", "type", "issued", "DOI", "doi", "container-title"})
_LINE_END = re.compile(r"\r\n|\r|\n")
_MAX_TRIES = 2000
_NO_END = "the list has no end"


def _number(text: str) -> float | str:
    """A number, or its text where no number is that large."""
    value = float(text)
    return value if isfinite(value) else text


DECODER = json.JSONDecoder(strict=False, parse_float=_number, parse_constant=str)
"""Reads JSON as found: line ends inside texts, and words such as NaN, which stay text."""


def fault_of(error: json.JSONDecodeError) -> str:
    """What is wrong, so that a place can follow: ``Expecting value``."""
    said = error.msg.removesuffix(" starting at")
    return "A text in quotes has no end, begun" if said == "Unterminated string" else said


@dataclass(frozen=True, slots=True)
class Item:
    """One element as it stands in the file.

    Attributes:
        raw: its text in the file.
        line: 1-based line where it begins.
        value: what it holds; None where it is broken.
        error: what is wrong with it; empty where nothing is.
        cut: whether the file ends inside it.
        outside: whether it is no element but text before or behind the list.
    """

    raw: str
    line: int
    value: Any = None
    error: str = ""
    cut: bool = False
    outside: bool = False


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._decode = DECODER.raw_decode
        self._counted, self._line = 0, 1

    def items(self) -> Iterator[Item]:
        start = _skip(self._text, 0)
        if start >= len(self._text):
            return
        if self._text[start] == "[":
            yield from self._elements(start + 1)
            return
        inner = _LIST_KEY.search(self._text)
        value, end, error = self._value(start)
        if inner and (error or not _is_item(value)):
            yield from self._elements(inner.end())
        elif isinstance(value, dict) and value and all(map(_is_item, value.values())):
            # Items by their ids, as citation programs keep them in memory.
            for key, item in value.items():
                raw = json.dumps({key: item}, ensure_ascii=False)
                yield Item(raw, self._line_at(start), {"id": key, **item})
        elif error:
            yield Item(
                self._text[start:], self._line_at(start), error=error, cut=self._at_end(error)
            )
        else:
            yield Item(self._text[start:end], self._line_at(start), value)
            yield from self._behind(end)

    def _elements(self, position: int) -> Iterator[Item]:
        cut = False
        while True:
            position = _skip(self._text, position)
            if position >= len(self._text):
                if not cut:
                    yield Item("", self._line_at(position), error=_NO_END, cut=True, outside=True)
                return
            if self._text[position] == "]":
                yield from self._behind(position + 1)
                return
            line = self._line_at(position)
            value, end, error = self._value(position)
            if error:
                end = self._resume(position)
                cut = end >= len(self._text)
                yield Item(self._text[position:end].rstrip(", \t\r\n"), line, error=error, cut=cut)
            else:
                yield Item(self._text[position:end], line, value)
            position = end

    def _behind(self, position: int) -> Iterator[Item]:
        behind = self._text[position:].rstrip(" \t\r\n}]")
        rest = behind.lstrip(", \t\r\n}]")
        if rest and not rest.startswith('"'):
            line = self._line_at(position + len(behind) - len(rest))
            yield Item(rest, line, error="text behind the list", outside=True)

    def _value(self, position: int) -> tuple[Any, int, str]:
        try:
            value, end = self._decode(self._text, position)
        except json.JSONDecodeError as error:
            return None, position, f"{fault_of(error)} in line {self._line_of(error.pos)}"
        except (RecursionError, ValueError):
            return None, position, "nested too deeply, or a number too long"
        return value, end, ""

    def _sound_item(self, position: int) -> bool:
        try:
            return _is_item(self._decode(self._text, position)[0])
        except (RecursionError, ValueError):
            return False

    def _resume(self, position: int) -> int:
        """Where the next sound element begins behind a broken one; else the end of the list."""
        for beginning in islice(_beginnings(self._text, position + 1), _MAX_TRIES):
            if self._sound_item(beginning):
                return beginning
        closing = _CLOSING.search(self._text, position)
        return closing.start() + 1 if closing else len(self._text)

    def _at_end(self, error: str) -> bool:
        return not self._text.rstrip().endswith(("}", "]")) or "delimiter" in error

    def _line_of(self, position: int) -> int:
        return len(_LINE_END.findall(self._text, 0, position)) + 1

    def _line_at(self, position: int) -> int:
        """Like ``_line_of`` for positions that only grow: each character is counted once."""
        start = self._counted
        if start and self._text[start - 1] == "\r" and self._text[start : start + 1] == "\n":
            start += 1
        self._line += len(_LINE_END.findall(self._text, start, position))
        self._counted = max(start, position)
        return self._line


def _beginnings(text: str, position: int) -> Iterator[int]:
    """Where objects may begin: behind what parts elements, or on a line of their own."""
    for found in _OPEN.finditer(text, position):
        before = text[found.start() - 1 : found.start()]
        if before in (",", "[", "}") or "\n" in found[1] or "\r" in found[1]:
            yield found.end() - 1


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _is_item(value: Any) -> bool:
    return isinstance(value, dict) and not _TELLING.isdisjoint(value)


def json_items(text: str) -> Iterator[Item]:
    """Every element of the list in a JSON text, or in an object of it; or the object itself.

    Never raises: what can't be read comes as an item with an ``error``.
    """
    yield from _Scanner(text).items()
