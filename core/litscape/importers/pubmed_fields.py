"""What the elements of one record of PubMed's XML mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.importers import medline, normalise
from litscape.importers.dates import DateParts
from litscape.importers.markup import abstract
from litscape.importers.people import from_parts, is_others
from litscape.paper import Author, PaperDraft, Reference

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.etree.ElementTree import Element

    from litscape.importers.outcome import Piece

_NO_LABEL = frozenset({"", "UNLABELLED", "UNASSIGNED"})
_RAW = {
    "language": ".//Article/Language",
    "country": ".//MedlineJournalInfo/Country",
    "journal-abbreviation": ".//Journal/ISOAbbreviation",
    "medline-ta": ".//MedlineJournalInfo/MedlineTA",
    "nlm-id": ".//MedlineJournalInfo/NlmUniqueID",
    "publication-type": ".//PublicationType",
    "affiliation": ".//AuthorList/Author//Affiliation",
    "substance": ".//ChemicalList/Chemical/NameOfSubstance",
    "registry-number": ".//ChemicalList/Chemical/RegistryNumber",
    "grant": ".//GrantList/Grant/GrantID",
    "copyright": ".//CopyrightInformation",
    "vernacular-title": ".//VernacularTitle",
    "gene-symbol": ".//GeneSymbolList/GeneSymbol",
    "citation-subset": ".//CitationSubset",
    "coi": ".//CoiStatement",
    "space-flight-mission": ".//SpaceFlightMission",
    "number-of-references": ".//NumberOfReferences",
    "series": ".//Book/CollectionTitle",
    "pub-location": ".//Publisher/PublisherLocation",
    "edition": ".//Book/Edition",
    "publication-status": ".//PublicationStatus",
    "other-id": ".//OtherID",
}


def _text(element: Element | None) -> str | None:
    """All text of an element and its parts, on one line."""
    return normalise.fold("".join(element.itertext())) or None if element is not None else None


def _first(record: Element, *paths: str) -> str | None:
    return next(
        (text for path in paths for one in record.iterfind(path) if (text := _text(one))), None
    )


def _texts(elements: Iterable[Element]) -> list[str]:
    return [text for one in elements if (text := _text(one))]


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _person(element: Element) -> Author | None:
    body = _first(element, "CollectiveName")
    if body:
        return Author(literal=body)
    given = _first(element, "ForeName", "FirstName", "Initials")
    return from_parts(_first(element, "LastName"), given, _first(element, "Suffix"))


def _authors(record: Element) -> tuple[tuple[Author, ...], bool]:
    lists = [one for one in record.iter("AuthorList") if one.get("Type", "authors") == "authors"]
    if not lists:
        return (), False
    valid = [one for one in lists[0].iterfind("Author") if one.get("ValidYN") != "N"]
    people = [person for person in map(_person, valid) if person]
    named = tuple(one for one in people if not (one.literal and is_others(one.literal)))
    return named, len(named) < len(people) or lists[0].get("CompleteYN") == "N"


def _date(record: Element) -> DateParts:
    """The date of the issue or book, else that of the article on line."""
    for path in (".//JournalIssue/PubDate", ".//Book/PubDate", ".//ArticleDate", ".//PubDate"):
        for element in record.iterfind(path):
            free = _first(element, "MedlineDate")
            year, season, month, day = (
                _first(element, name) for name in ("Year", "Season", "Month", "Day")
            )
            figures = month is not None and month.isdigit()
            said = ("-" if figures else " ").join(filter(None, (year, season, month, day)))
            found = medline.date(free or said)
            if found.year is not None or found.year_raw:
                return found
    return DateParts()


def _ids(record: Element) -> dict[str, str]:
    """The record's own identifiers by kind; those of works cited stand elsewhere."""
    found: dict[str, str] = {}
    for path in ("PubmedData", "PubmedBookData", "BookDocument", ".//BookDocument"):
        for one in record.iterfind(f"{path}/ArticleIdList/ArticleId"):
            text = _text(one)
            if text:
                found.setdefault(one.get("IdType", ""), text)
    return found


def _doi(record: Element, ids: dict[str, str]) -> str | None:
    for one in record.iter("ELocationID"):
        if one.get("EIdType") == "doi" and one.get("ValidYN", "Y") == "Y":
            found = normalise.doi(_text(one) or "")
            if found:
                return found
    return normalise.doi(ids.get("doi", ""))


def _abstract(record: Element) -> str | None:
    for path in (".//Article/Abstract", ".//BookDocument/Abstract", "Abstract", ".//OtherAbstract"):
        parts = []
        for one in record.iterfind(f"{path}/AbstractText"):
            text, label = _text(one), normalise.fold(one.get("Label") or "")
            if text:
                parts.append(f"{label}: {text}" if label not in _NO_LABEL else text)
        found = abstract("\n\n".join(parts)) if parts else None
        if found:
            return found
    return None


