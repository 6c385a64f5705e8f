"""Values that are still being typed: what they may become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.reading import COLOURS
from litscape.search.parts import Tag
from litscape.sorting import sort_text
from litscape.store.collections import collection_tree
from litscape.store.facets import source_names
from litscape.store.filters import HAS, IS
from litscape.store.imports import list_sources
from litscape.store.naming import begun_titles
from litscape.store.papers import known_types
from litscape.store.tags import tag_counts
from litscape.store.topics import known_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

    from litscape.search.parts import Mark

MOST = 3


def continuations(conn: sa.Connection, part: Tag | Mark) -> tuple[str, ...]:
    """The first few values that begin as a part does; none where it can't become anything."""
    value = part.name if isinstance(part, Tag) else part.value
    typed = sort_text(value)
    found = (one for one in _known(conn, part) if sort_text(one).startswith(typed))
    return tuple(dict.fromkeys(found))[:MOST]


def awaited(part: Tag | Mark, found: tuple[str, ...]) -> str:
    """The sentence that a value does not count yet, and what it may become."""
    name, value = ("tag", part.name) if isinstance(part, Tag) else (part.field, part.value)
    listed = ", ".join(f"“{one}”" for one in found)
    return f"“{name}:{value}” counts once it is typed to its end: {listed}."


def _known(conn: sa.Connection, part: Tag | Mark) -> Iterable[str]:
    """The values of a part's field."""
    if isinstance(part, Tag):
        return (name for name, _count in tag_counts(conn))
    if part.field in ("collection", "in"):
        tree = collection_tree(conn)
        names = [*(one.name for one in tree), *("/".join(one.path) for one in tree)]
        return [*(["list"] if part.field == "in" else []), *names]
    if part.field == "source":
        return source_names([location for _number, location in list_sources(conn)])
    if part.field == "type":
        return known_types(conn)
    if part.field == "topic":
        return known_names(conn)
    if part.field in ("cites", "citedby", "key"):
        return (key for key, _title in begun_titles(conn, part.value, MOST))
    few: dict[str, Iterable[str]] = {"colour": COLOURS, "has": HAS, "is": IS}
    return few.get(part.field, ())
