"""Records of tagged lines with text under them: EndNote refer, PubMed and Web of Science."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SOME_LINES = 2000


@dataclass(slots=True)
class Record:
    """One record: its lines as in the file, and its fields in order.

    Attributes:
        line: 1-based line where it begins.
        fields: each tag with its value and the lines under it.
        ended: whether a line said that it ends.
        last: whether the file ends with it.
    """

    line: int
    lines: list[str] = field(default_factory=list)
    fields: list[tuple[str, list[str]]] = field(default_factory=list)
    ended: bool = False
    last: bool = False
    blank: tuple[int, int] | None = None
    """How many lines and fields there were when a blank line came."""

    @property
    def raw(self) -> str:
        """The record as in the file."""
        return "\n".join(self.lines).rstrip()

    def has(self, tag: str, fields: int | None = None) -> bool:
        """Whether it has a tag, among its first fields."""
        return any(name == tag for name, _ in self.fields[:fields])

    def cut(self) -> Record:
        """Take off what came since the last blank line, as a record of its own."""
        lines, fields = self.blank or (len(self.lines), len(self.fields))
        rest = Record(self.line + lines, self.lines[lines:], self.fields[fields:])
        del self.lines[lines:], self.fields[fields:]
        self.blank = None
        while rest.lines and not rest.lines[0].strip():
            del rest.lines[0]
            rest.line += 1
        return rest


@dataclass(frozen=True, slots=True)
class Loose:
    """Text between records."""

    line: int
    text: str


class Layout(Protocol):
    """How the lines of one format are to be read."""

    @property
    def starts(self) -> str:
        """The tag that a record begins with, or has near its beginning."""
        ...

    @property
    def ends(self) -> str | None:
        """The tag that ends a record."""
        ...

    @property
    def single(self) -> frozenset[str]:
        """Tags that a record has once; after a blank line a second one is another record's."""
        ...

    @property
    def flowing(self) -> frozenset[str]:
        """Tags whose text may go on after a blank line."""
        ...

    @property
    def of_file(self) -> frozenset[str]:
        """Tags that belong to the file and no record."""
        ...

    def split(self, line: str, record: Record | None) -> tuple[str, str] | None:
        """The tag and value of a line; None where it is text."""
        ...


class _Cutter:
    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._record: Record | None = None
        self._loose: list[str] = []
        self._loose_line = 0

    def take(self, number: int, line: str) -> Iterator[Record | Loose]:
        found = self._layout.split(line, self._record)
        if found is None:
            yield from self._text(number, line)
            return
        tag, value = found
        if tag in self._layout.of_file:
            yield from self.close()
            return
        yield from self._before(tag)
        if self._record is None:
            yield from self._flush()
            self._record = Record(number)
        self._record.lines.append(line)
        if tag == self._layout.ends:
            self._record.ended = True
            yield from self.close()
        else:
            self._record.fields.append((tag, [value]))

    def _before(self, tag: str) -> Iterator[Record | Loose]:
        """End the open record where a tag belongs to the next."""
        record = self._record
        if record is None:
            return
        if tag == self._layout.starts:
            parted = record.blank is not None and record.blank[1] == len(record.fields)
            if parted or record.has(tag):
                yield from self.close()
        elif tag in self._layout.single and record.blank and record.has(tag, record.blank[1]):
            self._record = record.cut() if record.blank[1] < len(record.fields) else None
            yield record

    def _text(self, number: int, line: str) -> Iterator[Record | Loose]:
        record = self._record
        if record is not None and not line.strip():
            record.blank = (len(record.lines), len(record.fields))
            record.lines.append(line)
        elif record is not None and record.fields:
            last = record.fields[-1][0]
            parted = not record.lines[-1].strip()
            if parted and not line[:1].isspace() and last not in self._layout.flowing:
                yield from self.close()
                self._loose, self._loose_line = [line], number
                return
            record.lines.append(line)
            record.fields[-1][1].extend(["", line] if parted else [line])
        elif line.strip() or self._loose:
            self._loose_line = self._loose_line or number
            self._loose.append(line)

    def close(self, *, last: bool = False) -> Iterator[Record | Loose]:
        record, self._record = self._record, None
        if record is not None:
            record.last = last
            yield record
        yield from self._flush()

    def _flush(self) -> Iterator[Loose]:
        if self._loose:
            yield Loose(self._loose_line, "\n".join(self._loose).rstrip())
        self._loose, self._loose_line = [], 0


def cut(
    text: str, layout: Layout, progress: Callable[[int, int], None] | None = None
) -> Iterator[Record | Loose]:
    """Cut a text into records and what lies between them; no line but blank ones is lost.

    Args:
        text: the whole file; CR, LF and CRLF end lines alike.
        layout: how its lines are to be read.
        progress: told the characters read; may raise to cancel.
    """
    cutter = _Cutter(layout)
    done, total = 0, len(text)
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        done += len(line)
        if progress and number % _SOME_LINES == 0:
            progress(min(done, total), total)
        yield from cutter.take(number, line.rstrip("\n").lstrip("\ufeff"))
    yield from cutter.close(last=True)
