"""Semantic Scholar: papers from its API and data sets, with what they cite."""

from __future__ import annotations

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
from litscape.importers.record_types import canonical
from litscape.paper import PaperDraft, Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import SourceText
    from litscape.importers.outcome import Piece
    from litscape.paper import ImportProblem

_ID = re.compile(r'"(?:paperId|paper_id)"\s*:\s*"[0-9a-f]{40}"|"corpus[iI]d"\s*:\s*"?\d+')
_OWN = re.compile(
    r'"(?:external[iI]ds|s2[fF]ields[oO]f[sS]tudy|publication[tT]ypes|influentialCitationCount'
    r'|openAccessPdf|publicationVenue|authorId|citedPaper|citingPaper|isInfluential)"\s*:'
)
_PAPER = re.compile(r'"paperId"\s*:')
_EXPORT = re.compile(r'^\{[^\n]*"citekey_aliases"\s*:')
_TYPES = {
    "book": "book",
    "booksection": "incollection",
    "casereport": "article",
    "clinicaltrial": "article",
    "conference": "inproceedings",
    "dataset": "dataset",
    "editorial": "article",
    "journalarticle": "article",
    "lettersandcomments": "article",
    "metaanalysis": "article",
    "news": "article",
    "review": "article",
    "study": "article",
}
_WEAK = frozenset({"review", "study", "editorial", "metaanalysis", "casereport", "clinicaltrial"})
_SCHEMES = {"mag": "mag", "acl": "acl", "dblp": "dblp", "corpusid": "corpus_id"}
_USED = frozenset(
    [
        "paperid",
        "paper_id",
        "corpusid",
        "externalids",
        "title",
        "abstract",
        "year",
        "publicationdate",
        "venue",
        "journal",
        "publicationvenue",
        "authors",
        "fieldsofstudy",
        "s2fieldsofstudy",
        "publicationtypes",
        "references",
        "url",
        "outcitations",
    ]
)


def _lower(value: Any) -> dict[str, Any]:
    """An object with its keys in lower case: the API and the data sets write them otherwise."""
    if not isinstance(value, Mapping):
        return {}
    return {str(key).lower(): one for key, one in value.items()}


def _external(record: Mapping[str, Any]) -> dict[str, str]:
    ids = {key: as_text(one) for key, one in _lower(record.get("externalids")).items()}
    for key in ("doi", "arxivid", "pmid", "corpusid"):
        if record.get(key):
            ids.setdefault(
                key.removesuffix("id") if key == "arxivid" else key, as_text(record[key])
            )
    return {key: text for key, text in ids.items() if text}


def _paper_id(record: Mapping[str, Any]) -> str | None:
    return line(record.get("paperid")) or line(record.get("paper_id"))


def _source_id(record: Mapping[str, Any]) -> str | None:
    paper, corpus = _paper_id(record), _external(record).get("corpusid")
    return f"s2:{paper}" if paper else f"corpus_id:{corpus}" if corpus else None


def _reference(value: Any) -> Reference | None:
    """One work cited; without an id it still has its title."""
    if isinstance(value, str):
        return Reference(source_id=f"s2:{value}") if value else None
    record = _lower(value)
    record = _lower(record["citedpaper"]) if "citedpaper" in record else record
    title, year = line(record.get("title")), whole(record.get("year"))
    first = next((natural(name) for name in named(record.get("authors"), "name")), None)
    family = first.family or first.literal if first else None
    found = Reference(
        doi=normalise.doi(_external(record).get("doi", "")),
        title=title,
        year=year if year and FIRST_YEAR <= year <= LAST_YEAR else None,
        source_id=_source_id(record),
        extra={"author": family} if family else {},
    )
    return found if found != Reference() else None


def _references(record: Mapping[str, Any]) -> tuple[Reference, ...]:
    listed = [*members(record.get("references")), *members(record.get("outcitations"))]
    return tuple(found for one in listed if (found := _reference(one)))


def _date(record: Mapping[str, Any]) -> DateParts:
    said = parse_date(as_text(record.get("publicationdate")))
    year = whole(record.get("year")) or said.year
    if year is None or not FIRST_YEAR <= year <= LAST_YEAR:
        return DateParts(None, as_text(record.get("year")) or None)
    return (
        DateParts(year, None, said.month, None, said.day) if said.year == year else DateParts(year)
    )


def _type(record: Mapping[str, Any]) -> str | None:
    words = [one.lower().replace(" ", "") for one in named(record.get("publicationtypes"))]
    chosen = next((word for word in words if word not in _WEAK), words[0] if words else None)
    return _TYPES.get(chosen or "") or canonical(chosen)


def _venue(record: Mapping[str, Any]) -> str | None:
    return (
        line(inside(record, "publicationvenue", "name"))
        or line(record.get("venue"))
        or line(inside(record, "journal", "name"))
    )


def _identifiers(external: Mapping[str, str], paper: str | None) -> dict[str, str]:
    found = {scheme: external.get(key) for key, scheme in _SCHEMES.items()}
    pmc = external.get("pubmedcentral", "").upper().removeprefix("PMC")
    found |= {"s2": paper, "pmcid": f"PMC{pmc}" if pmc else None}
    return {name: one for name, one in found.items() if one}


def draft_of(item: Mapping[str, Any], piece: Piece) -> PaperDraft | None:
    """One paper as a draft; None where the object describes none.

    Args:
        item: the object.
        piece: the record as in the file.
    """
    record = _lower(item)
    external, paper, title = _external(record), _paper_id(record), line(record.get("title"))
    if title is None and _source_id(record) is None:
        return None
    date = _date(record)
    doi = normalise.doi(external.get("doi", ""))
    text = record.get("abstract")
    fields = [
        *named(record.get("fieldsofstudy")),
        *named(record.get("s2fieldsofstudy"), "category"),
    ]
    return PaperDraft(
        type=_type(record),
        title=title,
        authors=tuple(map(natural, named(record.get("authors"), "name"))),
        year=date.year,
        year_raw=date.year_raw,
        month=date.month,
        day=date.day,
        venue=_venue(record),
        volume=line(inside(record, "journal", "volume")),
        pages=normalise.pages(as_text(inside(record, "journal", "pages"))) or None,
        doi=doi,
        arxiv=normalise.arxiv(external.get("arxiv", "")),
        pmid=normalise.pmid(external.get("pubmed", "") or external.get("pmid", "")),
        url=line(record.get("url")),
        abstract=abstract(text) if isinstance(text, str) else None,
        fields=tuple(dict.fromkeys(fields)),
        references=_references(record),
        identifiers=_identifiers(external, paper),
        source_id=_source_id(record),
        raw_fields=rest(record, _USED),
        raw=piece.raw,
        line=piece.line,
        index=piece.index,
    )


class SemanticScholarImporter:
    """Papers as Semantic Scholar gives them."""

    kind = "semantic-scholar"
    title = "Semantic Scholar"
    suffixes = (".json", ".jsonl", ".jsonl.gz", ".json.gz")

    def recognises(self, head: str) -> float:
        """Sure where JSON holds ids of Semantic Scholar and keys that only it has."""
        start = head.lstrip("\ufeff \t\r\n")
        if not start.startswith(("[", "{")) or _EXPORT.search(start):
            return 0.0
        known = bool(_ID.search(start))
        if known and _OWN.search(start):
            return 0.97
        return 0.96 if known and _PAPER.search(start) else 0.6 if known else 0.0

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each paper as a draft, or as a problem with its index and line."""
        yield from read_items(source, draft_of, progress)
