"""JSON lines: papers of open corpora, and what this program exports itself."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from litscape.importers.json_items import DECODER, fault_of
from litscape.importers.jsonl_fields import draft_of, lost_references
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import SourceText

_LINE_END = re.compile(r"\r\n?|\n")
_SIGN = re.compile(r'"(?:title|abstract|citekey)"\s*:')
_FOREIGN = re.compile(r'"(?:abstract_inverted_index|authorships|paperId|date-parts)"\s*:')


class JsonlImporter:
    """One JSON object a line."""

    kind = "jsonl"
    title = "Litscape JSON lines"
    suffixes = (".jsonl", ".jsonl.gz", ".ndjson")

    def recognises(self, head: str) -> float:
        """Sure where the first line is an object with a title, an abstract or a citation key."""
        first, _, rest = head.lstrip("\ufeff \t\r\n").partition("\n")
        if not first.startswith("{") or not _SIGN.search(first):
            return 0.0
        if rest:
            try:
                json.loads(first)
            except (ValueError, RecursionError):
                return 0.2 if rest.lstrip().startswith("{") else 0.0
        return 0.3 if _FOREIGN.search(first) else 0.9

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each line as a draft, or as a problem with its line number."""
        total, index = len(source.text), 0
        for number, start, line in text_lines(source.text):
            if progress and number % 500 == 0:
                progress(start, total)
            if not line or line.isspace():
                continue
            value, error = object_of(line)
            if error:
                yield _broken(line, number, index, error, source, last=start + len(line) >= total)
            else:
                draft = draft_of(value, raw=line, line=number, index=index)
                yield draft
                if draft.title is None:
                    yield _untitled(draft, source.location)
                if lost := lost_references(value):
                    yield _lost(draft, lost, source.location)
            index += 1


def text_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Number, offset and text of each line; only CR, LF and CRLF end one."""
    number, start = 1, 0
    for found in _LINE_END.finditer(text):
        yield number, start, text[start : found.start()].strip("\ufeff")
        number, start = number + 1, found.end()
    if start < len(text):
        yield number, start, text[start:].strip("\ufeff")


def object_of(line: str) -> tuple[dict[str, Any], str]:
    """The object of a line, and what is wrong with it; empty where nothing is."""
    try:
        value = DECODER.decode(line)
    except json.JSONDecodeError as error:
        return {}, f"{fault_of(error)} at character {error.pos + 1}"
    except (RecursionError, ValueError):
        return {}, "nested too deeply, or a number too long"
    if not isinstance(value, dict):
        return {}, "it is no object"
    return value, "" if value else "it is empty"


def _broken(
    line: str, number: int, index: int, error: str, source: SourceText, *, last: bool
) -> ImportProblem:
    cut = last and not line.rstrip().endswith("}")
    return ImportProblem(
        code="file-truncated" if cut else "broken-entry",
        severity="skipped",
        message=f"Line {number} can't be read and was left out: {error}.",
        line=number,
        index=index,
        raw=line,
        source=source.location,
        is_record=True,
    )


def _untitled(draft: PaperDraft, location: str) -> ImportProblem:
    return ImportProblem(
        code="missing-title",
        severity="warning",
        message=f"The record of line {draft.line} has no title.",
        line=draft.line,
        index=draft.index,
        citekey=draft.citekey,
        raw=draft.raw,
        source=location,
    )


def _lost(draft: PaperDraft, lost: list[str], location: str) -> ImportProblem:
    number = "A reference" if len(lost) == 1 else f"{len(lost):,} references"
    shown = ", ".join(one[:80] for one in lost[:3])
    more = ", …" if len(lost) > 3 else ""
    return ImportProblem(
        code="empty-reference",
        severity="warning",
        message=f"{number} of the record of line {draft.line} named no work and "
        f"{'was' if len(lost) == 1 else 'were'} left out: {shown}{more}.",
        line=draft.line,
        index=draft.index,
        citekey=draft.citekey,
        raw=draft.raw,
        source=location,
    )
