"""What the fields of one EndNote record mean; its tagged and its XML files name the same ones."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from litscape.importers import normalise
from litscape.importers.dates import DateParts, parse_date, parse_month, parse_year
from litscape.importers.endnote_types import type_of
from litscape.importers.file_there import file_is_there, local_path
from litscape.importers.markup import abstract, plain, plain_paragraphs
from litscape.importers.people import inverted, is_others
from litscape.importers.ris_fields import WHOLE_TYPES
from litscape.paper import Author, FileLink, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.importers.outcome import Piece
    from litscape.importers.values import Values

NO_CONTENT = frozenset(
    {"ref-type", "ref-type-number", "rec-number", "database", "source-app", "foreign-keys"}
    | {"database-path", "record-id"}
)
"""Names that say nothing of a work."""
_VENUE = ("full-title", "secondary-title", "alt-full-title", "alt-title", "abbr-1")
_WHOLE_VENUE = ("full-title", "alt-full-title", "abbr-1")
_KEY = re.compile(r"[^\s,{}\"#%~\\]{1,120}")
_HTTP = re.compile(r"(?:https?|ftp)://", re.I)
_MEDLINE = re.compile(r"pubmed|medline|nlm\b", re.I)
_WOS = re.compile(r"(?:WOS|ISI):\s*(\w+)", re.I)


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))


def _authors(values: Values) -> tuple[tuple[Author, ...], bool]:
    listed = (name for text in values.take("author") for name in text.split(";"))
    names = [name for name in map(normalise.fold, listed) if name]
    people = tuple(inverted(name) for name in names if not is_others(name))
    return people, len(people) < len(names)


def _date(values: Values) -> DateParts:
    """The year, and month and day of a publication date that agrees with it."""
    texts = values.take("year")
    main = parse_year(texts[0]) if texts else DateParts()
    month = parse_month(" ".join(values.take("month"))) if values.look("month") else DateParts()
    for text in values.take("date"):
        whole = parse_date(text)
        if whole.year is not None:
            finer = whole if main.year in (None, whole.year) else DateParts()
        else:
            finer = parse_month(text)
        if main.year is None and main.year_raw is None:
            main = DateParts(whole.year, whole.year_raw)
        if finer.month is not None or finer.month_raw:
            month = finer
            break
    if month.month is None and not month.month_raw:
        month = main
    return DateParts(main.year, main.year_raw, month.month, month.month_raw, month.day)


def _keywords(values: Values) -> tuple[str, ...]:
    """Keywords by themselves or parted by semicolons; commas are parts of terms."""
    return _unique(
        normalise.fold(part) for text in values.take("keyword") for part in text.split(";")
    )


def _pmid(values: Values) -> str | None:
    def marked(text: str) -> str | None:
        return normalise.pmid(text) if re.search(r"pmid|pubmed", text, re.I) else None

    linked = values.find(marked, "accession-num", "url", use=False)
    base = " ".join(values.look("remote-database-name", "remote-database-provider"))
    if linked is None and _MEDLINE.search(base):
        return values.find(normalise.pmid, "accession-num", use=False)
    return linked


def _wos(text: str) -> str | None:
    found = _WOS.search(text)
    return found[1].upper() if found else None


def _serial(values: Values) -> tuple[str | None, dict[str, str]]:
    isbn = values.find(normalise.isbn, "isbn", use=False)
    issn = None if isbn else values.find(normalise.issn, "isbn", use=False)
    for text in values.look("isbn"):
        if re.sub(r"[ -]", "", text).upper() in (isbn, re.sub("-", "", issn or "-")):
            values.use("isbn", text)
    wos = values.find(_wos, "accession-num", use=False)
    return isbn, {name: one for name, one in (("issn", issn), ("wos", wos)) if one}


def _path(text: str, database: str | None, folder: str) -> str:
    """The path of an attached file, whose place EndNote writes in several ways."""
    low = text.lower()
    if low.startswith("internal-pdf://"):
        inside = os.path.join("PDF", *unquote(text[len("internal-pdf://") :]).split("/"))
        if not database:
            return inside.replace(os.sep, "/")
        stem = re.sub(r"\.enlx?$", "", database, flags=re.I)
        data = f"{stem}.Data"
        beside = os.path.join(folder, re.split(r"[\\/]", data)[-1], inside)
        if folder and os.path.exists(beside):
            return beside
        return f"{data}/{inside}".replace(os.sep, "/")
    return local_path(text)


def _files(values: Values, folder: str) -> tuple[FileLink, ...]:
    database = next(iter(values.look("database-path")), None)
    found = []
    for text in values.look("file"):
        if _HTTP.match(text):
            continue
        values.use("file", text)
        path = _path(text, database, folder)
        found += [FileLink(path, exists=file_is_there(path, folder))] if path else []
    return tuple(dict.fromkeys(found))


def _key(text: str) -> str | None:
    if not _KEY.fullmatch(text) or not any(map(str.isalpha, text)):
        return None
    return None if normalise.doi_only(text) else text


def _title(values: Values) -> str | None:
    title = values.find(lambda text: plain(text) or None, "title")
    return title or values.find(lambda text: plain(text) or None, "translated-title", "short-title")


def _venue(values: Values, kind: str | None) -> str | None:
    order = _WHOLE_VENUE if kind in WHOLE_TYPES else _VENUE
    venue = values.find(lambda text: plain(text) or None, *order)
    for name in _VENUE if venue else ():
        values.use(name, *[text for text in values.look(name) if plain(text) == venue])
    return venue


def _abstract(values: Values) -> str | None:
    texts = values.take("abstract")
    return abstract("\n\n".join(texts)) if texts else None


def draft_of(values: Values, piece: Piece, folder: str, *, old: bool = False) -> PaperDraft | None:
    """One record as a draft; None where it holds nothing but its type.

    Args:
        values: its fields by the names of EndNote's XML.
        piece: the record.
        folder: the folder of the file, beside which the files of a library may lie.
        old: whether its type numbers are those of EndNote 7.
    """
    if not values.any_but(NO_CONTENT):
        return None
    number = next(iter(values.take("ref-type-number")), None)
    kind = type_of(next(iter(values.look("ref-type")), None), number, old=old)
    authors, more = _authors(values)
    date = _date(values)
    isbn, identifiers = _serial(values)
    doi = values.find(normalise.doi, "electronic-resource-num") or values.find(
        normalise.doi_only, "url", "accession-num", use=False
    )
    files = _files(values, folder)
    notes = _unique(map(plain_paragraphs, values.take("notes", "research-notes")))
    return PaperDraft(
        citekey=values.find(_key, "label"),
        type=kind,
        title=_title(values),
        authors=authors,
        more_authors=more,
        **date.fields(),
        venue=_venue(values, kind),
        publisher=values.first("publisher"),
        volume=values.first("volume"),
        issue=values.first("number"),
        pages=values.find(lambda text: normalise.pages(text) or None, "pages"),
        doi=doi,
        arxiv=normalise.arxiv(doi) if doi and "arxiv" in doi else None,
        pmid=_pmid(values),
        isbn=isbn,
        files=files,
        url=values.find(lambda text: text if _HTTP.match(text) else None, "url", "file"),
        abstract=_abstract(values),
        keywords=_keywords(values),
        notes=notes,
        identifiers=identifiers,
        source_id=next(iter(values.take("record-id")), None),
        raw_fields=values.left({"ref-type": "endnote-type"}),
        raw=piece.raw,
        line=piece.line,
        index=piece.index,
    )
