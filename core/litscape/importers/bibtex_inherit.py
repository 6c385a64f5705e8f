"""What an entry takes from its ``crossref`` parent and its ``xdata``, by biblatex's rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Fields = dict[str, str]
Lookup = Callable[[str], tuple[str, Mapping[str, str]] | None]

_BOOK_PARTS = (
    "inproceedings conference incollection inbook bookinbook suppbook suppcollection inreference"
    " chapter"
)
_PART_OF_BOOK = frozenset(_BOOK_PARTS.split())
_WITH_AUTHOR = frozenset(("inbook", "bookinbook", "suppbook"))
_TO_BOOK = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}
_TO_JOURNAL = {"title": "journaltitle", "subtitle": "journalsubtitle"}
_TO_MAIN = {"title": "maintitle", "subtitle": "mainsubtitle", "titleaddon": "maintitleaddon"}
_NEVER_WORDS = (
    # What names, places or describes the parent alone: a chapter is not at its book's DOI.
    "crossref xref xdata entryset entrysubtype execute label options presort related relatedoptions"
    " relatedstring relatedtype shortauthor shorteditor shorthand shorthandintro shorttitle sortkey"
    " sortname sorttitle sortyear ids indextitle indexsorttitle doi url urldate eprint eprinttype"
    " eprintclass archiveprefix primaryclass pmid pmcid file files pdf local-url localfile abstract"
    " keywords keyword note annote annotation comment review groups pages pagetotal numpages cites"
    " mendeley-groups mendeley-tags timestamp owner key readstatus creationdate modificationdate"
    " ranking priority litscape-key litscape-read litscape-colour litscape-list"
)
_NEVER = frozenset(_NEVER_WORDS.split())
_CHAIN = 50
"""Nobody inherits from so many; a longer chain is an accident or malice."""
_DATES = frozenset(("year", "date", "month", "day"))


def inherit(kind: str, fields: Fields, lookup: Lookup) -> list[str]:
    """Add to ``fields`` what the entry inherits; its own fields win.

    Args:
        kind: the entry's type.
        fields: its own fields, changed in place.
        lookup: gives type and fields of an entry of the file by its key.

    Returns:
        The keys of parents that the file does not hold.
    """
    missing: list[str] = []
    _from_xdata(fields, lookup, missing, seen=set())
    _from_parent(kind, fields, lookup, missing, seen=set())
    return missing


def _from_xdata(fields: Fields, lookup: Lookup, missing: list[str], seen: set[str]) -> None:
    for key in filter(None, (one.strip() for one in fields.get("xdata", "").split(","))):
        if key in seen or len(seen) > _CHAIN:
            continue
        seen.add(key)
        found = lookup(key)
        if found is None:
            missing.append(key)
            continue
        data = dict(found[1])
        _from_xdata(data, lookup, missing, seen)
        dated = not _DATES.isdisjoint(fields)
        for name, value in data.items():
            if name not in ("xdata", "ids") and not (dated and name in _DATES):
                fields.setdefault(name, value)


def _from_parent(
    kind: str, fields: Fields, lookup: Lookup, missing: list[str], seen: set[str]
) -> None:
    key = fields.get("crossref", "").strip()
    if not key or key in seen or len(seen) > _CHAIN:
        return
    seen.add(key)
    found = lookup(key)
    if found is None:
        missing.append(key)
        return
    parent_kind, parent = found[0], dict(found[1])
    _from_xdata(parent, lookup, [], set())
    _from_parent(parent_kind, parent, lookup, [], seen)
    renamed = _renames(kind, parent_kind)
    dated = not _DATES.isdisjoint(fields)
    own_title = renamed.get("title", "title") in fields
    for name, value in parent.items():
        if name in _NEVER or (dated and name in _DATES):
            continue
        if own_title and name in ("subtitle", "titleaddon"):
            continue
        if name == "author" and renamed and kind not in _WITH_AUTHOR:
            name = "bookauthor"
        fields.setdefault(renamed.get(name, name), value)


def _renames(kind: str, parent_kind: str) -> Mapping[str, str]:
    if kind in _PART_OF_BOOK:
        return _TO_BOOK
    if parent_kind == "periodical":
        return _TO_JOURNAL
    if parent_kind.startswith("mv") or kind in ("book", "collection", "proceedings", "reference"):
        return _TO_MAIN
    return {}
