"""Groups of words as expressions of the text index."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from litscape.search.parts import AllOf, AnyOf, Not, fold, leaves
from litscape.store import lexical
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from litscape.search.parts import Group, Leaf
    from litscape.search.query import Query

_DEEPEST = 8
"""Brackets within brackets in one expression; the text index itself takes some twenty."""


class _Match(NamedTuple):
    """An expression for what must be there, one for what must not, and how deep they are."""

    wanted: str
    hidden: str
    depth: int


def expression(group: Group) -> str | None:
    """The expression for the papers of a group; None where the text index has none for it.

    It has none for tags and years, for names and words in quotes, which it knows by their stems
    alone, for "without" as one of several choices, and for what lies deep.
    """
    found = fold(group, _leaf, _join)
    return found.wanted if found is not None and found.wanted and not found.hidden else None


def expressions(query: Query) -> str:
    """The expression for all groups of a query that have one; empty without any."""
    found = (expression(group) for group in query.groups)
    return lexical.both(*(one for one in found if one is not None))


def loose(query: Query) -> tuple[Term, ...]:
    """Words of the groups that have no expression: a paper may do without them."""
    return tuple(
        leaf
        for group in query.groups
        if expression(group) is None
        for leaf in leaves(group)
        if isinstance(leaf, Term)
    )


def _leaf(leaf: Leaf | Not) -> _Match | None:
    term = leaf.leaf if isinstance(leaf, Not) else leaf
    if not isinstance(term, Term) or term.written or term.column == "authors_text":
        return None
    text = lexical.all_of([term])
    return _Match("", text, 0) if isinstance(leaf, Not) else _Match(text, "", 0)


def _join(group: Group, parts: list[_Match | None]) -> _Match | None:
    known = [part for part in parts if part is not None]
    depth = 1 + max((part.depth for part in known), default=0)
    if len(known) < len(parts) or depth > _DEEPEST:
        return None
    wanted = [part.wanted for part in known if part.wanted]
    hidden = [part.hidden for part in known if part.hidden]
    if isinstance(group, AllOf):
        if not wanted:
            return _Match("", lexical.either(*hidden), depth)
        whole = lexical.both(*wanted)
        return _Match(lexical.but_not(whole, lexical.either(*hidden) if hidden else ""), "", depth)
    assert isinstance(group, AnyOf)
    # Papers without a word, or with another: the text index can't begin with what is not there.
    return None if hidden else _Match(lexical.either(*wanted), "", depth)
