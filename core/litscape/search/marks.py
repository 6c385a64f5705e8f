"""The marks of a query as conditions: collections, types, what a paper has, whom it cites."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.near import no_such
from litscape.sorting import sort_text
from litscape.store.collections import collection_tree
from litscape.store.filters import HAS
from litscape.store.papers import known_types, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    import sqlalchemy as sa

    from litscape.paper import PaperFilter, PaperId
    from litscape.search.query import Mark

    Inside = Callable[[sa.Connection, str], Collection[PaperId] | None]
    """From words to the papers that have them in the text of their PDFs; None: it is not read."""

_HAS = {
    **{name: name for name in HAS},
    "abstracts": "abstract",
    "files": "file",
    "pdfs": "pdf",
    "notes": "note",
    "tags": "tag",
    "collections": "collection",
    "reference": "references",
    "citation": "citations",
    "cites": "references",
    "citedby": "citations",
}


def marked(
    conn: sa.Connection,
    flt: PaperFilter,
    mark: Mark,
    notes: list[str],
    inside: Inside | None = None,
) -> PaperFilter | None:
    """A filter narrowed by a mark; None, and a note, where the mark names nothing there is."""
    if mark.field == "text":
        return _inside(conn, flt, mark.value, notes, inside)
    if mark.field == "type":
        return _of_type(conn, flt, mark.value, notes)
    if mark.field == "has":
        name = _HAS.get(mark.value.casefold())
        if name is None:
            notes.append(f"Papers can't be asked for “{mark.value}”: use {', '.join(HAS)}.")
            return None
        return replace(flt, has=(*flt.has, name))
    if mark.field == "collection":
        return _within(conn, flt, mark.value, notes)
    paper = resolve(conn, mark.value)
    if paper is None:
        notes.append(f"There is no paper “{mark.value}” in this library.")
        return None
    if mark.field == "cites":
        return replace(flt, cites=(*flt.cites, paper))
    return replace(flt, cited_by=(*flt.cited_by, paper))


def _inside(
    conn: sa.Connection, flt: PaperFilter, value: str, notes: list[str], inside: Inside | None
) -> PaperFilter | None:
    found = inside(conn, value) if inside is not None else None
    if found is None:
        notes.append("The text of PDFs has not been read, so that nothing is found inside them.")
        return None
    return replace(flt, ids=frozenset(found) & flt.ids if flt.ids is not None else frozenset(found))


def _of_type(
    conn: sa.Connection, flt: PaperFilter, value: str, notes: list[str]
) -> PaperFilter | None:
    known = known_types(conn)
    found = tuple(one for one in known if one.casefold() == value.casefold())
    if not found:
        notes.append(no_such("type", value, known))
        return None
    if flt.types and not set(flt.types) & set(found):
        return replace(flt, ids=frozenset())
    return replace(flt, types=found)


def _within(
    conn: sa.Connection, flt: PaperFilter, value: str, notes: list[str]
) -> PaperFilter | None:
    """By a collection's name or path, in letters of any case, with what is below it."""
    tree = collection_tree(conn)
    wanted = [sort_text(part) for part in value.split("/")]
    found = tuple(
        one.id
        for one in tree
        if [sort_text(part) for part in one.path] == wanted
        or sort_text(one.name) == sort_text(value)
    )
    if not found:
        notes.append(no_such("collection", value, (one.name for one in tree)))
        return None
    return replace(flt, within=(*flt.within, found))
