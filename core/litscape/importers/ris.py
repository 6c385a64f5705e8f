"""RIS: a reader of tagged lines that takes loose layouts and says what lies outside records."""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from litscape.importers.record_types import RIS
from litscape.importers.ris_fields import draft_of
from litscape.paper import ImportProblem, PaperDraft, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import SourceText

_BLANK = "[ \t\u00a0]"
_STRICT = re.compile(
    rf"{_BLANK}*([A-Z][A-Z0-9]){_BLANK}{{2,3}}[-\u2013](?:{_BLANK}*$|{_BLANK}*(?=\S)(.*))", re.S
)
_LOOSE = re.compile(rf"([A-Z][A-Z0-9]){_BLANK}*-(?:{_BLANK}*$|{_BLANK}+(.*))", re.S)
_TIGHT = re.compile(r"([A-Z][A-Z0-9])-(\S.*)?", re.S)
_TAG_NAMES = (
    "TY A1 A2 A3 A4 AB AD AN AU AV BT C1 C2 C3 C4 C5 C6 C7 C8 CA CN CP CT CY DA DB DI DO DP ED EP"
    " ER ET H1 H2 ID IS J1 J2 JA JF JO JP K1 KW L1 L2 L3 L4 LA LB LK LL M1 M2 M3 N1 N2 NO NV OL OP"
    " PA PB PP PY RD RI RN RP RT SE SF SL SN SP SR ST T1 T2 T3 TA TI TT U1 U2 U3 U4 U5 UR VL VO WP"
    " WT WV Y1 Y2 YR"
)
_TAGS = frozenset(_TAG_NAMES.split())
_TEXT_TAGS = frozenset({"AB", "N1", "N2", "RN", "M1", "TI", "T1", "AD"})
_FITS = {
    # What the value of a tag must look like to be one in the middle of a long text.
    "TY": r"[A-Z]{3,8}\s*$",
    "ER": r"\s*$",
    "PY": r".{0,12}\d{4}",
    "Y1": r".{0,12}\d{4}",
    "DA": r".{0,12}\d{4}",
    "VL": r"\S{1,12}\s*$",
    "IS": r"\S{1,12}\s*$",
    "SP": r"\S{1,12}\s*$",
    "EP": r"\S{1,12}\s*$",
    "SN": r"[\dXx -]{8,17}",
    "DO": r"\S*10\.\d{4}",
    "UR": r"\s*(?:https?|ftp)://",
    "AU": r"[^,.;]{2,40}, ?[^,]{1,40}$",
    "A1": r"[^,.;]{2,40}, ?[^,]{1,40}$",
}
_TYPED = re.compile(rf"TY-(?:{'|'.join(RIS)})")
_TITLES = frozenset({"TI", "T1", "CT", "BT"})
_HEAD = re.compile(rf"^{_BLANK}*TY{_BLANK}*\t?{_BLANK}*[-\u2013]{_BLANK}*[A-Za-z]*", re.M)
_END = re.compile(rf"^{_BLANK}*ER(?:{_BLANK}+[-\u2013]|-$)", re.M)


@dataclass(slots=True)
class _Record:
    """The lines of one record, and its fields in order; ``line`` is where ``TY`` stands."""

    first: int
    line: int = 0
    typed: bool = False
    loose: bool = False
    tight: bool = False
    lines: list[str] = field(default_factory=list)
    fields: list[tuple[str, list[str]]] = field(default_factory=list)

    def raw(self) -> str:
        return "\n".join(self.lines).rstrip()

    def titled(self) -> bool:
        return any(tag in _TITLES and any(value) for tag, value in self.fields)

    def leads(self) -> bool:
        """Whether tags without a type belong to the ``TY`` that follows."""
        blank = [number for number, line in enumerate(self.lines) if not line.strip()]
        if not blank:
            return True
        text_after = any(
            line.strip() and not _STRICT.match(line) for line in self.lines[blank[0] :]
        )
        return self.titled() and not text_after


