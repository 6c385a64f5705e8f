"""RIS as reference managers read it: one tag a line, repeated for lists."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TextIO

from litscape.importers.dates import DateParts
from litscape.importers.exact_notes import NOTES_SIGN, altered, notes_text
from litscape.importers.normalise import fold
from litscape.importers.people import inverted
from litscape.importers.record_types import from_ris, to_ris
from litscape.importers.ris_fields import (
    KEY_SIGN,
    KEY_TAG,
    MARK_SIGN,
    WHOLE_TYPES,
    date_of,
    date_text,
    plain_key,
)
from litscape.importers.ris_tags import tags_line
from litscape.reading import told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litscape.exporters.base import Part
    from litscape.paper import Author, Paper

_TAG = re.compile(r"[a-z][a-z0-9]")
_LISTS = frozenset({"a1", "a2", "a3", "a4", "ta", "ed", "ur", "sn", "l1", "l2", "l4", "an", "m1"})
_NEVER = frozenset({"ty", "er", "id"})
_RANGE = re.compile(r"([^-\s]+)-([^-\s]+)")


def _name(author: Author) -> str:
    if author.literal is not None:
        # A comma at the end marks a body where its name alone would be read as a person's.
        text = author.literal
        return text if inverted(text) == author else f"{text},"
    return ", ".join(filter(None, (author.short, author.given, author.suffix)))


def _type(paper: Paper) -> str:
    given = paper.raw_fields.get("ty")
    return given if given and from_ris(given) == paper.type else to_ris(paper.type)


def _dates(paper: Paper) -> Iterator[tuple[str, str]]:
    year = paper.year_raw or (str(paper.year) if paper.year else "")
    found = [("PY", year)] if year else []
    if paper.year and (paper.month or paper.month_raw):
        month = f"{paper.month:02d}" if paper.month else ""
        day = f"{paper.day:02d}" if paper.month and paper.day else ""
        found.append(("DA", f"{paper.year}/{month}/{day}/{paper.month_raw or ''}"))
    yield from found
    own = DateParts(paper.year, paper.year_raw, paper.month, paper.month_raw, paper.day)
    if date_of([text for _tag, text in found]) != own:
        yield KEY_TAG, date_text(own)


def _pages(pages: str | None) -> Iterator[tuple[str, str]]:
    if pages:
        found = _RANGE.fullmatch(pages)
        parted = found is not None and found[1] != found[2]
        yield "SP", found[1] if found and parted else pages
        if found and parted:
            yield "EP", found[2]


def _identifiers(paper: Paper) -> Iterator[tuple[str, str | None]]:
    yield "DO", paper.doi
    yield "SN", paper.isbn
    yield "SN", paper.identifiers.get("issn")
    yield "AN", f"arXiv:{paper.arxiv}" if paper.arxiv else None
    yield "AN", f"PMID: {paper.pmid}" if paper.pmid else None


def _references(paper: Paper) -> str | None:
    """The works cited in the form of Scopus: one note, parted by semicolons."""
    texts = (
        one.raw or ", ".join(filter(None, (one.title, str(one.year or ""), one.doi)))
        for one in paper.references
    )
    listed = "; ".join(text.replace(";", ",") for text in texts if text)
    return f"References: {listed}" if listed else None


def _raw(paper: Paper) -> Iterator[tuple[str, str]]:
    for name, text in paper.raw_fields.items():
        if _TAG.fullmatch(name) and name not in _NEVER:
            for value in text.split("; ") if name in _LISTS else [text]:
                yield name.upper(), value


def _fields(paper: Paper) -> Iterator[tuple[str, str | None]]:
    yield "TY", _type(paper)
    number, key = paper.raw_fields.get("id"), paper.citekey
    yield "ID", number or key
    yield "LB", key if number else None
    if plain_key(key) is None or (number and plain_key(number) is not None):
        yield KEY_TAG, f"{KEY_SIGN}{key}"
    yield "TI", paper.title
    for author in paper.authors:
        yield "AU", _name(author)
    if paper.more_authors:
        yield "AU", "et al."
    yield from _dates(paper)
    # The type as it will be read: a manual is written as a book.
    kind = from_ris(_type(paper))
    article = kind == "article" or kind in WHOLE_TYPES
    yield "JF" if article else "T2", paper.venue
    yield "VL", paper.volume
    yield "IS", paper.issue
    yield from _pages(paper.pages)
    yield "PB", paper.publisher
    yield from _identifiers(paper)
    yield "UR", paper.url
    for paragraph in (paper.abstract or "").split("\n\n"):
        yield "AB", paragraph
    for keyword in paper.keywords:
        yield "KW", keyword
    for tag in paper.tags:
        yield "KW", tag
    if paper.tags:
        yield KEY_TAG, tags_line(paper.tags)
    for note in paper.notes:
        yield "N1", note
    if altered(paper.notes):
        yield KEY_TAG, NOTES_SIGN + notes_text(paper.notes)
    yield "N1", _references(paper)
    if marks := told(paper):
        yield KEY_TAG, MARK_SIGN + json.dumps(marks)
    for link in paper.files:
        yield "L1", link.path
    yield from _raw(paper)


class RisExporter:
    """One record a paper."""

    kind = "ris"
    title = "RIS"
    suffix = ".ris"

    def write(self, papers: Iterable[Paper], stream: TextIO, part: Part | None = None) -> int:
        """Write one record a paper; returns how many."""
        number = 0
        for paper in papers:
            number += 1
            lines = [f"{tag}  - {fold(value)}" for tag, value in _fields(paper) if value]
            stream.write("\n".join([*lines, "ER  - ", "", ""]))
        return number
