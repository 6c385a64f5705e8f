"""What the columns of a document in Mendeley Desktop mean."""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.importers.database_fields import DatabaseFields
from litscape.importers.dates import DateParts, parse_year
from litscape.importers.file_there import file_is_there, local_path
from litscape.importers.markup import abstract, plain_paragraphs
from litscape.importers.people import from_parts
from litscape.paper import Author, FileLink, PaperDraft
from litscape.reading import READ

if TYPE_CHECKING:
    from collections.abc import Iterable

_TYPES = {
    # The first of each type is what it means here by itself; the others keep Mendeley's name too.
    "JournalArticle": "article",
    "MagazineArticle": "article",
    "NewspaperArticle": "article",
    "Book": "book",
    "BookSection": "incollection",
    "ConferenceProceedings": "inproceedings",
    "Thesis": "thesis",
    "Report": "report",
    "WorkingPaper": "report",
    "WebPage": "online",
    "Generic": "misc",
    "ComputerProgram": "software",
    "Patent": "patent",
    "Case": "jurisdiction",
    "Statute": "legislation",
    "Bill": "legislation",
    "Hearing": "legal",
    "EncyclopediaArticle": "inreference",
    "Film": "movie",
    "TelevisionBroadcast": "video",
}
_FIRST = {kind: name for name, kind in reversed(_TYPES.items())}
_AUTHOR = "DocumentAuthor"
_OWN_NAMES = (
    "id uuid type read confirmed deduplicated deletionPending hideFromMendeleyWebIndex privacy"
    " importer modified lastUpdate owner favourite added"
)
_OF_MENDELEY = frozenset(_OWN_NAMES.split())
"""What Mendeley notes for itself; what a person may miss of it has names of its own below."""
_MIME = {".pdf": "application/pdf", ".html": "text/html", ".txt": "text/plain"}
_ARXIV = re.compile(r"\s*(?:arxiv\s*:\s*)?", re.I)


