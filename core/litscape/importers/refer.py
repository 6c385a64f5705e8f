"""EndNote's tagged format, refer: ``%0`` and other lines, with text under them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.importers.endnote_fields import draft_of
from litscape.importers.outcome import Piece, outside, shown, told
from litscape.importers.tagged import Loose, Record, cut
from litscape.importers.values import Values
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import SourceText

_NAMES = {
    "0": "ref-type",
    "A": "author",
    "B": "secondary-title",
    "C": "pub-location",
    "D": "year",
    "E": "editor",
    "F": "label",
    "G": "language",
    "H": "translator",
    "I": "publisher",
    "J": "full-title",
    "K": "keyword",
    "L": "call-num",
    "M": "accession-num",
    "N": "number",
    "O": "alternate",
    "P": "pages",
    "Q": "translated-title",
    "R": "electronic-resource-num",
    "S": "tertiary-title",
    "T": "title",
    "U": "url",
    "V": "volume",
    "W": "remote-database-provider",
    "X": "abstract",
    "Y": "tertiary-author",
    "Z": "notes",
    "1": "custom1",
    "2": "custom2",
    "3": "custom3",
    "4": "custom4",
    "#": "custom5",
    "$": "custom6",
    "]": "custom7",
    "6": "num-vols",
    "7": "edition",
    "8": "date",
    "9": "work-type",
    "?": "subsidiary-author",
    "@": "isbn",
    "!": "short-title",
    "&": "section",
    "(": "original-publication",
    ")": "reprint-edition",
    "*": "reviewed-item",
    "+": "auth-address",
    "^": "caption",
    ">": "file",
    "<": "research-notes",
    "[": "access-date",
    "=": "modified-date",
    "~": "remote-database-name",
    "|": "access-date",
    "-": "custom8",
}
_LINE = re.compile(r"%(\S)(?:[ \t]+(.*)|\s*)$", re.S)
_SIGNS = "".join(map(re.escape, _NAMES))
_FIRST = re.compile(rf"%[{_SIGNS}][ \t]\S")
_TYPED = re.compile(r"^%0[ \t]+[A-Za-z]", re.M)
_TAGGED = re.compile(rf"^%[{_SIGNS}][ \t]+\S", re.M)
_PARAGRAPHS = frozenset({"abstract", "notes", "research-notes"})
_BY_LINE = frozenset({"keyword", "author", "editor", "file", "url"})


class _Layout:
    starts = "0"
    ends = None
    single = frozenset("0TDJ")
    flowing = frozenset("XZTKO<")
    of_file: frozenset[str] = frozenset()

    def split(self, line: str, record: Record | None) -> tuple[str, str] | None:
        found = _LINE.match(line)
        if found and found[1] in _NAMES:
            return found[1], found[2] or ""
        return None


def _pairs(record: Record) -> Iterator[tuple[str, str]]:
    for tag, lines in record.fields:
        name = _NAMES[tag]
        if name in _BY_LINE:
            for line in lines:
                yield name, normalise.fold(line)
        elif name in _PARAGRAPHS:
            yield name, "\n".join(lines).strip()
        else:
            yield name, normalise.fold(" ".join(lines))


class ReferImporter:
    """EndNote's export format; also refer and BibIX files without types."""

    kind = "endnote-refer"
    title = "EndNote (refer)"
    suffixes = (".enw", ".ref", ".refer")

    def recognises(self, head: str) -> float:
        """Sure where ``%0`` with a type stands; likely where tagged lines begin the file."""
        start = head.lstrip("\ufeff \t\r\n")
        head = head.replace("\r", "\n")
        if _TYPED.search(head):
            return 0.93
        if not _FIRST.match(start):
            return 0.0
        return 0.7 if len(_TAGGED.findall(head)) > 1 else 0.4

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each record as a draft, then what is amiss; text outside records as notes."""
        folder, index = os.path.dirname(source.location), 0
        for found in cut(source.text, _Layout(), progress):
            if isinstance(found, Loose):
                yield outside(source.location, found.text, found.line)
            elif len({tag for tag, _ in found.fields} - {"T", "0"}) == len(found.fields) == 1:
                yield from _stray(found, source.location)
            else:
                piece = Piece(source.location, found.raw, found.line, index)
                yield from told(piece, draft_of(Values(_pairs(found)), piece, folder))
                index += 1


def _stray(record: Record, location: str) -> Iterator[ImportProblem]:
    """A tag alone is no record: nothing tells what work it is of."""
    yield ImportProblem(
        code="text-outside-record",
        severity="note",
        message=f"A tag that belongs to no record was left out: {shown(record.raw)}",
        line=record.line,
        raw=record.raw,
        source=location,
    )
