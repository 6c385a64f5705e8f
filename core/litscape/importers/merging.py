"""What a record changes in a paper that is there: as an update by its source, or joined to it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from litscape import reading
from litscape.importers.signature import (
    MEMBER_FIELDS,
    PLAIN_FIELDS,
    WHOLE_FIELDS,
    Signature,
    gave,
    members,
    own_members,
    parsed,
    value_text,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from litscape.paper import Paper, PaperDraft

Fields = dict[str, Any]
_FILLED = tuple(name for name in PLAIN_FIELDS if name not in ("citekey", "library", "zotero_key"))
_DATES = {
    "year_raw": "year",
    "month": "year",
    "month_raw": "year",
    "day": "year",
}
"""Parts of one date: they come from one record or not at all."""


def joined(paper: Paper | PaperDraft, record: PaperDraft, kept: Collection[str] = ()) -> Fields:
    """Fields of a paper that a duplicate of it fills: what is empty, and the union of lists.

    Args:
        paper: the paper as it is.
        record: the duplicate.
        kept: fields that a user set, also to nothing.
    """
    fields: Fields = {}
    for name in (*_FILLED, *WHOLE_FIELDS):
        mine, theirs = getattr(paper, name), getattr(record, name)
        empty = mine is None or mine == () or mine is False
        if empty and theirs and name not in kept and _date_fits(paper, record, name):
            fields[name] = theirs
    if "authors" not in fields:
        fields.pop("more_authors", None)
    for name, value in reading.united((paper, record)).items():
        if name not in kept and value != getattr(paper, name):
            fields[name] = value
    for name in MEMBER_FIELDS:
        if name not in kept:
            mine = members(name, getattr(paper, name))
            extra = _new_members(name, mine, members(name, getattr(record, name)))
            if extra:
                fields[name] = _collected(name, [*mine, *extra])
    if paper.missing_in_source:
        fields["missing_in_source"] = False
    return fields


def _date_fits(paper: Paper | PaperDraft, record: PaperDraft, name: str) -> bool:
    if name == "year":
        return paper.year_raw is None
    return name not in _DATES or paper.year is None or paper.year == record.year


def _new_members(name: str, mine: list[Any], theirs: list[Any]) -> list[Any]:
    if name in ("raw_fields", "identifiers"):
        keys = {key for key, _value in mine}
        return [member for member in theirs if member[0] not in keys]
    if name == "files":
        paths = {link.path for link in mine}
        return [link for link in theirs if link.path not in paths]
    return [member for member in theirs if member not in mine]


def _collected(name: str, found: Iterable[Any]) -> Any:
    if name in ("raw_fields", "identifiers"):
        return MappingProxyType(dict(found))
    return tuple(found)


def updated(
    paper: Paper, record: PaperDraft, before: bytes, after: bytes, kept: Collection[str]
) -> Fields:
    """Fields of a paper that its source changed since it was read last.

    A field changes where the source changed it, where the paper still has what the source gave
    before (or nothing), and where no user set it.

    Args:
        paper: the paper as it is.
        record: the record as read now.
        before: its signature of last time.
        after: its signature now.
        kept: fields that a user set.
    """
    old, new = parsed(before), parsed(after)
    fields: Fields = {}
    for name in (*PLAIN_FIELDS, *WHOLE_FIELDS, *reading.FIELDS):
        if name == "citekey" or name in kept or old.get(name) == new.get(name):
            continue
        current, value = getattr(paper, name), getattr(record, name)
        if (gave(old, name, current) or not value_text(name, current)) and current != value:
            fields[name] = value
    for name in MEMBER_FIELDS:
        if name not in kept and old.get(name) != new.get(name):
            changed = _changed_members(name, paper, record, old)
            if changed is not None:
                fields[name] = changed
    if "citekey" not in kept:
        fields.update(_changed_key(paper, record, old))
    if paper.missing_in_source:
        fields["missing_in_source"] = False
    return fields


def _changed_members(name: str, paper: Paper, record: PaperDraft, old: Signature) -> Any:
    mine = members(name, getattr(paper, name))
    theirs = members(name, getattr(record, name))
    gone = [member for member in own_members(old, name, mine) if member not in theirs]
    left = [member for member in mine if member not in gone]
    result = [*left, *_new_members(name, left, theirs)]
    return None if result == mine else _collected(name, result)


def _changed_key(paper: Paper, record: PaperDraft, old: Signature) -> Fields:
    """The new citekey, where the source changed the one that the paper has from it."""
    key, stored = record.citekey, paper.citekey_original
    if key is None or key in (paper.citekey, stored):
        return {}
    from_source = gave(old, "citekey", paper.citekey) or gave(old, "citekey", stored)
    if "citekey" in old and not from_source:
        return {}
    came = () if stored is None else (stored,)
    return {
        "citekey": key,
        "citekey_original": record.citekey_original,
        "citekey_aliases": tuple(sorted({*paper.citekey_aliases, *came} - {key})),
    }
