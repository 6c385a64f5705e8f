"""CSL JSON, for pandoc and other citation processors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TextIO

from litscape.exporters.base import as_given
from litscape.importers import normalise
from litscape.importers.csl_fields import MARKS
from litscape.importers.exact_notes import NOTES_FIELD, altered
from litscape.importers.people import from_parts
from litscape.importers.record_types import CSL, from_csl, to_csl
from litscape.reading import told

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.exporters.base import Part
    from litscape.paper import Author, Paper

_SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}
_VARIABLE_NAMES = (
    "accessed annote archive archive-place archive_location authority call-number chair"
    " chapter-number citation-label citation-number collection-editor collection-number"
    " collection-title compiler composer container-author container-title-short contributor curator"
    " dimensions director division edition editor editorial-director event-date event-place"
    " event-title event executive-producer genre guest host illustrator interviewer jurisdiction"
    " language license locator medium narrator number number-of-pages number-of-volumes organizer"
    " original-author original-date original-publisher original-publisher-place original-title"
    " page-first part-number part-title performer PMCID producer publisher-place recipient"
    " references reviewed-author reviewed-genre reviewed-title scale script-writer section"
    " series-creator source status submitted supplement-number title-short translator version"
    " volume-title year-suffix categories shortTitle journalAbbreviation"
)
_OWN = frozenset({"type", "issued", "isbn", "issn", "doi", "pmid", "url", "custom"})
_VARIABLES = {name.lower(): name for name in _VARIABLE_NAMES.split()}


def _author(author: Author) -> dict[str, str]:
    if author.literal is not None:
        return {"literal": author.literal}
    family = author.family
    if family and not author.particle and from_parts(family, author.given, author.suffix) != author:
        family = f'"{family}"'  # as citation processors have it: nothing in it is a particle
    parts = {
        "family": family,
        "given": author.given,
        "non-dropping-particle": author.particle,
        "suffix": author.suffix,
    }
    return {name: part for name, part in parts.items() if part}


def _issued(paper: Paper) -> dict[str, Any]:
    date: dict[str, Any] = {}
    if paper.year:
        parts = [paper.year, paper.month, paper.day if paper.month else None]
        date["date-parts"] = [[part for part in parts if part]]
    if paper.year_raw:
        date["literal"] = paper.year_raw
    if paper.month_raw:
        date["season"] = _SEASONS.get(paper.month_raw.lower(), paper.month_raw)
    return date


def _keywords(words: tuple[str, ...]) -> str:
    text = "; ".join(words)
    return f"{text};" if len(words) == 1 and "," in text else text


def _raw(paper: Paper) -> dict[str, Any]:
    """Raw fields as the variables that they are; all others inside ``custom``."""
    found: dict[str, Any] = {}
    custom: dict[str, Any] = {MARKS: marks} if (marks := told(paper)) else {}
    if altered(paper.notes):
        custom[NOTES_FIELD] = list(paper.notes)
    for name, text in paper.raw_fields.items():
        variable = _VARIABLES.get(name)
        if variable:
            found[variable] = _value(text)
        elif name not in _OWN:
            custom[name] = text
    return {**found, "custom": custom} if custom else found


def _value(text: str) -> Any:
    if text.startswith(("[", "{")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def _type(paper: Paper) -> str:
    """CSL's own word where one says the same; else the source's, so that it comes back."""
    given = paper.raw_fields.get("type")
    meant = to_csl(paper.type)
    if not given or from_csl(given) != paper.type:
        return meant
    return given if given in CSL or from_csl(meant) != paper.type else meant


def _unclear(paper: Paper) -> bool:
    """Whether the key could be taken for an address, or another one for the key."""
    told = any("citation key" in note.casefold() for note in paper.notes)
    return told or paper.citekey.startswith("http")


def item(paper: Paper) -> dict[str, Any]:
    """One paper as a CSL item; variables without a value are left out."""
    authors = [_author(author) for author in paper.authors]
    if paper.more_authors:
        authors.append({"literal": "et al."})
    in_arxiv = {"archive": "arXiv", "number": f"arXiv:{paper.arxiv}"} if paper.arxiv else {}
    variables = {
        "id": paper.citekey,
        "citation-key": paper.citekey if _unclear(paper) else None,
        "type": _type(paper),
        "title": paper.title,
        "author": authors,
        "issued": _issued(paper),
        "container-title": paper.venue,
        "publisher": paper.publisher,
        "volume": paper.volume,
        "issue": paper.issue,
        "page": paper.pages,
        "DOI": paper.doi,
        "PMID": paper.pmid,
        "ISBN": as_given(paper, "isbn", paper.isbn, normalise.isbn),
        "ISSN": as_given(paper, "issn", paper.identifiers.get("issn"), normalise.issn),
        "URL": paper.url,
        "abstract": paper.abstract,
        "keyword": _keywords(paper.keywords),
        "note": "\n\n".join(paper.notes),
    }
    known = {name: value for name, value in variables.items() if value}
    return {**_raw(paper), **in_arxiv, **known}


class CslJsonExporter:
    """A list of CSL items."""

    kind = "csl-json"
    title = "CSL JSON"
    suffix = ".json"

    def write(self, papers: Iterable[Paper], stream: TextIO, part: Part | None = None) -> int:
        """Write one list with an item a paper; returns how many."""
        number = 0
        for number, paper in enumerate(papers, start=1):
            stream.write("[\n" if number == 1 else ",\n")
            stream.write(json.dumps(item(paper), ensure_ascii=False, indent=1))
        stream.write("\n]\n" if number else "[]\n")
        return number
