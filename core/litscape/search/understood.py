"""A query as it was understood, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.search.fields import COLUMNS
from litscape.search.parts import AllOf, AnyOf, Not, Tag, fold
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from litscape.search.parts import Group, Leaf, Node
    from litscape.search.query import Query

_NAMES = {column: name for name, column in COLUMNS.items()}
_GROUPS = (AllOf, AnyOf)


def describe(query: Query) -> str:
    """The query as it was understood, in words."""
    parts: list[str] = []
    plain = [_shown(term) for term in query.terms if term.column is None]
    if plain:
        parts.append(" ".join(plain))
    parts += [_said(term) for term in query.terms if term.column]
    parts += [f"({_group(group)})" for group in query.groups]
    parts += [str(years) for years in query.years]
    parts += [str(Tag(tag)) for tag in query.tags]
    parts += map(str, query.marks)
    hidden = [_said(term) for term in (*query.without, *query.without_written)]
    hidden += [str(years) for years in query.without_years]
    hidden += [str(Tag(tag)) for tag in query.without_tags]
    hidden += map(str, query.without_marks)
    if hidden:
        parts.append("not " + ", not ".join(hidden))
    return "; ".join(parts) or ("nothing" if query.unread else "everything")


def _group(node: Node) -> str:
    return fold(node, _leaf, _joined)


def _leaf(leaf: Leaf | Not) -> str:
    return f"not {_said(leaf.leaf)}" if isinstance(leaf, Not) else _said(leaf)


def _joined(group: Group, parts: list[str]) -> str:
    word = " and " if isinstance(group, AllOf) else " or "
    kinds = (type(one) for one in group.parts)
    return word.join(
        f"({part})" if kind in _GROUPS else part for part, kind in zip(parts, kinds, strict=True)
    )


def _said(leaf: Leaf) -> str:
    if not isinstance(leaf, Term):
        return str(leaf)
    shown = _shown(leaf)
    return f"{_NAMES.get(leaf.column, leaf.column)}: {shown}" if leaf.column else shown


def _shown(term: Term) -> str:
    shown = f"“{term.text}”" if term.written or " " in term.text else term.text
    return f"{shown}…" if term.prefix else shown
