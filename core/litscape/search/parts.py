"""The parts of a query: words, years, tags and marks, and groups of them in brackets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class YearRange:
    """Years from ``first`` to ``last``, both included; open where None."""

    first: int | None = None
    last: int | None = None

    def __str__(self) -> str:
        if self.first == self.last:
            return f"year {self.first}"
        if self.first is None:
            return f"year up to {self.last}"
        return f"year from {self.first}" if self.last is None else f"year {self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class Tag:
    """The name of a tag."""

    name: str

    def __str__(self) -> str:
        return f"tag “{self.name}”"


_SAID = {
    "collection": "in",
    "has": "with",
    "is": "",
    "citedby": "cited by",
    "text": "in its PDF",
    "note": "in its notes",
    "source": "from",
    "key": "citation key",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """What a paper must be, have, or be linked to: a field and its value."""

    field: str
    value: str

    def __str__(self) -> str:
        name = _SAID.get(self.field, self.field)
        return f"{name} “{self.value}”".strip()


Leaf = Term | YearRange | Tag | Mark


@dataclass(frozen=True, slots=True)
class Not:
    """What a paper must not have."""

    leaf: Leaf


@dataclass(frozen=True, slots=True)
class AllOf:
    """Parts that must all hold; at least two."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Parts of which one must hold; at least two."""

    parts: tuple[Node, ...]


Group = AllOf | AnyOf
Node = Leaf | Not | AllOf | AnyOf


def all_of(parts: Iterable[Node]) -> Node | None:
    """Parts that must all hold, as simple as it can be said; None without parts."""
    found = _once(inner for part in parts for inner in _inner(part, AllOf))
    return AllOf(tuple(found)) if len(found) > 1 else next(iter(found), None)


def any_of(parts: Iterable[Node]) -> Node | None:
    """Parts of which one must hold, as simple as it can be said; None without parts."""
    found = _once(inner for part in parts for inner in _inner(part, AnyOf))
    return AnyOf(tuple(found)) if len(found) > 1 else next(iter(found), None)


def _once(parts: Iterable[Node]) -> list[Node]:
    """Parts without leaves that were there before; groups, which may be deep, stay."""
    seen: set[Node] = set()
    kept: list[Node] = []
    for part in parts:
        if not isinstance(part, AllOf | AnyOf):
            if part in seen:
                continue
            seen.add(part)
        kept.append(part)
    return kept


def _inner(part: Node, kind: type[Group]) -> tuple[Node, ...]:
    return part.parts if isinstance(part, AllOf | AnyOf) and type(part) is kind else (part,)


def fold(node: Node, leaf: Callable[[Leaf | Not], T], join: Callable[[Group, list[T]], T]) -> T:
    """A value for a node from those of its parts; however deep it is.

    Args:
        node: where to begin.
        leaf: the value of a leaf or of one that must not hold.
        join: the value of a group from those of its parts.
    """
    if not isinstance(node, AllOf | AnyOf):
        return leaf(node)
    values: list[T] = []
    open_: list[tuple[Group, list[T], Iterator[Node]]] = [(node, values, iter(node.parts))]
    while True:
        group, values, rest = open_[-1]
        part = next(rest, None)
        if part is None:
            open_.pop()
            found = join(group, values)
            if not open_:
                return found
            open_[-1][1].append(found)
        elif isinstance(part, AllOf | AnyOf):
            open_.append((part, [], iter(part.parts)))
        else:
            values.append(leaf(part))


def leaves(node: Node) -> Iterator[Leaf | Not]:
    """All leaves of a node in order."""
    waiting = [node]
    while waiting:
        now = waiting.pop()
        if isinstance(now, AllOf | AnyOf):
            waiting.extend(reversed(now.parts))
        else:
            yield now