@dataclass(slots=True)
class MendeleyDocument:
    """One document with all that belongs to it.

    Attributes:
        columns: values by Mendeley's names, never empty ones.
        people: contribution, last name, first names.
        folders: paths from the top.
        notes: HTML.
        file_notes: page and text of notes at a place in a file.
        files: addresses; empty where the file was not fetched.
        cites: what the cited documents are called.
        group: name of the group that it belongs to.
    """

    columns: dict[str, str]
    people: list[tuple[str, str, str]] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    folders: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    file_notes: list[tuple[str, str]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    group: str = ""

    @property
    def name(self) -> str | None:
        """What Mendeley calls it, the same on every computer; None in databases without."""
        return self.columns.get("uuid", "").strip("{} ") or None

    def as_json(self) -> str:
        """The whole document as text, as the raw record."""
        told = {name: value for name, value in asdict(self).items() if value}
        return json.dumps(told, ensure_ascii=False)


def draft_of(document: MendeleyDocument, index: int) -> PaperDraft:
    """One document as a draft; ``index`` is its place among those of the database."""
    columns = DatabaseFields(
        {name: v for name, v in document.columns.items() if name not in _OF_MENDELEY}
    )
    authors, others = _people(document.people)
    date = _date(columns)
    urls = _each_once(document.urls)
    kind = document.columns.get("type", "")
    # Notes are brought in as plain text; that of older versions stands with the document.
    notes = [*document.notes, columns.raw("note")]
    text = columns.raw("abstract")
    issn = columns.identifier("issn", normalise.issn)
    return PaperDraft(
        citekey=columns.take("citationKey"),
        type=_TYPES.get(kind, kind.lower() or None),
        title=columns.take("title"),
        authors=authors,
        year=date.year,
        year_raw=date.year_raw,
        month=date.month,
        month_raw=date.month_raw,
        day=date.day,
        venue=columns.take("publication"),
        publisher=columns.take("publisher", "institution"),
        volume=columns.take("volume"),
        issue=columns.take("issue"),
        pages=normalise.pages(columns.take("pages") or "") or None,
        doi=columns.identifier("doi", normalise.doi) or _doi_of(urls),
        arxiv=columns.identifier("arxivId", _arxiv),
        pmid=columns.identifier("pmid", normalise.pmid),
        isbn=columns.identifier("isbn", normalise.isbn),
        url=urls[0] if urls else None,
        abstract=abstract(text) if text else None,
        keywords=_each_once(document.keywords),
        tags=_each_once(document.tags),
        collections=tuple(dict.fromkeys(document.folders)),
        notes=_each_once([*map(plain_paragraphs, notes), *map(_of_page, document.file_notes)]),
        files=_files(document.files),
        identifiers={"issn": issn} if issn else {},
        cites=tuple(document.cites),
        read_state=READ if _says(document, "read") else None,
        source_id=document.name,
        raw=document.as_json(),
        raw_fields={**others, **_apart(document, urls), **columns.left()},
        index=index,
    )


def _people(
    listed: Iterable[tuple[str, str, str]],
) -> tuple[tuple[Author, ...], dict[str, str]]:
    """The authors, and everybody else by what they did, as BibTeX writes names."""
    authors, others = [], dict[str, list[str]]()
    for part, family, given in listed:
        if part == _AUTHOR:
            person = from_parts(family, given)
            if person is not None:
                authors.append(person)
        else:
            family, given = normalise.fold(family), normalise.fold(given)
            name = f"{family}, {given}" if family and given else family or given
            if name:
                role = part.removeprefix("Document").lower() or "contributor"
                others.setdefault(role, []).append(name if given else f"{{{name}}}")
    return tuple(authors), {role: " and ".join(names) for role, names in others.items()}


def _date(columns: DatabaseFields) -> DateParts:
    year, month, day = (normalise.fold(columns.raw(name)) for name in ("year", "month", "day"))
    parts = parse_year(year) if year not in ("", "0") else DateParts()
    numbers = {"month": _number(month, 12), "day": _number(day, 31)}
    for name, text in (("month", month), ("day", day)):
        if numbers[name] is None and text not in ("", "0"):
            columns.fields[name] = text
    known = numbers["month"] if numbers["month"] is not None else parts.month
    return DateParts(
        parts.year,
        parts.year_raw,
        known,
        None if known == numbers["month"] else parts.month_raw,
        numbers["day"] if known is not None else None,
    )


def _number(text: str, highest: int) -> int | None:
    plain_digits = text.isascii() and text.isdigit() and len(text) < 4
    return int(text) if plain_digits and 1 <= int(text) <= highest else None


def _arxiv(text: str) -> str | None:
    return normalise.arxiv(f"arXiv:{_ARXIV.sub('', text, count=1)}")


def _doi_of(urls: Iterable[str]) -> str | None:
    return next(filter(None, map(normalise.doi_only, urls)), None)


def _of_page(note: tuple[str, str]) -> str:
    page, text = note
    said = plain_paragraphs(text)
    return f"Page {page}: {said}" if said and page not in ("", "0") else said


def _files(addresses: Iterable[str]) -> tuple[FileLink, ...]:
    """Links to the files that lie on some disk; the text of an address is only ever kept."""
    found = {}
    for address in addresses:
        path = local_path(address.strip())
        if path and "\x00" not in path:
            mime = _MIME.get(os.path.splitext(path)[1].lower())
            found[path] = FileLink(path, None, mime, None, file_is_there(path))
    return tuple(found.values())


def _apart(document: MendeleyDocument, urls: tuple[str, ...]) -> dict[str, str]:
    """What has no field of its own here."""
    said = document.columns.get
    kind = said("type", "")
    known = _TYPES.get(kind)
    told = {
        "documenttype": kind if known is None or _FIRST[known] != kind else "",
        "urls": " ".join(urls[1:]),
        "group": document.group,
        "dateadded": _time(said("added", "")),
        "confirmed": "no" if said("confirmed", "1").lower() in ("0", "false") else "",
        "favourite": "yes" if _says(document, "favourite") else "",
        "read": "yes" if _says(document, "read") else "",
    }
    return {name: normalise.fold(value) for name, value in told.items() if value}


def _says(document: MendeleyDocument, column: str) -> bool:
    return document.columns.get(column, "").lower() in ("1", "true")


def _time(text: str) -> str:
    """Milliseconds, in some versions seconds, since 1970, as a time; other texts as they are."""
    if not (text.isascii() and text.isdigit() and 9 <= len(text) <= 13):
        return text
    seconds = int(text) / (1000 if len(text) > 10 else 1)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    folded = map(normalise.fold_paragraphs, texts)
    return tuple(dict.fromkeys(text for text in folded if text))
