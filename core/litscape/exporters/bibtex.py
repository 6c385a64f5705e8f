"""BibTeX that BibTeX itself, biber and this program read: escaped, balanced, keys as stored."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TextIO

from litscape.exporters.latex import escape, verbatim
from litscape.importers.names import parse_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litscape.exporters.base import Part
    from litscape.paper import Author, FileLink, Paper

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_IN_BOOK = frozenset({"inproceedings", "incollection", "inbook", "inreference", "conference"})
_AT_SCHOOL = {"thesis": "school", "report": "institution"}
_BAD_KEY = re.compile(r'[{},"#%=\\~()\s]+')
_FIELD = re.compile(r"[a-z][a-z0-9+_-]*")
_TYPE = re.compile(r"[a-z][a-z0-9+_-]*")
_NOT_TYPES = frozenset({"string", "preamble", "comment", "xdata", "set", "control"})
_VERBATIM = frozenset({"url", "doi", "file", "eprint", "pdf", "crossref", "xref"})
_NEVER = frozenset({"crossref", "xdata", "entryset", "entrytype", "type", "citekey"})
_PLAIN_WORDS = re.compile(r"[^\W\d_]*[^\W\d_][A-Z][^\W\d_]*|[A-Z]{2,}")


@lru_cache(maxsize=20_000)
def _name(author: Author) -> str:
    """One name; braces where it would be read in other parts than it has."""
    if author.literal is not None:
        return f"{{{escape(author.literal)}}}"
    family, given = escape(author.family or ""), escape(author.given or "")
    parts = [family, escape(author.suffix or ""), given]
    text = _joined(author.particle, parts)
    if parse_names(text)[0] == (author,):
        return text
    return _joined(author.particle, [f"{{{part}}}" if part else "" for part in parts])


def _joined(particle: str | None, parts: list[str]) -> str:
    family = f"{escape(particle)} {parts[0]}" if particle else parts[0]
    return ", ".join(filter(None, (family, *parts[1:])))


def _authors(paper: Paper) -> str:
    names = [_name(author) for author in paper.authors]
    return " and ".join([*names, "others"] if paper.more_authors and names else names)


def _title(text: str) -> str:
    """An escaped title with braces round acronyms, which styles must not make lower case."""
    if "$" in text or "\\" in text:
        return escape(text)
    words = (
        f"{{{escape(word)}}}" if _PLAIN_WORDS.search(word) else escape(word)
        for word in text.split(" ")
    )
    return " ".join(words)


def _file(link: FileLink) -> str:
    """JabRef's form ``title:path:kind`` with its escapes."""
    parts = (link.title or "", link.path, (link.mime or "").rpartition("/")[2].upper())
    return ":".join(re.sub(r"([\\:;])", r"\\\1", part) for part in parts)


def _date(paper: Paper) -> Iterator[tuple[str, str]]:
    if paper.year and paper.month and paper.day and not (paper.year_raw or paper.month_raw):
        yield "date", f"{{{paper.year:04d}-{paper.month:02d}-{paper.day:02d}}}"
    year = paper.year_raw or (str(paper.year) if paper.year else "")
    if year:
        yield "year", f"{{{escape(year)}}}"
    if paper.month_raw:
        yield "month", f"{{{escape(paper.month_raw)}}}"
    elif paper.month:
        yield "month", _MONTHS[paper.month - 1]


def _texts(paper: Paper) -> Iterator[tuple[str, str | None]]:
    yield "journal" if paper.type not in _IN_BOOK else "booktitle", paper.venue
    yield _AT_SCHOOL.get(paper.type or "", "publisher"), paper.publisher
    yield "volume", paper.volume
    yield "number", paper.issue
    yield "abstract", paper.abstract
    yield "keywords", "; ".join(paper.keywords)
    yield "note", "\n\n".join(paper.notes)


def _verbatims(paper: Paper) -> Iterator[tuple[str, str | None]]:
    yield "pages", paper.pages.replace("-", "--") if paper.pages else None
    yield "doi", paper.doi
    if paper.arxiv:
        yield "eprint", paper.arxiv
        yield "eprinttype", "arxiv"
        yield "archiveprefix", "arXiv"
    yield "pmid", paper.pmid
    yield "isbn", paper.isbn
    yield "issn", paper.identifiers.get("issn")
    yield "url", paper.url
    yield "file", ";".join(map(_file, paper.files))
    yield "ids", ", ".join(paper.citekey_aliases)


def _fields(paper: Paper) -> dict[str, str]:
    """Field values with their delimiters, by name in order."""
    found: dict[str, str] = {}
    if paper.authors:
        found["author"] = f"{{{_authors(paper)}}}"
    if paper.title:
        found["title"] = f"{{{_title(paper.title)}}}"
    found.update(_date(paper))
    found.update((name, f"{{{escape(text)}}}") for name, text in _texts(paper) if text)
    found.update((name, f"{{{verbatim(text)}}}") for name, text in _verbatims(paper) if text)
    for name, text in paper.raw_fields.items():
        if name not in found and name not in _NEVER and _FIELD.fullmatch(name) and text:
            found[name] = f"{{{verbatim(text) if name in _VERBATIM else escape(text)}}}"
    return found


class _Keys:
    """Keys that BibTeX can read: as stored, or with a dash for what would end the entry."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def take(self, key: str) -> str:
        plain = key if not re.search(r'[{},"#%=\\~\n]', key) else _BAD_KEY.sub("-", key).strip("-")
        plain = plain or "paper"
        number, found = 1, plain
        while found in self._used:
            number += 1
            found = f"{plain}-{number}"
        self._used.add(found)
        return found


def _entry(paper: Paper, keys: _Keys) -> str:
    kind = paper.type or "misc"
    if not _TYPE.fullmatch(kind) or kind in _NOT_TYPES:
        kind = "misc"
    lines = [f"  {name} = {value}," for name, value in _fields(paper).items()]
    return "\n".join([f"@{kind}{{{keys.take(paper.citekey)},", *lines, "}", "", ""])


class BibtexExporter:
    """One entry a paper, in the field names that BibTeX and biblatex share."""

    kind = "bibtex"
    title = "BibTeX / biblatex"
    suffix = ".bib"

    def write(self, papers: Iterable[Paper], stream: TextIO, part: Part | None = None) -> int:
        """Write one entry a paper; returns how many."""
        number, keys = 0, _Keys()
        for paper in papers:
            number += 1
            stream.write(_entry(paper, keys))
        return number
