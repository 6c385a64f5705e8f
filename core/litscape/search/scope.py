"""From the parts of a query that are not plain words to the papers that may be found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from litscape.near import no_such
from litscape.paper import PaperFilter
from litscape.search.groups import expression
from litscape.search.marks import marked
from litscape.search.parts import AllOf, AnyOf, Mark, Not, Tag, YearRange, fold
from litscape.search.unfinished import awaited, continuations
from litscape.store import letters, lexical
from litscape.store.conditions import EVERYTHING, NOTHING, among, inverse, joined, matching, passing
from litscape.store.lexical import Scope
from litscape.store.tags import tag_counts, tag_name

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.search.marks import Inside
    from litscape.search.parts import Group, Leaf
    from litscape.search.query import Query
    from litscape.store.conditions import Condition
    from litscape.store.lexical import Term

_ONE_OF = {"type": "types", "venue": "venues", "source": "sources", "colour": "colours"}
"""Marks of which a paper has one, and the filter's field that takes several to choose from."""


def scope_of(
    conn: sa.Connection, query: Query, flt: PaperFilter | None, inside: Inside | None = None
) -> tuple[Scope, tuple[str, ...]]:
    """The filter joined with what a query asks for besides words, and notes on what is not there.

    Groups of nothing but words are no part of it where the text index finds them by itself. Tags
    are found whatever the case of their letters; a filter's tags are looked up as well.
    ``inside`` finds papers by the text of their PDFs.
    """
    lookup = _Lookup(conn, bool(flt and flt.trashed), inside, query.begun)
    wanted = flt or PaperFilter()
    names = [lookup.tag(name) for name in wanted.tags]
    names += [lookup.tag(name) for name in query.tags if not lookup.is_begun(Tag(name))]
    wanted = replace(wanted, tags=tuple(names))
    for years in query.years:
        wanted = _within(wanted, years)
    for mark in query.marks:
        if lookup.is_begun(mark):
            continue
        found = marked(conn, wanted, mark, lookup.notes, inside)
        wanted = replace(wanted, ids=frozenset()) if found is None else found
    others = [lookup.others(term) for term in query.terms if term.column == "authors_text"]
    unwanted = [lookup.filter(Tag(name)) for name in query.without_tags]
    unwanted += [lookup.filter(years) for years in query.without_years]
    unwanted += [lookup.filter(mark) for mark in query.without_marks]
    conditions = [one for one in others if one is not None]
    conditions += [inverse(lookup.named(term)) for term in query.without_written]
    conditions += [lookup.group(one) for one in query.groups if expression(one) is None]
    scope = scope_within(wanted, tuple(one for one in unwanted if one is not None))
    scope = replace(scope, conditions=tuple(conditions))
    if query.awaited:
        lookup.notes.append(f"“{query.awaited}” waits for what comes next.")
    return scope, tuple(dict.fromkeys(lookup.notes))


def scope_within(flt: PaperFilter | None, unwanted: tuple[PaperFilter, ...] = ()) -> Scope:
    """The scope of a filter; one that lets through all live papers is as good as none."""
    return Scope(None if flt == PaperFilter() else flt, unwanted)


@dataclass(slots=True)
class _Lookup:
    """Turns parts of a query into filters and conditions, and notes what is not there."""

    conn: sa.Connection
    trashed: bool
    inside: Inside | None
    begun: Tag | Mark | None = None
    notes: list[str] = field(default_factory=list)

    def is_begun(self, part: Tag | Mark) -> bool:
        """Whether a part is still being typed, and names nothing so far but may yet do so."""
        if part != self.begun:
            return False
        told = _Lookup(self.conn, self.trashed, self.inside)
        told.filter(part)
        found = continuations(self.conn, part) if told.notes else ()
        if found:
            self.notes.append(awaited(part, found))
        return bool(found)

    def tag(self, name: str) -> str:
        found = tag_name(self.conn, name)
        if found is None:
            known = (one for one, _count in tag_counts(self.conn))
            self.notes.append(no_such("tag", name, known))
        return found or name

    def filter(self, part: Tag | YearRange | Mark) -> PaperFilter | None:
        """The filter for one part alone; None where it names nothing there is."""
        anything = PaperFilter(trashed=self.trashed)
        if isinstance(part, Tag):
            return replace(anything, tags=(self.tag(part.name),))
        if isinstance(part, YearRange):
            return _within(anything, part)
        return marked(self.conn, anything, part, self.notes, self.inside)

    def others(self, term: Term) -> Condition | None:
        """That authors who are found for a name have it; None where all of them do."""
        count, others = letters.named(self.conn, term)
        if others and len(others) == count:
            self.notes.append(f"No author is called “{term.text}{'…' if term.prefix else ''}”.")
        return inverse(among(others)) if others else None

    def named(self, term: Term) -> Condition:
        """That a word stands there as it is written, one for authors as the name of one."""
        if term.column != "authors_text":
            return letters.standing(term)
        _count, others = letters.named(self.conn, term)
        by_stem = matching(lexical.all_of([term]))
        return joined(self.conn, "AND", [by_stem, inverse(among(others))]) if others else by_stem

    def group(self, group: Group) -> Condition:
        """The condition of a group, however deep."""
        return self._choice(group) or fold(group, self._leaf, self._join)

    def _leaf(self, leaf: Leaf | Not) -> Condition:
        if isinstance(leaf, Not):
            return inverse(self._leaf(leaf.leaf))
        if isinstance(leaf, Tag | Mark) and self.is_begun(leaf):
            return EVERYTHING
        if isinstance(leaf, Tag | YearRange | Mark):
            found = self.filter(leaf)
            return NOTHING if found is None else passing(found)
        if leaf.written or leaf.column == "authors_text":
            return self.named(leaf)
        return matching(lexical.all_of([leaf]))

    def _join(self, group: Group, parts: list[Condition]) -> Condition:
        return joined(self.conn, "AND" if isinstance(group, AllOf) else "OR", parts)

    def _choice(self, group: Group) -> Condition | None:
        """One of several types, venues, sources or colours is one condition."""
        marks = [part for part in group.parts if isinstance(part, Mark)]
        names = {mark.field for mark in marks}
        if not isinstance(group, AnyOf) or len(marks) < len(group.parts) or len(names) > 1:
            return None
        name = _ONE_OF.get(marks[0].field)
        if name is None:
            return None
        found = [flt for mark in marks if (flt := self.filter(mark)) is not None]
        values = dict.fromkeys(value for flt in found for value in getattr(flt, name))
        one_of: dict[str, Any] = {name: tuple(values)}
        return passing(PaperFilter(trashed=self.trashed, **one_of)) if values else NOTHING


def _within(flt: PaperFilter, years: YearRange) -> PaperFilter:
    """The filter with its years narrowed to a range."""
    first = [year for year in (flt.year_from, years.first) if year is not None]
    last = [year for year in (flt.year_to, years.last) if year is not None]
    return replace(flt, year_from=max(first, default=None), year_to=min(last, default=None))
