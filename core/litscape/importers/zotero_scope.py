"""Which of Zotero's libraries and collections are to be taken."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers import normalise
from litscape.importers.zotero_items import USER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from litscape.importers.base import ReadOptions

ALL = "all"
_LIBRARY = re.compile(r"user|group:[1-9]\d*")


def read_library(text: str) -> str:
    """The name of a library as a person writes it: ``user``, ``group:N`` or ``all``.

    Raises:
        UserError: it is none of these.
    """
    name = re.sub(r"\s*:\s*", ":", text.strip().lower())
    if name == ALL or _LIBRARY.fullmatch(name):
        return name
    raise UserError(
        f"“{text}” names no Zotero library: write user, group:N with the number in the group's "
        "address on zotero.org, or all."
    )


@dataclass(frozen=True, slots=True)
class Scope:
    """The libraries to take; all where none is named. Of one with collections, only these.

    ``group_names`` puts the collections of a group below one with the group's name.
    """

    libraries: frozenset[str] = frozenset()
    collections: Mapping[str, frozenset[str]] = field(default_factory=dict)
    group_names: bool = False

    @classmethod
    def of(cls, options: ReadOptions) -> Scope:
        """What was asked for.

        Raises:
            UserError: a name is none of a library or collection.
        """
        names = {read_library(name) for name in options.zotero_libraries}
        chosen: dict[str, frozenset[str]] = {}
        for one in options.zotero_collections:
            library, slash, key = one.partition("/")
            if not slash or not key:
                raise UserError(f"“{one}” names no Zotero collection: write user/KEY.")
            library = read_library(library)
            chosen[library] = chosen.get(library, frozenset()) | {key.strip().upper()}
        if ALL in names:
            names = set()
        return cls(frozenset(names), chosen, options.zotero_group_names)

    def chosen(self, there: Iterable[str], location: str) -> tuple[str, ...]:
        """The libraries to take of those that are there.

        Raises:
            UserError: one that was asked for is not there.
        """
        known = tuple(there)
        missing = sorted((self.libraries | self.collections.keys()) - set(known))
        if missing:
            raise UserError(
                f"{location} has no library {missing[0]}; it has {', '.join(known) or 'none'}."
            )
        wanted = (self.libraries | self.collections.keys()) or set(known)
        return tuple(name for name in known if name in wanted)

    def within(self, library: str) -> frozenset[str]:
        """The keys of the collections to take of a library; empty for all of it."""
        return self.collections.get(library, frozenset())

    def as_text(self) -> str:
        """The same text for the same choice."""
        inner = [f"{lib}/{key}" for lib, keys in self.collections.items() for key in keys]
        apart = ["group-names"] if self.group_names else []
        return " ".join(sorted(self.libraries) + sorted(inner) + apart)

    def top(self, library: str, title: str) -> tuple[str, ...]:
        """The path that the collections of a library are below."""
        apart = self.group_names and library != USER
        return (normalise.fold(title) or library,) if apart else ()


def below(chosen: frozenset[str], parents: Mapping[str, str | None]) -> frozenset[str]:
    """Collections with all those below them.

    Args:
        chosen: keys.
        parents: the key of the collection above each one, None at the top.
    """
    taken = set(chosen)
    for key in parents:
        above = list(_upwards(key, parents))
        if not taken.isdisjoint(above):
            taken.update((key,))
    return frozenset(taken)


def _upwards(key: str, parents: Mapping[str, str | None]) -> Iterable[str]:
    """A collection and those above it; a circle ends where it closes."""
    met: set[str] = set()
    at: str | None = key
    while at is not None and at not in met:
        met.add(at)
        yield at
        at = parents.get(at)


def paths(
    names: Mapping[str, str], parents: Mapping[str, str | None], top: tuple[str, ...] = ()
) -> dict[str, tuple[str, ...]]:
    """The path of each collection; one whose parent is not there stands right below ``top``."""
    found = {}
    for key in names:
        chain = [names[at] for at in _upwards(key, parents) if at in names]
        found[key] = (*top, *reversed(chain))
    return found


def in_order(
    listed: Mapping[str, tuple[str, ...]], parents: Mapping[str, str | None]
) -> list[tuple[str, tuple[str, ...], str | None]]:
    """Key, path and key of the parent of collections, those above before those below."""
    rows = sorted(listed.items(), key=lambda row: [part.casefold() for part in row[1]])
    return [(key, path, parents.get(key)) for key, path in rows]


def library_name(group: int | None) -> str:
    """``user``, or ``group:N``."""
    return USER if group is None else f"group:{group}"