def _headings(record: Element) -> tuple[list[str], list[str]]:
    """Subject headings with their qualifiers, and without."""
    whole, bare = [], []
    for one in record.iter("MeshHeading"):
        name = _first(one, "DescriptorName")
        if name:
            bare.append(name)
            whole.append("/".join([name, *_texts(one.iterfind("QualifierName"))]))
    return whole, bare


def _pages(record: Element) -> str | None:
    text = _first(record, ".//Pagination/MedlinePgn")
    if text is None:
        start = _first(record, ".//Pagination/StartPage")
        end = _first(record, ".//Pagination/EndPage")
        text = f"{start}-{end}" if start and end and end != start else start
    return normalise.pages(text) or None if text else None


def _references(record: Element) -> tuple[Reference, ...]:
    """Works cited: those of the publisher's list, else those that MEDLINE knows."""
    found = []
    for one in record.iter("Reference"):
        ids = {i.get("IdType", ""): _text(i) or "" for i in one.iter("ArticleId")}
        pmid = normalise.pmid(ids.get("pubmed", ""))
        raw = _first(one, "Citation")
        if raw or ids:
            found.append(medline.reference(raw, normalise.doi(ids.get("doi", "")), pmid))
    for one in record.iter("CommentsCorrections"):
        if one.get("RefType") == "Cites":
            pmid = normalise.pmid(_first(one, "PMID") or "")
            cited = medline.reference(_first(one, "RefSource"), None, pmid)
            if not cited.source_id or all(cited.source_id != other.source_id for other in found):
                found.append(cited)
    return tuple(found)


def _titles(record: Element) -> tuple[str | None, str | None]:
    """Title and venue; a chapter stands in its book."""
    title = _first(record, ".//ArticleTitle", ".//VernacularTitle")
    book = _first(record, ".//Book/BookTitle")
    if title is None:
        return book, None
    return title, _first(record, ".//Journal/Title", ".//ISOAbbreviation", ".//MedlineTA") or book


def _type(record: Element, venue: str | None) -> str:
    if next(record.iter("Book"), None) is not None:
        return "incollection" if venue else "book"
    return medline.type_of(_texts(record.iter("PublicationType")), journal=venue is not None)


def _identifiers(record: Element, ids: dict[str, str]) -> dict[str, str]:
    issn = normalise.issn(_first(record, ".//Journal/ISSN", ".//ISSNLinking") or "")
    found = {"issn": issn, "pmcid": ids.get("pmc"), "bookaccession": ids.get("bookaccession")}
    return {name: one for name, one in found.items() if one}


def _raw_fields(record: Element) -> dict[str, str]:
    found = {name: "; ".join(_texts(record.iterfind(path))) for name, path in _RAW.items()}
    return {name: text for name, text in found.items() if text}


def draft_of(record: Element, piece: Piece) -> PaperDraft | None:
    """One record as a draft; None where it holds nothing but its number.

    Args:
        record: the element of an article, a book or a citation.
        piece: the record as in the file.
    """
    title, venue = _titles(record)
    authors, more = _authors(record)
    if title is None and not authors and _abstract(record) is None and not venue:
        return None
    date, ids = _date(record), _ids(record)
    doi = _doi(record, ids)
    pmid = normalise.pmid(_first(record, "MedlineCitation/PMID", "BookDocument/PMID", "PMID") or "")
    pmid = normalise.pmid(ids.get("pubmed", "")) or pmid
    headings, bare = _headings(record)
    isbn = _first(record, ".//Book/Isbn")
    return PaperDraft(
        type=_type(record, venue),
        title=title,
        authors=authors,
        more_authors=more,
        year=date.year,
        year_raw=date.year_raw,
        month=date.month,
        month_raw=date.month_raw,
        day=date.day,
        venue=venue,
        publisher=_first(record, ".//Publisher/PublisherName"),
        volume=_first(record, ".//JournalIssue/Volume", ".//Book/Volume"),
        issue=_first(record, ".//JournalIssue/Issue"),
        pages=_pages(record),
        doi=doi,
        arxiv=normalise.arxiv(doi) if doi and "arxiv" in doi else None,
        pmid=pmid,
        isbn=normalise.isbn(isbn) if isbn else None,
        url=next((u for u in [ids.get("url")] if u and re.match(r"https?://", u)), None),
        abstract=_abstract(record),
        keywords=_unique([*headings, *map(medline.term, _texts(record.iter("Keyword")))]),
        fields=_unique(bare),
        notes=_unique(_texts(record.iter("GeneralNote"))),
        references=_references(record),
        identifiers=_identifiers(record, ids),
        source_id=f"pmid:{pmid}" if pmid else None,
        raw_fields=_raw_fields(record),
        raw=piece.raw,
        line=piece.line,
        index=piece.index,
    )
