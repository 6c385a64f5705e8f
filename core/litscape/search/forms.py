"""Words in quotes that too many papers have in some form are read with their forms."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from litscape.search.marks import no_type
from litscape.search.parts import AnyOf, Mark, Not, fold, leaves
from litscape.search.query import Query, parse
from litscape.search.unfinished import continuations
from litscape.store import lexical
from litscape.store.lexical import Term

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.search.parts import Group, Leaf, Node, Tag
    from litscape.store.database import Database

MOST_READ = 2000
"""Most papers whose texts are read for the form of one word. Each takes 11 microseconds of CPU, and
counts, facets and lists read them anew: 2,000 take a quarter of the 80 ms that a query may."""


def read(database: Database, text: str, *, as_you_type: bool = False) -> Query:
    """A query as :func:`~litscape.search.query.parse` reads it, for a library."""
    query = parse(text, as_you_type=as_you_type)
    if not _written(query):
        return query
    with database.read() as conn:
        return settled(conn, query)


def settled(conn: sa.Connection, query: Query) -> Query:
    """A query whose words in quotes can be found as they are written in time.

    One of which more than :data:`MOST_READ` papers have any form, the trash too, is read with its
    other forms, and a note says so. Whatever else is asked for does not count, so that lists,
    counts, facets and marks agree.
    """
    if not _written(query):
        return query
    forms = _Forms(conn, query.begun)
    query = _typed(query, forms)
    without_written = tuple(forms.term(term) for term in query.without_written)
    groups = (fold(group, forms.leaf, _rebuilt) for group in query.groups)
    left_out = tuple(one for one in without_written if one not in query.without_written)
    return replace(
        query,
        terms=tuple(dict.fromkeys(forms.term(term) for term in query.terms)),
        without=tuple(dict.fromkeys((*query.without, *left_out))),
        without_written=tuple(one for one in without_written if one not in left_out),
        groups=tuple(group for group in groups if isinstance(group, AnyOf)),
        notes=(*query.notes, *dict.fromkeys(forms.notes)),
    )


def _written(query: Query) -> bool:
    """Whether there is a word in it that has to stand as it is written."""
    inner = (leaf for group in query.groups for leaf in leaves(group))
    plain = tuple(leaf.leaf if isinstance(leaf, Not) else leaf for leaf in inner)
    terms = (*query.terms, *query.without_written, *plain)
    marks = (*query.marks, *query.without_marks, *plain)
    typed = any(isinstance(mark, Mark) and mark.field == "type" for mark in marks)
    return typed or any(isinstance(term, Term) and term.written for term in terms)


def _typed(query: Query, forms: _Forms) -> Query:
    """A query in which types that there are not have become words."""
    found = {mark: word for mark in query.marks if (word := forms.word(mark))}
    hidden = {mark: word for mark in query.without_marks if (word := forms.word(mark))}
    return replace(
        query,
        terms=tuple(dict.fromkeys((*query.terms, *found.values()))),
        without=tuple(dict.fromkeys((*query.without, *hidden.values()))),
        marks=tuple(mark for mark in query.marks if mark not in found),
        without_marks=tuple(mark for mark in query.without_marks if mark not in hidden),
    )


@dataclass(slots=True)
class _Forms:
    conn: sa.Connection
    begun: Tag | Mark | None = None
    notes: list[str] = field(default_factory=list)

    def term(self, term: Term) -> Term:
        if not term.written:
            return term
        if lexical.count(self.conn, lexical.all_of([term]), MOST_READ + 1) <= MOST_READ:
            return term
        self.notes.append(
            f"“{term.text}” is read with its other forms: more than {MOST_READ:,} papers have one."
        )
        return replace(term, written=False)

    def word(self, mark: Mark) -> Term | None:
        """The word that a type becomes which there is not."""
        if mark.field != "type" or (mark == self.begun and continuations(self.conn, mark)):
            return None
        said = no_type(self.conn, mark.value)
        if not said:
            return None
        self.notes.append(said)
        term = Term(mark.value)
        return None if term.empty else term

    def leaf(self, leaf: Leaf | Not) -> Node:
        mark = leaf.leaf if isinstance(leaf, Not) else leaf
        if isinstance(mark, Mark):
            word = self.word(mark)
            return leaf if word is None else Not(word) if isinstance(leaf, Not) else word
        if isinstance(leaf, Not):
            return Not(self.term(leaf.leaf)) if isinstance(leaf.leaf, Term) else leaf
        return self.term(leaf) if isinstance(leaf, Term) else leaf


def _rebuilt(group: Group, parts: list[Node]) -> Node:
    return type(group)(tuple(parts))
