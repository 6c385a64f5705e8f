"""From the fields of a query that are not words to the papers that may be found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.near import no_such
from litscape.paper import PaperFilter
from litscape.search.marks import marked
from litscape.store import lexical
from litscape.store.lexical import Scope
from litscape.store.tags import tag_counts

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.search.marks import Inside
    from litscape.search.query import Query, YearRange


def scope_of(
    conn: sa.Connection, query: Query, flt: PaperFilter | None, inside: Inside | None = None
) -> tuple[Scope, tuple[str, ...]]:
    """The filter joined with a query's years, tags and marks, and notes on what does not exist.

    Tags are found whatever the case of their letters; a filter's tags are looked up as well.
    ``inside`` finds papers by the text of their PDFs.
    """
    notes: list[str] = []
    wanted = flt or PaperFilter()
    names = [_tag(conn, name, notes) for name in (*wanted.tags, *query.tags)]
    wanted = replace(wanted, tags=tuple(names))
    for years in query.years:
        wanted = _within(wanted, years)
    for mark in query.marks:
        found = marked(conn, wanted, mark, notes, inside)
        wanted = replace(wanted, ids=frozenset()) if found is None else found
    anything = PaperFilter(trashed=wanted.trashed)
    unwanted = [replace(anything, tags=(_tag(conn, name, notes),)) for name in query.without_tags]
    unwanted += [_within(anything, years) for years in query.without_years]
    excluded = (marked(conn, anything, mark, notes, inside) for mark in query.without_marks)
    unwanted += [one for one in excluded if one is not None]
    return scope_within(wanted, tuple(unwanted)), tuple(dict.fromkeys(notes))


def scope_within(flt: PaperFilter | None, unwanted: tuple[PaperFilter, ...] = ()) -> Scope:
    """The scope of a filter; one that lets through all live papers is as good as none."""
    return Scope(None if flt == PaperFilter() else flt, unwanted)


def _tag(conn: sa.Connection, name: str, notes: list[str]) -> str:
    found = lexical.tag_name(conn, name)
    if found is None:
        notes.append(no_such("tag", name, (known for known, _count in tag_counts(conn))))
    return found or name


def _within(flt: PaperFilter, years: YearRange) -> PaperFilter:
    """The filter with its years narrowed to a range."""
    first = [year for year in (flt.year_from, years.first) if year is not None]
    last = [year for year in (flt.year_to, years.last) if year is not None]
    return replace(flt, year_from=max(first, default=None), year_to=min(last, default=None))