class _Reader:
    """Cuts lines into records and the text between them."""

    def __init__(self, source: SourceText, progress: Callable[[int, int], None] | None) -> None:
        self._source, self._progress = source, progress
        self._folder = os.path.dirname(source.location)
        self._lines = [line.rstrip("\n") for line in io.StringIO(source.text, newline=None)]
        self._record: _Record | None = None
        self._outside: list[str] = []
        self._outside_line = 0
        self._index = 0
        self._ends = self._later_ends()

    def _later_ends(self) -> list[bool]:
        """For each line, whether another ``ER`` comes after it and before the next ``TY``."""
        later, found = [False] * len(self._lines), False
        for number in range(len(self._lines) - 1, -1, -1):
            later[number] = found
            if _HEAD.match(self._lines[number]):
                found = False
            elif _END.match(self._lines[number]):
                found = True
        return later

    def read(self) -> Iterator[PaperDraft | ImportProblem]:
        done, total = 0, len(self._source.text)
        for number, line in enumerate(self._lines, start=1):
            yield from self._take(number, line)
            done += len(line) + 1
            if self._progress and number % 500 == 0:
                self._progress(min(done, total), total)
        yield from self._close(ended=False, at_end=True)
        yield from self._flush_outside()

    def _tag(self, line: str) -> tuple[str, str] | None:
        """The tag and value of a line; None where the line is text."""
        record = self._record
        strict = _STRICT.match(line)
        if strict and (strict[1] in _TAGS or not line[:1].isspace()):
            return strict[1], strict[2] or ""
        tight = _TIGHT.fullmatch(line)
        if tight and ((record is not None and record.tight) or _TYPED.fullmatch(line)):
            return (tight[1], tight[2] or "") if tight[1] in _TAGS else None
        loose = _LOOSE.match(line)
        if not loose or loose[1] not in _TAGS:
            return None
        tag, value = loose[1], loose[2] or ""
        tabbed = "\t" in line[: loose.start(2) if loose[2] is not None else len(line)]
        if tag == "TY" or tabbed or record is None or record.loose:
            return tag, value
        inside = record.fields[-1][0] if record.fields else ""
        if inside in _TEXT_TAGS and not re.match(_FITS.get(tag, "(?!)"), value):
            return None
        return tag, value

    def _take(self, number: int, line: str) -> Iterator[PaperDraft | ImportProblem]:
        found = self._tag(line)
        if found is None:
            self._text(number, line)
            return
        tag, value = found
        if tag == "ER" and not (value.strip() and self._ends[number - 1]):
            yield from self._end(number, line, value)
            return
        if tag == "TY":
            yield from self._start()
        record = self._record = self._record or _Record(number)
        if tag == "TY":
            record.typed, record.line = True, record.line or number
        if tag == "TY" or not record.fields:
            record.loose = _STRICT.match(line) is None
            record.tight = _TIGHT.fullmatch(line) is not None
        record.lines.append(line)
        record.fields.append((tag, [value]))

    def _text(self, number: int, line: str) -> None:
        record = self._record
        if record is None:
            if line.strip():
                self._outside_line = self._outside_line or number
                self._outside.append(line)
            return
        record.lines.append(line)
        if record.fields:
            record.fields[-1][1].append(line)

    def _start(self) -> Iterator[PaperDraft | ImportProblem]:
        """A ``TY`` line: ends what lies open, unless that is tags waiting for their type."""
        record = self._record
        if record is not None:
            waiting = not record.typed and record.leads()
            empty = record.typed and all(tag == "TY" for tag, _ in record.fields)
            if not waiting and not empty:
                yield from self._close(ended=False, at_end=False)
        yield from self._flush_outside()

    def _end(self, number: int, line: str, value: str) -> Iterator[PaperDraft | ImportProblem]:
        if self._record is None:
            self._text(number, line)
            return
        self._record.lines.append(line)
        if value.strip():
            self._record.fields.append(("ER", [value]))
        yield from self._close(ended=True, at_end=False)

    def _flush_outside(self) -> Iterator[ImportProblem]:
        if self._outside:
            raw = "\n".join(self._outside)
            yield self._problem(
                "text-outside-record",
                "note",
                f"Text outside any record was left out: {_shown(raw)}",
                self._outside_line,
                raw=raw,
            )
        self._outside, self._outside_line = [], 0

    def _close(self, *, ended: bool, at_end: bool) -> Iterator[PaperDraft | ImportProblem]:
        record, self._record = self._record, None
        if record is None:
            return
        yield from self._flush_outside()
        if not record.typed and not record.titled():
            tags = {tag for tag, _ in record.fields} & _TAGS
            yield self._problem(
                "text-outside-record",
                "skipped" if len(tags) > 1 else "note",
                f"Tags that belong to no record were left out: {_shown(record.raw())}",
                record.first,
                raw=record.raw(),
            )
            return
        yield from self._finish(record, ended=ended, at_end=at_end)

    def _finish(
        self, record: _Record, *, ended: bool, at_end: bool
    ) -> Iterator[PaperDraft | ImportProblem]:
        line, index = record.line or record.first, self._index
        self._index += 1
        draft = draft_of(
            record.fields, raw=record.raw(), line=line, index=index, folder=self._folder
        )
        if draft is None:
            yield self._problem(
                "missing-title",
                "skipped",
                "A record that holds nothing but its type was left out.",
                line,
                raw=record.raw(),
                index=index,
                is_record=True,
            )
            return
        yield draft
        for code, message in self._complaints(record, draft, ended=ended, at_end=at_end):
            yield self._problem(
                code, "warning", message, line, raw=record.raw(), index=index, citekey=draft.citekey
            )

    def _complaints(
        self, record: _Record, draft: PaperDraft, *, ended: bool, at_end: bool
    ) -> Iterator[tuple[str, str]]:
        name = f"“{_shown(draft.title)}”" if draft.title else "This record"
        if draft.title is None:
            yield "missing-title", "This record has no title."
        if not record.typed:
            yield "repaired-entry", f"{name} has no TY line, so its type is not known."
        if not ended and not at_end:
            yield "unclosed-entry", f"{name} has no ER line; it was closed where the next began."
        elif not ended:
            yield "unclosed-entry", f"{name} has no ER line; the file may be cut off."

    def _problem(
        self,
        code: str,
        severity: Severity,
        message: str,
        line: int,
        *,
        raw: str,
        index: int | None = None,
        citekey: str | None = None,
        is_record: bool = False,
    ) -> ImportProblem:
        return ImportProblem(
            code=code,
            severity=severity,
            message=message,
            line=line,
            citekey=citekey,
            index=index,
            raw=raw,
            source=self._source.location,
            is_record=is_record,
        )


def _shown(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else flat[:79] + "…"


class RisImporter:
    """RIS of any program: EndNote, Zotero, Mendeley, Citavi, Ovid, Scopus, ProQuest or Embase."""

    kind = "ris"
    title = "RIS"
    suffixes = (".ris", ".txt")

    def recognises(self, head: str) -> float:
        """Sure where a ``TY`` line stands at a line's start and another tag near it."""
        start = _HEAD.search(head)
        if not start:
            return 0.0
        around = head[max(0, start.start() - 2000) : start.end() + 4000]
        tags = sum(
            1 for line in re.split(r"[\r\n]+", around) if _STRICT.match(line) or _LOOSE.match(line)
        )
        return 0.95 if tags >= 2 else 0.6

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each record as a draft, then its repairs; text outside records as notes."""
        yield from _Reader(source, progress).read()
