"""Records of an XML file, each read by itself: a broken one costs none of its neighbours.

Only the text of a record ever meets the parser, so that what a file declares (entities, external
or nested ones) is never seen by it, let alone expanded or fetched. Text in text with markup keeps
its order, and prefixes of names need no declaration.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ExpatError, ParserCreate

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 200
_CLOSINGS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
_OPENING = re.compile(r"<!--|<!\[CDATA\[|<\?")
_DOCTYPE = re.compile(r"<!DOCTYPE\b", re.I)
_SUBSET = re.compile(r"[\[>]")
_SUBSET_END = re.compile(r"\]\s*>")
_NOT_LINE_END = re.compile(r"[^\r\n]")
_ENTITY = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos);)(?:#x?[0-9A-Fa-f]{1,8};|[A-Za-z][\w.-]{0,60};)?"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_BARE = re.compile(r"<(?![/A-Za-z_!?])")
_TAG = re.compile(r"</?[A-Za-z_][^<>]*>")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Fragment:
    """One record.

    Attributes:
        raw: its text in the file.
        line: 1-based line where it begins.
        element: what was read of it; None where it is broken.
        error: what is wrong with it; empty where nothing is.
        cut: whether the file ends inside it.
        repaired: whether something in it had to be mended first.
    """

    raw: str
    line: int
    element: Element | None = None
    error: str = ""
    cut: bool = False
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Rest:
    """Text of a file that is in none of its records."""

    text: str
    line: int


class _TooDeepError(Exception):
    """Elements in elements without end."""


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with some spans blanked out; every other character keeps its place."""
    parts, position = [], 0
    for start, stop in spans:
        parts += [text[position:start], _NOT_LINE_END.sub(" ", text[start:stop])]
        position = stop
    return "".join([*parts, text[position:]])


def _hidden(text: str) -> list[tuple[int, int]]:
    """Where comments, literal text and instructions stand; those that never end do not count."""
    spans, endless = [], set()
    found = _OPENING.search(text)
    while found:
        position = found.end()
        if found[0] not in endless:
            stop = text.find(_CLOSINGS[found[0]], position)
            if stop < 0:
                endless.add(found[0])
            else:
                position = stop + len(_CLOSINGS[found[0]])
                spans.append((found.start(), position))
        found = _OPENING.search(text, position)
    return spans


def _doctype(text: str) -> tuple[int, int] | None:
    """Where the document type with its declarations stands."""
    found = _DOCTYPE.search(text)
    subset = _SUBSET.search(text, found.end()) if found else None
    if not found or not subset:
        return None
    if subset[0] == ">":
        return found.start(), subset.end()
    end = _SUBSET_END.search(text, subset.end())
    return found.start(), end.end() if end else subset.end()


def _parse(text: str) -> Element:
    builder, depth = TreeBuilder(), 0
    parser = ParserCreate("utf-8")
    parser.buffer_text = True

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise _TooDeepError
        builder.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.Parse(text.encode("utf-8", "replace"), True)
    return builder.close()


def _known(found: re.Match[str]) -> str:
    """An entity as a character; one that nobody knows stays as the text that it is."""
    whole = found[0]
    if whole == "&":
        return "&amp;"
    char = html.unescape(whole)
    if char == whole:
        return f"&amp;{whole[1:]}" if whole[1:2] != "#" else " "
    if char == "\ufffd" or _CONTROL.search(char):
        return " "
    return html.escape(char, quote=False)


def _mended(text: str) -> str:
    """The text with what is most often wrong in XML put right."""
    return _ENTITY.sub(_known, _CONTROL.sub(" ", _BARE.sub("&lt;", text)))


def _read(raw: str, line: int, *, cut: bool) -> Fragment:
    try:
        return Fragment(raw, line, _parse(raw))
    except _TooDeepError:
        return Fragment(raw, line, error=f"over {MAX_DEPTH} elements in one another")
    except ExpatError as fault:
        first = fault
    try:
        return Fragment(raw, line, _parse(_mended(raw)), repaired=True)
    except (ExpatError, _TooDeepError):
        where = line + first.lineno - 1
        reason = str(first).partition(":")[0]
        # A record in which its neighbours' end stands was not cut off but never closed.
        cut = cut and "mismatched" not in reason
        return Fragment(raw, line, error=f"{reason} in line {where}", cut=cut)


class _Lines:
    """Line numbers of places in a text."""

    def __init__(self, text: str) -> None:
        self._ends = [found.end() for found in _LINE_END.finditer(text)]

    def at(self, position: int) -> int:
        return bisect_right(self._ends, position) + 1


def declares_entities(text: str) -> bool:
    """Whether a file declares entities of its own; they are never expanded."""
    span = _doctype(text)
    return span is not None and "<!ENTITY" in text[span[0] : span[1]].upper()


def fragments(text: str, names: tuple[str, ...]) -> Iterator[Fragment | Rest]:
    """Every record of a file, sound or broken, and text that is in none.

    A record that is never closed ends where the next begins, or with the file.

    Args:
        text: the whole file.
        names: the names of the elements that are records; none of them is inside another.
    """
    seen = _blank(text, _hidden(text))
    declared = _doctype(seen)
    seen = _blank(seen, [declared]) if declared else seen
    begin = re.compile(rf"<({'|'.join(map(re.escape, names))})(?=[\s/>])[^<>]*?(/?)>", re.I)
    lines = _Lines(text)
    starts = list(begin.finditer(seen))
    position = 0
    for number, start in enumerate(starts):
        yield from _rest(text, seen, position, start.start(), lines)
        bound = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        position, closed = start.end(), bool(start[2])
        if not closed:
            close = re.compile(rf"</{re.escape(start[1])}\s*>", re.I).search(seen, position, bound)
            closed, position = close is not None, close.end() if close else bound
        raw = text[start.start() : position]
        at_end = not closed and position >= len(text)
        yield _read(raw if closed else raw.rstrip(), lines.at(start.start()), cut=at_end)
    yield from _rest(text, seen, position, len(text), lines)


def _rest(text: str, seen: str, start: int, stop: int, lines: _Lines) -> Iterator[Rest]:
    between = seen[start:stop]
    if _TAG.sub("", between).strip("\ufeff \t\r\n\x00"):
        first = start + len(between) - len(between.lstrip())
        yield Rest(text[first : start + len(between.rstrip())], lines.at(first))
