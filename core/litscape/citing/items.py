"""A paper as an item that a citation processor formats: only what styles use, in sound form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from litscape.exporters.csl_json import item
from litscape.importers.csl_fields import read_authors
from litscape.importers.markup import plain
from litscape.importers.names import parse_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.paper import Author, Paper

MORE = "\ue000"
"""Stands in a list of names for those that the library does not know."""
_TEXTS = (
    *("container-title", "publisher", "volume", "issue", "page", "DOI", "URL", "edition"),
    *("publisher-place", "collection-title", "collection-number", "number", "genre", "ISBN"),
)
_WORK_OF = {"phdthesis": "Doctoral dissertation", "mastersthesis": "Master’s thesis"}


def citation_item(paper: Paper) -> dict[str, Any]:
    """One paper; its ``id`` is the paper's own as text."""
    given = item(paper)
    texts = {name: given.get(name) for name in _TEXTS}
    # Imports take mark-up out of titles; one that a person typed may still have some.
    texts["title"] = plain(paper.title or "").rstrip(". ") or "Untitled"
    texts["container-title"] = plain(paper.venue or "")
    texts["genre"] = texts["genre"] or _WORK_OF.get(paper.raw_fields.get("type", ""))
    people = {"author": _names(paper.authors), "editor": _names(_editors(given.get("editor")))}
    if people["author"] and paper.more_authors:
        people["author"].append({"literal": MORE})
    return {
        "id": str(paper.id),
        "type": given["type"] or "document",
        **{name: text for name, text in texts.items() if text and isinstance(text, str)},
        **{role: names for role, names in people.items() if names},
        **_issued(paper),
    }


def _issued(paper: Paper) -> dict[str, Any]:
    if paper.year is None:
        return {"issued": {"literal": paper.year_raw}} if paper.year_raw else {}
    parts = [paper.year, paper.month, paper.day if paper.month else None]
    return {"issued": {"date-parts": [[part for part in parts if part]]}}


def _editors(given: Any) -> tuple[Author, ...]:
    """The editors, which the library keeps as their source wrote them."""
    if isinstance(given, str) and given.startswith("["):
        try:
            given = json.loads(given)
        except ValueError:
            return ()
    if isinstance(given, str):
        return tuple(parse_names(given)[0])
    return read_authors(given)[0] if given else ()


def _names(people: Iterable[Author]) -> list[dict[str, str]]:
    return [name for name in map(_name, people) if name]


def _name(one: Author) -> dict[str, str]:
    # Initials are for names with capitals: others, also those of people who write theirs without
    # (bell hooks), are written out as their readers do.
    if one.literal or not one.family or not _has_capitals(one.given):
        return {"literal": one.display} if one.display else {}
    given, dropping = _parted(one.given or "")
    parts = {
        "family": one.family,
        "given": given,
        "dropping-particle": dropping,
        "non-dropping-particle": one.particle,
        "suffix": one.suffix,
    }
    return {key: part for key, part in parts.items() if part}


def _parted(given: str) -> tuple[str, str]:
    """Given names, and the particle that follows them in ``Family, Given de la``."""
    words = given.split(" ")
    end = len(words)
    while end > 1 and words[end - 1][:1].islower():
        end -= 1
    return " ".join(words[:end]), " ".join(words[end:])


def _has_capitals(text: str | None) -> bool:
    if text is None:
        return True
    cased = any(sign.isupper() or sign.islower() for sign in text)
    return cased and not text[:1].islower()
