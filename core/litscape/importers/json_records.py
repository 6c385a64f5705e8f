"""Records of open corpora: one JSON object a line, a list, or pages of results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from litscape.importers.json_items import Item, json_items
from litscape.importers.jsonl import object_of, text_lines
from litscape.importers.outcome import Piece, left_out, told
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from litscape.importers.base import SourceText

_PAGES = ("results", "data")
_WRAPPERS = ("citedPaper", "citingPaper")
_FEW = 200


def _is_lines(text: str) -> bool:
    """Whether the first line is an object of its own and another begins right under it."""
    first, _, rest = text.lstrip("\ufeff \t\r\n").replace("\r", "\n", 1).partition("\n")
    return first.startswith("{") and first.rstrip().endswith("}") and rest.lstrip().startswith("{")


def _line_items(text: str) -> Iterator[Item]:
    for number, start, line in text_lines(text):
        if line and not line.isspace():
            value, error = object_of(line)
            last = start + len(line) >= len(text.rstrip())
            cut = bool(error) and last and not line.rstrip().endswith("}")
            yield Item(line, number, value if not error else None, error, cut)


def _members(item: Item) -> Iterator[Item]:
    """The records that an element is or holds: a page of results, or a work in a citation."""
    value = item.value
    if not isinstance(value, dict) or "title" in value or "display_name" in value:
        yield item
        return
    wrapped = next((value[key] for key in _WRAPPERS if isinstance(value.get(key), dict)), None)
    if wrapped is not None:
        yield Item(item.raw, item.line, wrapped)
        return
    page = next((value[key] for key in _PAGES if isinstance(value.get(key), list)), None)
    if page is None:
        yield item
        return
    for member in page:
        yield from _members(Item(json.dumps(member, ensure_ascii=False), item.line, member))


def json_records(text: str) -> Iterator[Item]:
    """Every record of a text, whatever it is packed in; broken ones with their error."""
    for item in _line_items(text) if _is_lines(text) else json_items(text):
        if item.error:
            yield item
        else:
            yield from _members(item)


def read_items(
    source: SourceText,
    draft_of: Callable[[Mapping[str, Any], Piece], PaperDraft | None],
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[PaperDraft | ImportProblem]:
    """Yield every record as a draft, or as a problem with its index and line.

    Args:
        source: the file.
        draft_of: makes a draft of one object, None where it describes no work.
        progress: told the characters read; may raise to cancel.
    """
    total, done, index = len(source.text), 0, 0
    for item in json_records(source.text):
        done += len(item.raw)
        if progress and index % _FEW == 0:
            progress(min(done, total), total)
        if item.outside:
            yield _outside(item, source.location)
            continue
        piece = Piece(source.location, item.raw, item.line, index)
        index += 1
        if item.error or not isinstance(item.value, dict):
            what = item.error or "it is no object"
            code = "file-truncated" if item.cut else "broken-entry"
            message = f"Record {index} can't be read and was left out: {what}."
            yield left_out(piece, code, message)
        else:
            yield from told(piece, draft_of(item.value, piece))


def _outside(item: Item, location: str) -> ImportProblem:
    return ImportProblem(
        code="file-truncated" if item.cut else "text-outside-record",
        severity="warning" if item.cut else "note",
        message=f"The file may be cut off: {item.error}."
        if item.cut
        else f"Text behind the list was left out: {item.raw[:80]}",
        line=item.line,
        raw=item.raw,
        source=location,
    )
