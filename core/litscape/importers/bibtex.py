"""The reader of BibTeX and biblatex files."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from litscape.importers.bibtex_blocks import Blocks, Text
from litscape.importers.bibtex_entries import Fault, RawEntry, parse_entry, read_entry
from litscape.importers.bibtex_fields import to_draft
from litscape.importers.bibtex_groups import read_groups
from litscape.importers.bibtex_inherit import inherit
from litscape.importers.bibtex_values import Macros, Value
from litscape.paper import ImportProblem, PaperDraft, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from litscape.importers.base import SourceText

_ENTRY = re.compile(r"^[ \t]*@[ \t]*[^\W\d]\w*\s*[{(]\s*[^\s{}\"]*\s*,\s*[\w-]+\s*=", re.M)
_KEYLESS = re.compile(r"^[ \t]*@[ \t]*[^\W\d]\w*\s*[{(]\s*[\w-]+\s*=\s*[{\"\d]", re.M)
_OTHER_BLOCK = re.compile(r"^[ \t]*@[ \t]*(?:string|comment|preamble)\b", re.M | re.I)
_SOME_BLOCK = re.compile(r"@[ \t]*[^\W\d]\w*\s*[{(]")
_REFER = re.compile(r"%[0-9A-Z!@\[\]^+~<>?(){}#$&*,-] ")
_INDEXED = re.compile(r"@[ \t]*[^\W\d]\w*\s*[{(]\s*([^,\n{}]+?)\s*,")
_MACRO = re.compile(r"@[ \t]*string\s*[{(]", re.I)
_NOT_RECORDS = frozenset(("xdata", "set", "control"))
_JOINED = {
    "author": " and ",
    "editor": " and ",
    "file": ";",
}

_TEXTS: dict[str, tuple[str, Severity, str]] = {
    "commented-out": ("commented-out", "note", "An entry is commented out and was not taken in."),
    "cut": ("unclosed-entry", "skipped", "The file ends where an entry begins."),
    "loose": ("text-outside-entry", "note", "Text outside entries is no paper."),
    "lost": (
        "text-outside-entry",
        "skipped",
        "Fields stand outside any entry and did not come in.",
    ),
}


class BibtexImporter:
    """Reads BibTeX and biblatex, as written by hand and by JabRef, Zotero, Mendeley and others."""

    kind = "bibtex"
    title = "BibTeX / biblatex"
    suffixes: tuple[str, ...] = (".bib", ".bibtex", ".biblatex", ".bibfile")

    def recognises(self, head: str) -> float:
        """Sure where an entry begins a line; likely where there is a definition or a comment."""
        start = head.lstrip("\ufeff \t\r\n")
        if start[:1] in ("{", "[", "<"):
            return 0.0
        head = head.replace("\r", "\n")
        if _ENTRY.search(head) or _KEYLESS.search(head):
            return 0.95
        if _OTHER_BLOCK.search(head):
            return 0.8
        if _SOME_BLOCK.search(head):
            return 0.5
        return 0.3 if start[:1] in ("%", "@") and not _REFER.match(start) else 0.0

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield a draft for every entry that can be read, a problem for whatever is amiss.

        Every draft has its line and raw text. Entries whose key stands twice are both given.
        """
        yield from _Reading(source).run(progress)


