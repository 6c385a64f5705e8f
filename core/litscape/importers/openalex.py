"""OpenAlex: works from its API, as JSON or one a line, with what they cite."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from litscape.importers import normalise
from litscape.importers.csl_fields import as_text
from litscape.importers.dates import FIRST_YEAR, LAST_YEAR, DateParts, parse_date
from litscape.importers.json_records import read_items
from litscape.importers.json_values import inside, line, members, named, rest, whole
from litscape.importers.markup import abstract
from litscape.importers.people import natural
from litscape.importers.record_types import from_csl
from litscape.paper import Author, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import SourceText
    from litscape.importers.outcome import Piece
    from litscape.paper import ImportProblem

_ID = re.compile(
    r'"(?:id|openalex)"\s*:\s*"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)?W\d+"', re.I
)
_OWN = re.compile(r'"(?:authorships|abstract_inverted_index|referenced_works|host_venue)"\s*:')
_EXPORT = re.compile(r'^\{[^\n]*"citekey_aliases"\s*:')
_WORK = re.compile(r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)?(W\d+)", re.I)
_TYPES = {
    "editorial": "article",
    "erratum": "article",
    "letter": "article",
    "paratext": "misc",
    "peer-review": "review",
    "posted-content": "article",
    "preprint": "article",
    "review": "article",
    "supplementary-materials": "misc",
    "libguides": "online",
    "reference-entry": "inreference",
    "grant": "misc",
}
_FINER = frozenset({"proceedings-article", "book-chapter", "dissertation", "book", "monograph"})
_USED = frozenset(
    [
        "id",
        "ids",
        "doi",
        "title",
        "display_name",
        "authorships",
        "publication_year",
        "publication_date",
        "abstract_inverted_index",
        "abstract",
        "referenced_works",
        "biblio",
        "keywords",
        "topics",
        "primary_topic",
        "is_authors_truncated",
        "language_of_title",
        "type",
    ]
)
_CONCEPT_SCORE = 0.3


def work_id(text: Any) -> str | None:
    """The id of a work, bare: ``W123``; None where it is none."""
    found = _WORK.fullmatch(as_text(text))
    return found[1].upper() if found else None


def inverted(index: Any) -> str | None:
    """The text of an inverted index: words with the places where they stand."""
    if isinstance(index, str):
        try:
            index = json.loads(index)
        except (ValueError, RecursionError):
            return None
    if not isinstance(index, Mapping):
        return None
    if isinstance(index.get("InvertedIndex"), Mapping):
        index = index["InvertedIndex"]
    places = [
        (place, str(word))
        for word, at in index.items()
        for place in members(at)
        if isinstance(place, int)
    ]
    return " ".join(word for _, word in sorted(places, key=lambda one: one[0])) or None


def _authors(record: Mapping[str, Any]) -> tuple[tuple[Author, ...], bool]:
    people = []
    for one in members(record.get("authorships")):
        name = line(inside(one, "author", "display_name")) or line(inside(one, "raw_author_name"))
        if name:
            people.append(natural(name))
    return tuple(people), record.get("is_authors_truncated") is True


def _date(record: Mapping[str, Any]) -> DateParts:
    """The year; month and day where they are told: 1 January stands for a year alone."""
    said = parse_date(as_text(record.get("publication_date")))
    year = whole(record.get("publication_year")) or said.year
    if year is None or not FIRST_YEAR <= year <= LAST_YEAR:
        return DateParts(None, as_text(record.get("publication_year")) or None)
    if said.year != year or (said.month, said.day) == (1, 1):
        return DateParts(year)
    return DateParts(year, None, said.month, None, said.day)


def _type(record: Mapping[str, Any]) -> str | None:
    word = (line(record.get("type")) or "").lower()
    finer = (line(record.get("type_crossref")) or "").lower()
    if finer in _FINER and word in ("article", ""):
        word = finer
    return _TYPES.get(word) or from_csl(word)


def _source(record: Mapping[str, Any]) -> Any:
    """The journal, book or repository that the work appeared in."""
    primary = inside(record, "primary_location", "source")
    if isinstance(primary, Mapping):
        return primary
    old = record.get("host_venue")
    if isinstance(old, Mapping) and old.get("display_name"):
        return old
    places = (inside(place, "source") for place in members(record.get("locations")))
    return next((place for place in places if isinstance(place, Mapping)), None)


def _pages(record: Mapping[str, Any]) -> str | None:
    first, last = (line(inside(record, "biblio", key)) for key in ("first_page", "last_page"))
    if first and last and first != last:
        return normalise.pages(f"{first}-{last}")
    return first or last


def _identifiers(record: Mapping[str, Any], source: Any, number: str | None) -> dict[str, str]:
    found = {
        "openalex": number,
        "mag": line(inside(record, "ids", "mag")),
        "pmcid": _pmcid(as_text(inside(record, "ids", "pmcid"))),
        "issn": normalise.issn(as_text(inside(source, "issn_l"))),
    }
    return {name: one for name, one in found.items() if one}


def _pmcid(text: str) -> str | None:
    found = re.search(r"(?:PMC|/)(\d{3,9})/?$", text, re.I)
    return f"PMC{found[1]}" if found else None


def _arxiv(record: Mapping[str, Any], doi: str | None) -> str | None:
    if doi and "arxiv" in doi:
        return normalise.arxiv(doi)
    places = [record.get("primary_location"), *members(record.get("locations"))]
    for place in places:
        for key in ("landing_page_url", "pdf_url"):
            address = as_text(inside(place, key))
            if "arxiv.org/" in address:
                return normalise.arxiv(address)
    return None


def topics_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Topics, else the older concepts that are no mere guesses."""
    found = list(named(record.get("topics"), "display_name"))
    if not found:
        found = list(named([record.get("primary_topic")], "display_name"))
    if not found:
        sure = [
            one
            for one in members(record.get("concepts"))
            if not isinstance(inside(one, "score"), int | float)
            or inside(one, "score") >= _CONCEPT_SCORE
        ]
        found = list(named(sure, "display_name"))
    return tuple(dict.fromkeys(found))


