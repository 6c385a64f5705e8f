"""A .bib text cut into entries, definitions, comments and loose text, every sign accounted for.

bibtexparser splits the text piece by piece. What it is sure of is taken; every gap between its
blocks, and every block with something odd in it, is read again by :mod:`bibtex_entries`.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bibtexparser.model import (
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    ImplicitComment,
    ParsingFailedBlock,
    Preamble,
)
from bibtexparser.splitter import Splitter

from litscape.importers.bibtex_entries import (
    ENTRY_LIKE,
    OPENING,
    Fault,
    RawEntry,
    next_entry,
    parse_entry,
    read_entry,
    recover,
)
from litscape.importers.bibtex_values import Value, parse_value, token_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Its warnings name the same blocks that the import report names better.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)

CHUNK = 1 << 18
_CUT = re.compile(r"(?:[})][ \t]*,?[ \t]*\n|\n[ \t]*\n)[ \t]*(?=@)")
_FIELD_NAME = re.compile(r"[^\W\d_][\w:.+/*'-]*(?:[ \t][\w-]+)*")
_GOOD_KEY = re.compile(r"[^\n{}\"=%]+")
_LEFTOVER = re.compile(r"\s*(?:[,;]\s*)?(?:[})]|[^\W\d_][\w:.+-]*\s*=\s*[{\"\d])")
_COMMENT_LINE = re.compile(r"[ \t]*(?:%|@[ \t]*comment\b|//)", re.I)
_COMMENTED_ENTRY = re.compile(r"@[ \t]*(?!comment|string|preamble)[^\W\d]\w*[ \t]*[{(]", re.I)
_FIELD_LINE = re.compile(r"[ \t,]*[^\W\d_][\w:.+-]*[ \t]*=[ \t]*[{\"\d]")
_KEY_ONLY = re.compile(r"@\w+[ \t]*\{[ \t]*[^\s{},]*[ \t]*,?\s*\}")
_BEGUN = re.compile(r"^[ \t]*@[ \t]*\w*\s*\Z", re.M)
_REACH = 16_000_000
"""How far the end of a comment is looked for; group trees are long, but not that long."""
_IN_PROSE = 20_000
_NO_PAPERS = frozenset(("comment", "preamble", "string"))

Kind = Literal["commented-out", "cut", "loose", "lost"]


@dataclass(frozen=True, slots=True)
class Text:
    """Text outside entries that is no plain comment: an entry commented out, prose, lost fields."""

    kind: Kind
    raw: str
    start: int
    line: int


Block = RawEntry | Text


class Blocks:
    """Iterates over the blocks of one text, whose line ends are single line feeds."""

    def __init__(self, text: str, progress: Callable[[int, int], None] | None = None) -> None:
        self._text = text
        self._progress = progress
        self._cursor = 0
        self._pending: RawEntry | None = None
        self._counted, self._line = 0, 1
        self._patience = _REACH
        """How many signs may still be looked through for the ends of comments that have none."""

    def __iter__(self) -> Iterator[Block]:
        position, total = 0, len(self._text)
        while position < total:
            if self._progress:
                self._progress(position, total)
            end = self._chunk_end(position)
            yield from self._chunk(position, end)
            position = self._cursor = max(end, self._cursor)
        yield from self._flush()
        if self._progress:
            self._progress(total, total)

    def line_of(self, place: int) -> int:
        """The 1-based line of a place; cheap while places go up."""
        if place < self._counted:
            self._counted, self._line = 0, 1
        self._line += self._text.count("\n", self._counted, place)
        self._counted = place
        return self._line

    def _chunk_end(self, start: int) -> int:
        """A place behind a closed entry, so that no block is cut in two."""
        if start + CHUNK >= len(self._text):
            return len(self._text)
        found = _CUT.search(self._text, start + CHUNK)
        return found.end() if found else len(self._text)

    def _chunk(self, start: int, end: int) -> Iterator[Block]:
        for at, stop, block in _sure_blocks(self._text[start:end], start):
            if at < self._cursor:
                continue
            gap = self._text[self._cursor : at]
            if gap and not gap.isspace():
                if gap[gap.rfind("\n") + 1 :].strip(" \t,;})"):
                    continue  # Text stands before it on its line: read with the gap.
                yield from self._gap(at)
                if at < self._cursor:
                    continue
            yield from self._sure(block, at, stop)
        tail = self._text[self._cursor : end]
        if tail and not tail.isspace():
            yield from self._gap(end)

    def _sure(self, block: object, at: int, stop: int) -> Iterator[Block]:
        self._cursor = stop
        if isinstance(block, Entry):
            entry = _converted(block, at, stop) or read_entry(self._text, at)
            if entry is not None:
                yield from self._entry(entry)
        elif isinstance(block, Preamble):
            return
        else:
            yield from self._named(at)

    def _flush(self) -> Iterator[Block]:
        if self._pending is not None:
            yield self._pending
            self._pending = None

    def _entry(self, entry: RawEntry) -> Iterator[Block]:
        """Hold the entry back until it is known that nothing behind it belongs to it."""
        yield from self._flush()
        entry.line = self.line_of(entry.start)
        self._cursor = entry.end
        if not entry.fields and not _KEY_ONLY.fullmatch(entry.raw):
            if any(fault.code == "unclosed-entry" for fault in entry.faults):
                entry.cut = True
            else:
                yield self._as_text("loose", entry.start, entry.end)
                return
        self._pending = entry

    def _as_text(self, kind: Kind, start: int, end: int) -> Text:
        return Text(kind, self._text[start:end].rstrip(), start, self.line_of(start))

    def _gap(self, end: int) -> Iterator[Block]:
        """Read everything up to ``end`` that bibtexparser was not sure of; may read past it."""
        search = self._cursor
        while self._cursor < end:
            found = OPENING.search(self._text, max(search, self._cursor), end)
            if found is None:
                yield from self._loose(end)
                self._cursor = max(self._cursor, end)
                return
            at = found.start()
            begin = max(self._cursor, self._text.rfind("\n", self._cursor, at) + 1)
            prefix = self._text[begin:at].strip(" \t,;})")
            if _COMMENT_LINE.match(prefix):
                yield from self._loose(begin)
                if self._cursor <= begin:
                    yield from self._commented(begin, at)
                continue
            if prefix and not self._certain(at):
                search = found.end()
                continue
            yield from self._loose(at)
            if self._cursor <= at:
                self._cursor = at
                yield from self._named(at)

    def _certain(self, at: int) -> bool:
        """Whether an "@word{" inside a line of other text is an entry and no figure of speech."""
        if not ENTRY_LIKE.match(self._text, at):
            return False
        entry = parse_entry(self._text, at, min(len(self._text), at + _IN_PROSE))
        if entry is None or entry.faults or not entry.fields:
            return False
        return entry.type not in _NO_PAPERS

    def _named(self, at: int) -> Iterator[Block]:
        """Read the block that begins at ``at``, whatever its name."""
        opened = OPENING.match(self._text, at)
        name = opened[1].lower() if opened else ""
        if opened is None:
            self._cursor = at + 1
        elif name in ("comment", "preamble"):
            yield from self._comment(at, opened.end() - 1, name)
        elif name == "string":
            # The entry before must not see a definition that stands behind it.
            yield from self._flush()
            limit = next_entry(self._text, opened.end())
            entry = parse_entry(self._text, at, limit) or recover(self._text, at, limit)
            if entry is not None:
                entry.line = self.line_of(at)
                self._cursor = entry.end
                yield entry
        else:
            entry = read_entry(self._text, at)
            if entry is not None:
                yield from self._entry(entry)

    def _comment(self, at: int, bracket: int, name: str) -> Iterator[Block]:
        """Pass over a comment or preamble; entries in a comment are told of."""
        text = self._text
        if text[bracket] == "{":
            end = self._comment_end(bracket)
        else:
            end = text.find(")", bracket, bracket + _REACH) + 1
        if not end:
            line_end = text.find("\n", bracket)
            end = len(text) if line_end < 0 else line_end
            if name == "preamble":
                end = next_entry(text, bracket)
                yield self._as_text("lost", at, end)
        else:
            line_end = text.find("\n", end)
            rest = line_end if line_end >= 0 else len(text)
            if name == "comment" and not OPENING.search(text, end, rest):
                end = rest
        self._cursor = end
        if name == "comment" and _COMMENTED_ENTRY.search(text, bracket, end):
            yield self._as_text("commented-out", at, end)

    def _comment_end(self, bracket: int) -> int | None:
        """Where a comment closes: before the next entry, or behind entries that it holds."""
        near = next_entry(self._text, bracket)
        end = token_end(self._text, bracket, near)
        if end is None and self._patience > 0:
            stop = min(len(self._text), bracket + _REACH)
            end = token_end(self._text, bracket, stop)
            self._patience -= stop - bracket if end is None else 0
        return end

    def _commented(self, begin: int, at: int) -> Iterator[Block]:
        """An entry behind ``%``: the lines that begin so, or the entry that only its first does."""
        text = self._text
        end = _line_end(text, begin)
        while end < len(text) and text[end + 1 : _line_end(text, end + 1)].lstrip().startswith("%"):
            end = _line_end(text, end + 1)
        whole = parse_entry(text, at, next_entry(text, at + 1))
        if whole is not None:
            end = max(end, whole.end)
        yield self._as_text("commented-out", at, end)
        self._cursor = end

    def _loose(self, end: int) -> Iterator[Block]:
        """Text between blocks: the rest of the entry before it, a comment, or prose."""
        start = self._cursor
        text = self._text[start:end]
        self._cursor = end
        if not text.strip(" \t\n,;."):
            return
        behind = self._pending is not None and self._pending.end == start
        if behind and _LEFTOVER.match(text) and self._rejoin(start, end):
            return
        place, run = start, start
        for line in text.splitlines(keepends=True):
            plain = line.strip(" \t\n,;.})")
            if not plain or _COMMENT_LINE.match(line):
                yield from self._prose(run, place)
                run = place + len(line)
            place += len(line)
        yield from self._prose(run, end)

    def _prose(self, start: int, end: int) -> Iterator[Block]:
        text = self._text[start:end]
        if text.strip():
            start += len(text) - len(text.lstrip())
            kind: Kind = "loose"
            if any(map(_FIELD_LINE.match, text.splitlines())):
                kind = "lost"
            elif end >= len(self._text) and _BEGUN.search(text):
                kind = "cut"
            yield self._as_text(kind, start, end)

    def _rejoin(self, start: int, end: int) -> bool:
        """Give text behind an entry back to it: a bracket too many had closed it too early."""
        entry = self._pending
        if entry is None:
            return False
        rest = self._text[start:end]
        brackets = rest.strip(" \t\n,;.")
        if not brackets.strip("}) \t\n"):
            entry.faults.append(
                Fault("unbalanced-braces", "There is a closing bracket too many behind the entry.")
            )
            entry.raw = self._text[entry.start : start + len(rest.rstrip())]
            return True
        limit = next_entry(self._text, entry.start + 1)
        again = recover(self._text, entry.start, max(limit, end))
        if again is None or len(again.fields) <= len(entry.fields):
            return False
        again.line, again.cut = entry.line, False
        again.faults = [
            Fault("unbalanced-braces", "A bracket too many closed the entry early; it was read on.")
        ]
        self._pending, self._cursor = again, max(end, again.end)
        return True


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _sure_blocks(chunk: str, base: int) -> Iterator[tuple[int, int, object]]:
    """The blocks that bibtexparser could read, with the places where they begin and end."""
    position = 0
    for block in Splitter(chunk).split().blocks:
        if isinstance(block, ImplicitComment):
            continue
        while isinstance(block, ParsingFailedBlock):
            inner = block.ignore_error_block
            if inner is None or not isinstance(
                block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock
            ):
                break
            block = inner
        if isinstance(block, ParsingFailedBlock):
            continue
        if isinstance(block, Entry) and not block.entry_type:
            continue
        raw = block.raw or "@"
        at = chunk.find("@", position)
        while at >= 0 and not chunk.startswith(raw, at):
            at = chunk.find("@", at + 1)
        if at < 0:
            continue
        position = at + len(raw)
        yield base + at, base + position, block


_LOWER: dict[str, str] = {}
"""Field names met so far, in lower case; a file has few different ones."""


def _lower(name: str) -> str | None:
    known = _LOWER.get(name)
    if known is None:
        if not _FIELD_NAME.fullmatch(name):
            return None
        if len(_LOWER) > 10_000:
            _LOWER.clear()
        known = _LOWER[name] = name.lower()
    return known


def _converted(block: Entry, at: int, stop: int) -> RawEntry | None:
    """The entry of bibtexparser as it stands; None where anything in it is odd."""
    key = block.key
    if not block.fields or (key and not _GOOD_KEY.fullmatch(key)):
        return None
    fields: list[tuple[str, Value]] = []
    for one in block.fields:
        name = _lower(one.key)
        value = parse_value(one.value)
        if name is None or value is None:
            return None
        fields.append((name, value))
    return RawEntry(block.entry_type.lower(), key or None, fields, at, stop, raw=block.raw or "")
