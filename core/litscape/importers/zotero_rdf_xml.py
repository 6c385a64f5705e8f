"""XML whose root holds records, read one by one and safely.

No entity is ever declared by a file, nothing outside it is ever read, and a broken record costs
only itself where the next one can be found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEEPEST = 100
_MOST_BREAKS = 1000
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_CUT = (expat.errors.codes["no element found"], expat.errors.codes["unclosed token"])
_LINE_END = re.compile(rb"\r\n|\r|\n")


@dataclass(slots=True)
class Element:
    """One element.

    Attributes:
        name: ``namespace local`` with one blank, or ``local`` where it has no namespace.
        attributes: values by names of the same form.
        text: the text directly in it.
        line: 1-based line in the file where it begins.
        raw: its text in the file; only of records.
    """

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A place that can't be read.

    Attributes:
        line: where the record begins that it is in, or where it is.
        message: what is wrong.
        raw: the text from there on, up to where reading went on.
        cut: whether the file just ends.
        in_record: whether a record was lost by it.
    """

    line: int
    message: str
    raw: str
    cut: bool
    in_record: bool


class _RefusedError(Exception):
    """Something in the file that is never done, however well formed."""


class _Reading:
    """One run over the text, up to its end or the first fault."""

    def __init__(self, data: bytes, first_line: int) -> None:
        self._data = data
        self._first_line = first_line
        self._parser = parser = expat.ParserCreate("utf-8", " ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._refuse
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self.root: Element | None = None
        self.found: list[Element] = []
        self.begun = -1
        self.error = ""
        self.code: int | None = None

    def run(self) -> bool:
        """Read; whether the end was reached."""
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            self.error, self.code = expat.errors.messages.get(error.code, str(error)), error.code
        except _RefusedError as error:
            self.error = str(error)
        return not self.error

    @property
    def at(self) -> int:
        """Bytes read."""
        return max(0, self._parser.CurrentByteIndex)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= _DEEPEST:
            raise _RefusedError("elements are nested too deeply")
        line = self._parser.CurrentLineNumber + self._first_line - 1
        element = Element(name, attributes, line)
        if len(self._open) == 1:
            self.begun = self._parser.CurrentByteIndex
        if self._open:
            if len(self._open) > 1:
                self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)
        self._texts.append([])

    def _end(self, _name: str) -> None:
        element = self._open.pop()
        element.text = "".join(self._texts.pop())
        if len(self._open) == 1:
            end = self._data.find(b">", self._parser.CurrentByteIndex) + 1
            element.raw = self._data[self.begun : end].decode("utf-8")
            self.found.append(element)
            self.begun = -1

    def _characters(self, text: str) -> None:
        if self._texts:
            self._texts[-1].append(text)

    def _refuse(self, name: str, *_rest: object) -> None:
        raise _RefusedError(f"it declares an entity of its own ({name}), which is never read")


def records(text: str, begin: str) -> Iterator[Element | Fault]:
    """The elements right below the root, in order, with faults where they are.

    Args:
        text: the whole file.
        begin: a pattern of the start tag of a record: reading goes on there after a fault.
    """
    start = re.match(r"[\ufeff\s]*", text)
    skipped = text[: start.end() if start else 0]
    data = _NO_XML.sub(" ", text[len(skipped) :]).encode("utf-8", "replace")
    line = 1 + len(_LINE_END.findall(skipped.encode("utf-8", "replace")))
    opening, resume = b"", re.compile(begin.encode())
    for _break in range(_MOST_BREAKS):
        # The lines of what is put in front are not counted: it is a single one.
        reading = _Reading(opening + data, line)
        whole = reading.run()
        yield from reading.found
        if whole:
            return
        begun = reading.begun - len(opening)
        at = reading.at - len(opening)
        inside = begun >= 0
        start_at = max(0, begun if inside else min(at, len(data)))
        following = resume.search(data, max(start_at + 1, at)) if not opening or inside else None
        if reading.root is None:
            following = None
        end = following.start() if following else len(data)
        start_at += len(data[start_at:end]) - len(data[start_at:end].lstrip())
        yield Fault(
            line + len(_LINE_END.findall(data[:start_at])),
            reading.error,
            data[start_at:end].decode("utf-8", "replace"),
            reading.code in _CUT,
            inside,
        )
        if following is None:
            return
        opening = opening or _opening_of(data)
        line += len(_LINE_END.findall(data[:end]))
        data = data[end:]


def _opening_of(data: bytes) -> bytes:
    """The root's start tag on one line, so that what follows can be read behind it."""
    found = re.search(rb"<[A-Za-z_][^<>]*>", re.sub(rb"<!--.*?-->", b"", data, flags=re.S))
    return re.sub(rb"\s+", b" ", found[0]) if found else b""