def headings_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Medical subject headings (MeSH), without their qualifiers."""
    return tuple(dict.fromkeys(named(record.get("mesh"), "descriptor_name")))


def _cited(record: Mapping[str, Any]) -> tuple[str, ...]:
    works = map(work_id, members(record.get("referenced_works")))
    return tuple(dict.fromkeys(f"openalex:{work}" for work in works if work))


def draft_of(record: Mapping[str, Any], piece: Piece) -> PaperDraft | None:
    """One work as a draft; None where the object describes none.

    Args:
        record: the object.
        piece: the record as in the file.
    """
    number = work_id(record.get("id")) or work_id(inside(record, "ids", "openalex"))
    title = line(record.get("title")) or line(record.get("display_name"))
    if number is None and title is None:
        return None
    source, date = _source(record), _date(record)
    authors, more = _authors(record)
    doi = normalise.doi(as_text(record.get("doi")) or as_text(inside(record, "ids", "doi")))
    text = inverted(record.get("abstract_inverted_index")) or as_text(record.get("abstract"))
    return PaperDraft(
        type=_type(record),
        title=title,
        authors=authors,
        more_authors=more,
        year=date.year,
        year_raw=date.year_raw,
        month=date.month,
        day=date.day,
        venue=line(inside(source, "display_name")),
        publisher=line(inside(source, "host_organization_name"))
        or line(inside(source, "publisher")),
        volume=line(inside(record, "biblio", "volume")),
        issue=line(inside(record, "biblio", "issue")),
        pages=_pages(record),
        doi=doi,
        arxiv=_arxiv(record, doi),
        pmid=normalise.pmid(as_text(inside(record, "ids", "pmid"))),
        url=line(inside(record, "primary_location", "landing_page_url"))
        or line(inside(record, "host_venue", "url")),
        abstract=abstract(text) if text else None,
        keywords=tuple(dict.fromkeys(named(record.get("keywords"), "display_name", "keyword"))),
        fields=tuple(dict.fromkeys((*topics_of(record), *headings_of(record)))),
        cites=_cited(record),
        identifiers=_identifiers(record, source, number),
        source_id=f"openalex:{number}" if number else None,
        raw_fields=rest(record, _USED),
        raw=piece.raw,
        line=piece.line,
        index=piece.index,
    )


class OpenAlexImporter:
    """Works as OpenAlex gives them."""

    kind = "openalex"
    title = "OpenAlex"
    suffixes = (".json", ".jsonl", ".jsonl.gz", ".json.gz")

    def recognises(self, head: str) -> float:
        """Sure where JSON holds ids of OpenAlex and keys that only it has."""
        start = head.lstrip("\ufeff \t\r\n")
        if not start.startswith(("[", "{")) or _EXPORT.search(start):
            return 0.0
        own, named_so = bool(_OWN.search(start)), bool(_ID.search(start))
        if own and named_so:
            return 0.98
        return 0.96 if named_so else 0.94 if own and '"publication_year"' in start else 0.0

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each work as a draft, or as a problem with its index and line."""
        yield from read_items(source, draft_of, progress)
