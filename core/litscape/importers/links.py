"""What records cite, as references that are linked once the cited work is in the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.paper import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def cited_references(keys: Iterable[str]) -> list[Reference]:
    """References for ids that a source cites by: its own ids, citekeys, or DOIs."""
    return [
        Reference(doi=normalise.doi_only(key) if "10." in key else None, source_id=plain_id(key))
        for key in keys
    ]


def plain_id(text: str) -> str:
    """An identifier with its scheme in the one form that papers have; other ids as they are.

    ``PMID:0012345`` is ``pmid:12345``, ``arXiv:1903.00001v2`` is ``arxiv:1903.00001``.
    """
    scheme, mark, value = text.partition(":")
    found = None
    if mark and scheme.lower() == "pmid":
        found = normalise.pmid(value)
    elif mark and scheme.lower() == "arxiv":
        found = normalise.arxiv(value)
    return f"{scheme.lower()}:{found}" if found else text


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