class _Reading:
    """One reading of one file."""

    def __init__(self, source: SourceText) -> None:
        text = source.text.removeprefix("\ufeff")
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._text = text.replace("\x00", " ") if "\x00" in text else text
        self._location = source.location
        self._folder = os.path.dirname(source.location)
        self._macros = Macros()
        self._groups = read_groups(self._text)
        self._places: dict[str, int] | None = None
        self._parents: dict[str, tuple[str, Mapping[str, str]] | None] = {}

    def run(
        self, progress: Callable[[int, int], None] | None
    ) -> Iterator[PaperDraft | ImportProblem]:
        index = 0
        for block in Blocks(self._text, progress):
            if isinstance(block, Text):
                code, severity, message = _TEXTS[block.kind]
                yield ImportProblem(
                    code, severity, message, block.line, raw=block.raw, source=self._location
                )
            elif block.type == "string":
                yield from self._define(block)
            elif block.type not in _NOT_RECORDS:
                yield from self._record(block, index)
                index += 1
            else:
                yield from self._told(block)

    def _problem(self, entry: RawEntry, fault: Fault, *, record: bool = False) -> ImportProblem:
        return ImportProblem(
            fault.code,
            fault.severity,
            fault.message,
            entry.line,
            entry.key,
            raw=entry.raw,
            source=self._location,
            is_record=record,
        )

    def _told(self, entry: RawEntry) -> Iterator[ImportProblem]:
        for fault in entry.faults:
            yield self._problem(entry, fault)

    def _define(self, entry: RawEntry) -> Iterator[ImportProblem]:
        for name, value in entry.fields:
            unknown: list[str] = []
            self._macros.defined[name] = self._expanded(value, unknown)
            entry.faults += self._unknown(unknown)
        if not entry.fields:
            entry.faults = [
                Fault("broken-entry", "The @string definition can't be read.", "skipped")
            ]
        yield from self._told(entry)

    def _record(self, entry: RawEntry, index: int) -> Iterator[PaperDraft | ImportProblem]:
        if entry.cut:
            cut = Fault(
                "unclosed-entry", "The file ends inside this entry; it was left out.", "skipped"
            )
            yield self._problem(entry, cut, record=True)
            return
        if not entry.fields and entry.key is None:
            empty = Fault("broken-entry", "The entry holds nothing.", "skipped")
            yield self._problem(entry, empty, record=True)
            return
        fields = self._texts(entry, entry.faults)
        if "crossref" in fields or "xdata" in fields:
            for key in inherit(entry.type, fields, self._parent):
                message = f"The parent “{key}” is not in the file; nothing was inherited from it."
                entry.faults.append(Fault("crossref-missing", message))
        draft, names = to_draft(
            entry.type,
            entry.key,
            fields,
            self._groups,
            self._folder,
            raw=entry.raw,
            line=entry.line,
            index=index,
        )
        if entry.key is None:
            entry.faults.append(Fault("missing-key", "The entry has no key; one was made."))
        if names.malformed:
            entry.faults.append(
                Fault("malformed-name-list", "The author list had to be guessed at.")
            )
        if draft.title is None:
            entry.faults.append(Fault("missing-title", "The entry has no title."))
        yield from self._told(entry)
        yield draft

    def _texts(self, entry: RawEntry, faults: list[Fault]) -> dict[str, str]:
        """Values by name with macros expanded; of a repeated field the first, or all joined."""
        fields: dict[str, str] = {}
        unknown: list[str] = []
        repeated: list[str] = []
        for name, value in entry.fields:
            text = value if isinstance(value, str) else self._expanded(value, unknown)
            if name not in fields:
                fields[name] = text
                continue
            repeated.append(name)
            self._repeat(fields, name, text)
        faults += self._unknown(unknown)
        faults += [
            Fault("duplicate-field", f"The field “{name}” stands more than once.")
            for name in dict.fromkeys(repeated)
        ]
        return fields

    def _expanded(self, value: Value, unknown: list[str]) -> str:
        text, missing = self._macros.text(value)
        if missing and self._macros.later is None:
            self._macros.later = self._all_macros()
            text, missing = self._macros.text(value)
        unknown += missing
        return text

    @staticmethod
    def _repeat(fields: dict[str, str], name: str, text: str) -> None:
        have = fields[name]
        if not have.strip():
            fields[name] = text
        elif not text.strip() or text.strip() == have.strip():
            return
        elif name in ("keywords", "keyword"):
            fields[name] = f"{have}{';' if ';' in have + text else ','} {text}"
        elif name in _JOINED:
            fields[name] = have + _JOINED[name] + text
        else:
            number = 2
            while f"{name}_{number}" in fields:
                number += 1
            fields[f"{name}_{number}"] = text

    @staticmethod
    def _unknown(names: list[str]) -> list[Fault]:
        return [
            Fault(
                "undefined-macro", f"The abbreviation “{name}” is not defined; it stands as text."
            )
            for name in dict.fromkeys(names)
        ]

    def _all_macros(self) -> dict[str, Value]:
        """Definitions of the whole file, for entries that stand before theirs."""
        found: dict[str, Value] = {}
        for opened in _MACRO.finditer(self._text):
            entry = parse_entry(self._text, opened.start(), len(self._text))
            for name, value in entry.fields if entry else ():
                found.setdefault(name.lower(), value)
        return found

    def _parent(self, key: str) -> tuple[str, Mapping[str, str]] | None:
        """Type and fields of an entry anywhere in the file; keys may differ in letter case."""
        if key in self._parents:
            return self._parents[key]
        if self._places is None:
            self._places = {}
            for found in _INDEXED.finditer(self._text):
                self._places.setdefault(found[1], found.start())
                self._places.setdefault(found[1].lower(), found.start())
        place = self._places.get(key, self._places.get(key.lower()))
        entry = read_entry(self._text, place) if place is not None else None
        result = (entry.type, self._texts(entry, [])) if entry else None
        self._parents[key] = result
        return result
