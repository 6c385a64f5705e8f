"""What PubMed's tagged and XML records have in common: people, types, dates, works cited."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.importers.dates import DateParts, parse_date
from litscape.importers.people import from_parts, inverted, is_others
from litscape.paper import Author, Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_TYPES = {
    "book": "book",
    "books": "book",
    "book chapter": "incollection",
    "book section": "incollection",
    "dataset": "dataset",
    "video-audio media": "video",
    "webcast": "video",
    "academic dissertation": "thesis",
    "technical report": "report",
    "newspaper article": "article",
    "journal article": "article",
    "preprint": "article",
}
_SUFFIX = re.compile(r"(?:Jr|Sr|II|III|IV|V|1st|2nd|3rd|4th|5th|6th)\.?")
_SHORT = re.compile(r"(.*\S)\s+([A-Z][A-Za-z-]{0,5})(?:\s+(Jr|Sr|1st|2nd|3rd|4th|5th|6th)\.?)?")
_YEAR = re.compile(r"(?<![\d/:;-])((?:1[5-9]|20)\d\d)(?=[ ;:.,)a-z]|$)")


def full_name(text: str) -> Author | None:
    """A person as PubMed spells names out: ``Family, Given Middle Jr``."""
    family, comma, given = text.partition(",")
    if not comma:
        return Author(literal=text) if text else None
    tokens = given.split()
    suffix = tokens.pop() if len(tokens) > 1 and _SUFFIX.fullmatch(tokens[-1]) else None
    if suffix == "V" and len(tokens) == 1:
        # One letter behind a single given name is likelier an initial.
        tokens, suffix = [*tokens, "V"], None
    return from_parts(family, " ".join(tokens), suffix)


def short_name(text: str) -> Author | None:
    """A person as PubMed abbreviates names: ``Family FM Jr``."""
    found = _SHORT.fullmatch(text)
    if found and "," not in text and found[2].isupper():
        return from_parts(found[1], found[2], found[3])
    return inverted(text) if text else None


def people(names: Iterable[tuple[str, str]]) -> tuple[tuple[Author, ...], bool]:
    """Authors in order from full (``FAU``), short (``AU``) and bodies' names (``CN``).

    The short name that stands behind the full one is the same person.

    Returns:
        The authors, and whether the list says that there are more.
    """
    found: list[Author] = []
    more, spelled = False, False
    for tag, name in names:
        if is_others(name):
            more = True
        elif tag == "CN":
            found.append(Author(literal=name))
        elif tag == "FAU" or not spelled:
            person = full_name(name) if tag == "FAU" else short_name(name)
            found += [person] if person else []
        spelled = tag == "FAU"
    return tuple(found), more


def type_of(names: Sequence[str], *, journal: bool) -> str:
    """The type of a record from its publication types; in a journal all are articles."""
    known = [_TYPES[name.lower()] for name in names if name.lower() in _TYPES]
    special = next((kind for kind in known if kind != "article"), None)
    if special and not (journal and special in ("video", "dataset", "report")):
        return special
    return "article"


def term(text: str) -> str:
    """A subject heading with its qualifiers, without the stars of major topics."""
    return normalise.fold(text.replace("*", ""))


def heading(text: str) -> str:
    """A subject heading without its qualifiers."""
    return term(text).partition("/")[0]


def date(text: str) -> DateParts:
    """A date as PubMed writes it: ``2019 Mar-Apr``, ``2001 Winter``, ``1998 Dec-1999 Jan``."""
    return parse_date(text)


def reference(raw: str | None, doi: str | None = None, pmid: str | None = None) -> Reference:
    """A work cited; the PubMed id links it to the paper once that is in the library."""
    year = _YEAR.search(raw or "")
    return Reference(
        raw=raw,
        doi=doi or normalise.doi(raw or ""),
        year=int(year[1]) if year else None,
        source_id=f"pmid:{pmid}" if pmid else None,
    )
