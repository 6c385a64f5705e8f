"""What records cite, as references that are linked once the cited work is in the library."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.importers.patentsview import SCHEME as PATENT
from litscape.importers.patentsview import us_publication
from litscape.paper import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SERVICE = "service"
"""The part of a reference's ``extra`` that names the look-up service it comes from."""


def cited_references(keys: Iterable[str]) -> list[Reference]:
    """References for ids that a source cites by: its own ids, citekeys, or DOIs."""
    return [
        Reference(doi=normalise.doi_only(key) if "10." in key else None, source_id=plain_id(key))
        for key in keys
    ]


def plain_id(text: str) -> str:
    """An identifier with its scheme in the one form that papers have; other ids as they are.

    ``PMID:0012345`` is ``pmid:12345``, ``arXiv:1903.00001v2`` is ``arxiv:1903.00001``,
    ``US-5974396-A`` is ``patent:US5974396``.
    """
    if patent := us_publication(text):
        return f"{PATENT}:{patent}"
    scheme, mark, value = text.partition(":")
    found = None
    if mark and scheme.lower() == "pmid":
        found = normalise.pmid(value)
    elif mark and scheme.lower() == "arxiv":
        found = normalise.arxiv(value)
    return f"{scheme.lower()}:{found}" if found else text


def more_references(have: Sequence[Reference], more: Iterable[Reference]) -> tuple[Reference, ...]:
    """References with those added that are not among them yet, in order.

    One that is there gets what another of the same work tells and it lacks: a title and a DOI
    where only an id was known.
    """
    places: dict[tuple[str, object], set[int]] = {}
    result = list(have)
    for place, reference in enumerate(result):
        for mark in _marks(reference):
            places.setdefault(mark, set()).add(place)
    for reference in more:
        marks = _marks(reference)
        there = set[int]().union(*(places.get(mark, ()) for mark in marks))
        place = min(there, default=len(result))
        if not there:
            result.append(reference)
        elif len(there) == 1:
            result[place] = told_more(result[place], reference)
        for mark in marks:
            places.setdefault(mark, set()).add(place)
    return tuple(result)


def told_more(one: Reference, other: Reference) -> Reference:
    """A reference with what it lacks from another one to the same work.

    As it is where the two give different DOIs; what was said first stays.
    """
    lacks = {
        name: value
        for name in ("raw", "doi", "title", "year", "source_id")
        if getattr(one, name) is None and (value := getattr(other, name)) is not None
    }
    if not lacks or (one.doi and other.doi and one.doi != other.doi):
        return one
    extra = {**other.extra, **one.extra}
    if SERVICE in other.extra and SERVICE not in one.extra:
        del extra[SERVICE]  # its link is still the source's that named the work first
    return replace(one, **lacks, extra=extra)


def _marks(reference: Reference) -> list[tuple[str, object]]:
    """What tells a reference from others; without any identifier, its text."""
    marks: list[tuple[str, object]] = []
    if reference.doi:
        marks.append(("doi", reference.doi))
    if reference.source_id:
        marks.append(("id", reference.source_id))
    return marks or [("text", (reference.raw, reference.title, reference.year))]
