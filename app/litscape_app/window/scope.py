"""The places of a library that a person can stand in: everything, a collection, a tag, a search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from litscape.paper import PaperFilter

PlaceKind = Literal[
    "all", "import", "trash", "unread", "list", "collection", "tag", "search", "topic"
]


@dataclass(frozen=True, slots=True)
class Scope:
    """One place of the library tree and the papers in it.

    Attributes:
        kind: what sort of place.
        key: which one: an id for collections, imports and topics, a name for tags and searches.
        title: what a person calls it.
        filter: the papers in it.
        query: for a saved search, its text.
        mode: for a saved search, lexical, semantic or hybrid.
    """

    kind: PlaceKind
    title: str
    key: int | str | None = None
    filter: PaperFilter = field(default_factory=PaperFilter)
    query: str = ""
    mode: str = ""


ALL = Scope("all", "All papers")
UNREAD = Scope("unread", "Unread", filter=PaperFilter(is_=("unread",)))
READING_LIST = Scope("list", "Reading list", filter=PaperFilter(is_=("listed",)))
TRASH = Scope("trash", "Trash", filter=PaperFilter(trashed=True))


def last_import(batch: int) -> Scope:
    """The papers that the newest import touched."""
    return Scope("import", "Last import", batch, PaperFilter(batch=batch))


def collection(collection_id: int, title: str) -> Scope:
    """The papers of a collection and of those below it."""
    return Scope("collection", title, collection_id, PaperFilter(collection=collection_id))


def tag(name: str) -> Scope:
    """The papers that carry a tag."""
    return Scope("tag", name, name, PaperFilter(tags=(name,)))


def topic(topic_id: int, title: str) -> Scope:
    """The papers of a topic and its parts; 0: those without any."""
    return Scope("topic", title, topic_id, PaperFilter(topics=((topic_id,),)))


def saved_search(name: str, query: str, mode: str) -> Scope:
    """A search kept under a name; it looks in the whole library."""
    return Scope("search", name, name, query=query, mode=mode)
