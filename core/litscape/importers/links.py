"""What records cite, as references that are linked once the cited work is in the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.importers.normalise import doi_only
from litscape.paper import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def cited_references(keys: Iterable[str]) -> list[Reference]:
    """References for ids that a source cites by: its own ids, citekeys, or DOIs."""
    return [Reference(doi=doi_only(key) if "10." in key else None, source_id=key) for key in keys]


def more_references(have: Sequence[Reference], more: Iterable[Reference]) -> tuple[Reference, ...]:
    """References with those added that are not among them yet, in order."""
    known = {mark for reference in have for mark in _marks(reference)}
    result = list(have)
    for reference in more:
        marks = _marks(reference)
        if not known.intersection(marks):
            result.append(reference)
            known.update(marks)
    return tuple(result)


def _marks(reference: Reference) -> list[tuple[str, object]]:
    """What tells a reference from others; without any identifier, its text."""
    marks: list[tuple[str, object]] = []
    if reference.doi:
        marks.append(("doi", reference.doi))
    if reference.source_id:
        marks.append(("id", reference.source_id))
    return marks or [("text", (reference.raw, reference.title, reference.year))]
