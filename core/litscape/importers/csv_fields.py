"""What the cells of one row of a table mean."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from litscape.importers import normalise
from litscape.importers.cited import scopus_reference, split_scopus
from litscape.importers.csv_people import as_list, glued, people
from litscape.importers.dates import DateParts, parse_date, parse_month, parse_year
from litscape.importers.markup import abstract, plain, plain_paragraphs
from litscape.importers.record_types import RIS, canonical, from_csl, from_ris
from litscape.importers.ris_fields import WHOLE_TYPES
from litscape.importers.values import Values
from litscape.paper import Author, FileLink, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from litscape.importers.outcome import Complaint, Piece

_TYPES = {
    "article": "article",
    "articleinpress": "article",
    "ahead of print": "article",
    "bookchapter": "incollection",
    "booksection": "incollection",
    "businessarticle": "article",
    "chapter": "incollection",
    "chapterconferencepaper": "inproceedings",
    "computerprogram": "software",
    "conferencepaper": "inproceedings",
    "conferenceproceedings": "proceedings",
    "conferencereview": "proceedings",
    "datapaper": "article",
    "editorial": "article",
    "erratum": "article",
    "ieeebooks": "book",
    "ieeeconferences": "inproceedings",
    "ieeeearlyaccessarticles": "article",
    "ieeejournals": "article",
    "ieeemagazines": "article",
    "ieeestandards": "standard",
    "journalarticle": "article",
    "letter": "article",
    "magazinearticle": "article",
    "newspaperarticle": "article",
    "note": "article",
    "preprint": "article",
    "proceedingspaper": "inproceedings",
    "referenceworkentry": "inreference",
    "retracted": "article",
    "review": "article",
    "shortsurvey": "article",
    "webpage": "online",
}
_ENDS = (
    ("conferences", "inproceedings"),
    ("journals", "article"),
    ("ebookchapters", "incollection"),
)
_EID = re.compile(r"2-s2\.0-\d{6,}")
_SOURCE = re.compile(
    r"(?P<venue>.+?) \((?P<year>\d{4})\)(?: (?P<volume>[\w-]+)?(?::(?P<issue>[\w-]+))?)?"
    r"(?: \((?P<pages>[^)]{1,30})\))?"
)
_LINK_DOI = re.compile(r"[?&]id=doi(?::|%3a)([^&]+)", re.I)
_COMMA = re.compile(r",\s*(?![^()]*\))")
_KEY = re.compile(r"[^\s,{}\"#%~\\]{1,120}")


def type_of(text: str | None) -> str | None:
    """The type of a work by the word for it that a table has; None where there is none."""
    if not text:
        return None
    if text.upper() in RIS:
        return from_ris(text)
    text = text.rstrip("; ")
    word = re.sub(r"[\W_]+", "", text).lower()
    if word in _TYPES:
        return _TYPES[word]
    for end, kind in _ENDS:
        if word.endswith(end):
            return kind
    return from_csl(text) if text.islower() else canonical(text)


def _terms(texts: Iterable[str], *, commas: bool) -> list[str]:
    """Keywords: a list, else parted by semicolons, else by commas outside brackets."""
    found: list[str] = []
    for text in texts:
        listed = as_list(text)
        if listed is None:
            part = ";" in text or not commas
            listed = text.split(";") if part else _COMMA.split(text)
        found += map(normalise.fold, listed)
    return [term for term in dict.fromkeys(found) if term]


def _authors(values: Values, *, together: bool) -> tuple[tuple[Author, ...], bool, bool]:
    """Full names where there are as many as short ones; also whether they were guessed."""
    short = values.first("authors") or ""
    if together and ";" not in short:
        found, guessed = glued(short)
        return found, False, guessed
    listed, more = people(short)
    full = people(next(iter(values.look("full-authors")), ""))[0]
    if full and len(full) >= len(listed):
        values.take("full-authors")
        return full, more, False
    return listed, more, False


def _date(values: Values) -> DateParts:
    """The year, and month and day where a column that agrees with it tells."""
    year, said = values.first("year"), values.first("date")
    main = parse_year(year) if year else DateParts()
    whole = parse_date(said) if said else parse_date(year) if year else DateParts()
    if main.year is None and not main.year_raw:
        main = whole
    finer = parse_month(" ".join(filter(None, (values.first("month"), values.first("day")))))
    if finer.month is None and not finer.month_raw:
        finer = whole if whole.year == main.year else DateParts()
    return DateParts(main.year, main.year_raw, finer.month, finer.month_raw, finer.day)


def _pages(values: Values) -> str | None:
    start, end = values.first("start"), values.first("end")
    if start:
        first, last = normalise.pages(start), normalise.pages(end or "")
        return first if not last or last == first else f"{first}-{last}"
    return values.find(lambda text: normalise.pages(text) or None, "pages", "article-number")


def _source(values: Values) -> dict[str, str]:
    """What Embase writes into one cell: ``Journal (2014) 3:3 (152-160). Date …``."""
    text = next(iter(values.look("source")), "")
    found = _SOURCE.match(text)
    if not found or values.look("year", "venue"):
        return {}
    return {name: one for name, one in found.groupdict().items() if one}


def _doi(values: Values) -> str | None:
    def linked(text: str) -> str | None:
        found = _LINK_DOI.search(text)
        return normalise.doi(unquote(found[1])) if found else normalise.doi_only(text)

    return values.find(normalise.doi, "doi") or values.find(linked, "url", use=False)


def _eid(text: str) -> str | None:
    found = _EID.search(text)
    return found[0] if found else None


def _identifiers(values: Values) -> dict[str, str]:
    issn = values.find(normalise.issn, "issn", use=False)
    for text in values.look("issn"):
        if issn and re.sub(r"\W", "", text).upper() == issn.replace("-", ""):
            values.use("issn", text)
    eid = values.find(_eid, "eid") or values.find(_eid, "url", use=False)
    return {name: one for name, one in (("issn", issn), ("scopus", eid)) if one}


def _paths(values: Values) -> tuple[tuple[str, ...], ...]:
    listed = (path for text in values.take("collections") for path in text.split(";"))
    named = (tuple(filter(None, map(normalise.fold, path.split("/")))) for path in listed)
    return tuple(dict.fromkeys(path for path in named if path))


def _files(values: Values) -> tuple[FileLink, ...]:
    listed = (path.strip() for text in values.take("files") for path in text.split(";"))
    return tuple(FileLink(path) for path in dict.fromkeys(listed) if path)


def _venue(values: Values, kind: str | None, source: dict[str, str]) -> str | None:
    """The journal or book; what a book stands in is a series and stays raw."""
    if kind in WHOLE_TYPES:
        return None
    venue = values.find(lambda text: plain(text) or None, "venue")
    if venue is None and source:
        return source.get("venue")
    return venue or values.find(lambda text: plain(text) or None, "source", "series")


def _key(text: str) -> str | None:
    return text if _KEY.fullmatch(text) and any(map(str.isalpha, text)) else None


def draft_of(
    cells: Iterable[tuple[str, str]],
    piece: Piece,
    headings: Mapping[str, str],
    *,
    together: bool = False,
) -> tuple[PaperDraft | None, Sequence[Complaint]]:
    """One row as a draft, with what was guessed; None where it holds nothing.

    Args:
        cells: what each cell is (see ``csv_columns``), and its text.
        piece: the row.
        headings: what the table calls the columns of which it is known what they are.
        together: whether the table parts authors by nothing, as Springer's does.
    """
    values = Values((role, _folded(role, text)) for role, text in cells)
    if not values.any_but({"type"}):
        return None, ()
    authors, more, guessed = _authors(values, together=together)
    draft = _draft(values, headings, authors, more)
    draft = replace(draft, raw=piece.raw, line=piece.line, index=piece.index)
    told = "The authors stand together without a sign between them; where one ends is guessed."
    return draft, [("malformed-name-list", told)] if guessed else ()


def _draft(
    values: Values, headings: Mapping[str, str], authors: tuple[Author, ...], more: bool
) -> PaperDraft:
    """What the cells of a row hold; what none of it uses stays as raw fields."""
    source = _source(values)
    kind = type_of(values.find(lambda text: text if type_of(text) else None, "type"))
    title = values.find(lambda text: plain(text) or None, "title")
    date = _date(values) if not source else parse_year(source["year"])
    doi, pages = _doi(values), _pages(values)
    arxiv = values.find(normalise.arxiv, "arxiv")
    identifiers = _identifiers(values)
    eid = identifiers.get("scopus")
    keywords = _terms(values.take("keywords"), commas=True)
    keywords += _terms(values.take("index-keywords"), commas=False)
    references = [one for text in values.take("references") for one in split_scopus(text)]
    text = "\n\n".join(values.take("abstract"))
    return PaperDraft(
        citekey=values.find(_key, "citekey"),
        type=kind,
        title=title,
        authors=authors,
        more_authors=more,
        **date.fields(),
        venue=_venue(values, kind, source),
        publisher=values.first("publisher"),
        volume=values.first("volume") or source.get("volume"),
        issue=values.first("issue") or source.get("issue"),
        pages=pages or source.get("pages"),
        doi=doi,
        arxiv=arxiv or (normalise.arxiv(doi) if doi and "arxiv" in doi else None),
        pmid=values.find(normalise.pmid, "pmid"),
        isbn=values.find(normalise.isbn, "isbn"),
        url=values.find(lambda one: one if re.match("https?://", one) else None, "url"),
        abstract=abstract(text) if text else None,
        keywords=tuple(dict.fromkeys(keywords)),
        tags=tuple(_terms(values.take("tags"), commas=False)),
        collections=_paths(values),
        notes=tuple(filter(None, map(plain_paragraphs, values.take("notes")))),
        files=_files(values),
        references=tuple(map(scopus_reference, references)),
        identifiers=identifiers,
        source_id=f"scopus:{eid}" if eid else None,
        raw_fields={k.removeprefix("raw:"): v for k, v in values.left(headings).items()},
    )


def _folded(role: str, text: str) -> str:
    return text.strip() if role in ("abstract", "notes") else normalise.fold(text)
