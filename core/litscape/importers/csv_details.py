"""The last column of this program's own tables: what the others can't hold, as JSON.

It says only what reading the other cells does not give. What a person changes in a cell counts: the
column then says no more of what that cell shows.
"""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from litscape.importers.csv_columns import roles
from litscape.importers.csv_fields import draft_of
from litscape.importers.jsonl_fields import draft_of as draft_of_record
from litscape.importers.normalise import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.importers.outcome import Complaint, Piece
    from litscape.paper import PaperDraft

HEADING = "litscape"
"""What the column is called."""
OWN_COLUMNS = (
    "id",
    "citekey",
    "type",
    "title",
    "authors",
    "year",
    "month",
    "day",
    "venue",
    "publisher",
    "volume",
    "issue",
    "pages",
    "doi",
    "arxiv",
    "pmid",
    "isbn",
    "url",
    "abstract",
    "keywords",
    "tags",
    "collections",
    "notes",
    "files",
)
"""The columns that a person reads."""
_DATE = ("year", "month", "day")
_SHOWN_IN = {
    **{name: (name,) for name in OWN_COLUMNS},
    **dict.fromkeys(("year_raw", "month_raw", *_DATE), _DATE),
    "more_authors": ("authors",),
    "venue": ("venue", "type"),
    "arxiv": ("arxiv", "doi"),
    "citekey_original": ("citekey",),
}
"""The columns in which a person sees a field."""
_NAMES = dict(zip(roles(OWN_COLUMNS), OWN_COLUMNS, strict=True))


def is_own(headings: Sequence[str]) -> bool:
    """Whether a table is one of this program, with that column."""
    return list(headings[:2]) == ["id", "citekey"] and HEADING in headings


def plain_draft(cells: Mapping[str, str], piece: Piece) -> PaperDraft | None:
    """What the cells that a person reads say, by column."""
    pairs = zip(roles(OWN_COLUMNS), OWN_COLUMNS, strict=True)
    named = [(role, cells.get(column, "")) for role, column in pairs if column != "id"]
    draft, _told = draft_of(named, piece, _NAMES)
    return None if draft is None else replace(draft, citekey_original=draft.citekey)


def details(
    record: Mapping[str, Any], draft: PaperDraft, paper: Any, cells: Mapping[str, str]
) -> str:
    """The text of the column; empty where the other cells say all.

    Args:
        record: the paper as an object of an export that holds all.
        draft: what the other cells say.
        paper: the paper.
        cells: the other cells, by column.
    """
    names = [name for name in record if name != "id" and _value(draft, name) != _value(paper, name)]
    # What is cited outside the exported part is a reference in the record alone.
    names += [name for name in ("references",) if record[name] and name not in names]
    if not names:
        return ""
    columns = {column for name in names for column in _SHOWN_IN.get(name, ())}
    told = {
        "cells": {column: _sign(cells[column]) for column in OWN_COLUMNS if column in columns},
        "fields": {name: record[name] for name in names},
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _value(holder: Any, name: str) -> Any:
    value = getattr(holder, name)
    return dict(value) if name in ("raw_fields", "identifiers") else value


def _sign(cell: str) -> str:
    return blake2b(fold(cell).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def completed(
    draft: PaperDraft, text: str, cells: Mapping[str, str]
) -> tuple[PaperDraft, Sequence[Complaint]]:
    """A draft with what the column says besides."""
    draft = replace(draft, source_id=cells.get("id", "").strip() or None)
    if not text.strip():
        return draft, ()
    try:
        told = json.loads(text)
        fields, signs = dict(told["fields"]), dict(told["cells"])
    except (ValueError, KeyError, TypeError, RecursionError):
        message = f"The column {HEADING} can't be read; what only it says was left out."
        return draft, [("broken-field", message)]
    changed = {name for name, sign in signs.items() if _sign(cells.get(name, "")) != sign}
    kept = {
        name: value
        for name, value in fields.items()
        if hasattr(draft, name) and changed.isdisjoint(_SHOWN_IN.get(name, ()))
    }
    whole = draft_of_record({"citekey": None, "raw_fields": {}, **kept}, raw="", line=0, index=0)
    values = {name: getattr(whole, name) for name in kept}
    if "raw_fields" in values:
        added = {k: v for k, v in draft.raw_fields.items() if k not in OWN_COLUMNS}
        values["raw_fields"] = {**added, **values["raw_fields"]}
    return replace(draft, **values), ()
