"""Which values of facets a query asks for: its text is where choices are kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from litscape.reading import STATES
from litscape.search.clauses import (
    has_clause,
    values_of,
    with_clause,
    without_clause,
    without_field,
)
from litscape.search.numbers import read_span

if TYPE_CHECKING:
    from collections.abc import Mapping

FIELDS = {"read": "is"}
"""Facets whose field in queries is called otherwise."""
SINGLE = ("year", "venue", "type", "source", "read", "rating", "colour", "topic")
"""Facets of which a paper has one value: a second choice widens the result, as in ``A OR B``.

Of the others a paper may have several: a second choice narrows it to papers with both.
"""
DIGITS = {"year": 4, "rating": 1}
"""Facets of numbers, of which a range is chosen, and how many digits these have."""
_OR = re.compile(r"\bOR\b|\|")


@dataclass(frozen=True, slots=True)
class Choices:
    """The chosen values by facet.

    Attributes:
        wanted: of which a paper must have one (:data:`SINGLE`) or all; a year or rating is a range
            as typed.
        unwanted: of which it must have none.
        rest: the query without the wanted values of the facets in :data:`SINGLE`.
    """

    wanted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unwanted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rest: str = ""


def read_choices(query: str, facets: tuple[str, ...]) -> Choices:
    """The values of facets that a query asks for at its top."""
    wanted, unwanted = {}, {}
    rest = query
    for facet in facets:
        if found := _values(query, facet, negative=False):
            wanted[facet] = found
        if found := _values(query, facet, negative=True):
            unwanted[facet] = found
        if facet in SINGLE:
            rest = without_choice(rest, facet, wanted.get(facet, ()))
    return Choices(wanted, unwanted, rest.strip())


def _values(query: str, facet: str, *, negative: bool) -> tuple[str, ...]:
    name = FIELDS.get(facet, facet)
    values = values_of(query, name, negative=negative)
    if facet == "read":
        return tuple(one for one in values if one in STATES)
    if facet in DIGITS:
        # What is no year or rating is a word to the search: it chooses nothing.
        return values if len(values) == 1 and read_span(values[0], DIGITS[facet]) else ()
    # A word asked for in a field is no value of it.
    found = tuple(one for one in values if has_clause(query, name, one, negative=negative))
    if facet in SINGLE and len(found) > 1 and not negative and not _OR.search(query):
        return ()  # several at once, as nobody chooses them here: no paper has them
    return found


def without_choice(
    query: str, facet: str, values: tuple[str, ...], *, left_out: bool = False
) -> str:
    """A query that does not ask for some values of a facet, or against them."""
    name = FIELDS.get(facet, facet)
    for value in values:
        query = without_clause(query, name, value, negative=left_out)
    return query


def with_years(query: str, span: tuple[int | None, int | None] | None) -> str:
    """A query for some years, open where None, in place of those it asks for; None for all."""
    if span is None:
        return without_field(query, "year")
    first, last = ("" if year is None else f"{year:04d}" for year in span)
    return with_clause(query, "year", first if first == last else f"{first}..{last}")


def toggled(query: str, facet: str, value: str, *, leave_out: bool = False) -> str:
    """A query with a value chosen, or left out; without it where it is so already."""
    name = FIELDS.get(facet, facet)
    if has_clause(query, name, value, negative=leave_out):
        return without_clause(query, name, value, negative=leave_out)
    if facet == "read" and not leave_out:
        query = without_choice(query, facet, _values(query, facet, negative=False))
    return with_clause(query, name, value, negative=leave_out)
