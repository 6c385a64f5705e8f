"""CSL JSON, as Zotero, Better BibTeX, pandoc, Mendeley and Juris-M write it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from litscape.importers.csl_fields import draft_of
from litscape.importers.json_items import Item, json_items
from litscape.importers.record_types import CSL
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import SourceText

_TYPE = re.compile(r'"type"\s*:\s*"([a-z_-]+)"')
_OWN = re.compile(r'^\{[^\n]*"citekey_aliases"\s*:')
"""A line of this program's own export."""
_EMPTY = re.compile(r"\[\s*\]\s*")
_SIGNS = re.compile(
    r'"(?:issued|container-title|date-parts|citation-key|publisher-place|title-short|non-dropping-particle|page)"\s*:'
)


class CslJsonImporter:
    """A list of CSL items, an object that holds one, or a single item."""

    kind = "csl-json"
    title = "CSL JSON"
    suffixes = (".json", ".csljson")

    def recognises(self, head: str) -> float:
        """Sure where JSON begins and keys or types that only CSL has are in sight."""
        start = head.lstrip("\ufeff \t\r\n")
        if not start.startswith(("[", "{")) or _OWN.search(start):
            return 0.0
        if _EMPTY.fullmatch(start):
            return 0.5
        signs = len(set(_SIGNS.findall(start)))
        typed = any(name in CSL for name in _TYPE.findall(start))
        if start.startswith("{") and _is_lines(start):
            return 0.5 if signs and typed else 0.0
        if signs and typed:
            return 0.95
        if signs or typed:
            return 0.8
        return 0.4 if start.startswith("[") and '"title"' in start else 0.1

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each item as a draft, or as a problem with its index and line."""
        total, done, index = len(source.text), 0, 0
        for item in json_items(source.text):
            done += len(item.raw)
            if progress and index % 200 == 0:
                progress(min(done, total), total)
            yield from _outcome(item, index, source.location)
            index += not item.outside


def _is_lines(start: str) -> bool:
    """Whether the first line is a whole object and another begins right under it."""
    first, _, rest = start.partition("\n")
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and rest.lstrip().startswith("{")


def _outcome(item: Item, index: int, location: str) -> Iterator[PaperDraft | ImportProblem]:
    if item.outside:
        yield ImportProblem(
            code="file-truncated" if item.cut else "text-outside-record",
            severity="warning" if item.cut else "note",
            message=f"The file may be cut off: {item.error}."
            if item.cut
            else f"Text behind the list was left out: {item.raw[:80]}",
            line=item.line,
            raw=item.raw,
            source=location,
        )
        return
    draft = None
    if isinstance(item.value, dict):
        draft = draft_of(item.value, raw=item.raw, line=item.line, index=index)
    if draft is not None:
        yield draft
        if draft.title is None:
            yield ImportProblem(
                code="missing-title",
                severity="warning",
                message=f"Item {index + 1} has no title.",
                line=item.line,
                index=index,
                citekey=draft.citekey,
                raw=item.raw,
                source=location,
            )
        return
    what = item.error or "it is no object that describes a work"
    yield ImportProblem(
        code="file-truncated" if item.cut else "broken-entry",
        severity="skipped",
        message=f"Item {index + 1} can't be read and was left out: {what}.",
        line=item.line,
        index=index,
        raw=item.raw,
        source=location,
        is_record=True,
    )
