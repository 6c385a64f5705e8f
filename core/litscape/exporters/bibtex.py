"""BibTeX that BibTeX itself, biber and this program read: escaped, balanced, keys as stored."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TextIO

from litscape.exporters.base import as_given
from litscape.exporters.jabref_groups import GroupTree
from litscape.exporters.latex import escape, verbatim
from litscape.importers import normalise
from litscape.importers.bibtex_fields import KEY_FIELD, OWN_MARKS, jabref_marks
from litscape.importers.dates import parse_month
from litscape.importers.exact_notes import NOTES_FIELD, altered, notes_text
from litscape.importers.names import parse_names
from litscape.importers.record_types import canonical
from litscape.reading import BEGUN, READ

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litscape.exporters.base import Part
    from litscape.paper import Author, FileLink, Paper

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_JOURNALS = frozenset({"article", "periodical", "review", "magazine", "newspaper"})
_NUMBERED = _JOURNALS | {"inproceedings"}
_BY_INSTITUTION = frozenset({"thesis", "report"})
_OLD_WORDS = frozenset({"phdthesis", "mastersthesis", "masterthesis", "techreport"})
"""Entry types that mean more than the type they are stored as."""
_NOTES = ("note", "annote", "annotation", "comment")
_FIELD = re.compile(r"[a-z][a-z0-9+_:.-]*")
_JABREF_STATES = {READ: "read", BEGUN: "skimmed"}
_NOT_TYPES = frozenset({"string", "preamble", "comment", "xdata", "set", "control"})
_EXACT_NAMES = (
    "url doi eprint ee link pdf file files local-url localfile isbn issn pmid pmcid urldate"
    " timestamp biburl adsurl archiveprefix eprinttype primaryclass eprintclass ids owncloud"
)
_EXACT = frozenset(_EXACT_NAMES.split())
"""Fields that are no prose: nothing in them is escaped."""
_NEVER = frozenset({"crossref", "xref", "xdata", "entryset", "citekey"})
"""What an entry inherited stands in it already; its parent may not be in the file."""
_END_OF_KEY = re.compile(r'[{},"#%=\\~\s]')
_ODD_IN_KEY = re.compile(r'[{},"#%=\\~()\s]+')
_ACRONYM = re.compile(r"[^\W\d_][^\W_]*[A-Z]|[A-Z]{2}")


@lru_cache(maxsize=20_000)
def _name(author: Author) -> str:
    """One name; braces where it would be read in other parts than it has."""
    if author.literal is not None:
        return f"{{{escape(author.literal)}}}"
    family, given, suffix = (
        escape(part or "") for part in (author.family, author.given, author.suffix)
    )
    ways = (
        (family, suffix, given),
        (f"{{{family}}}", suffix, given),
        (f"{{{family}}}", suffix, f"{{{given}}}" if given else ""),
    )
    texts = [_joined(author.particle, way) for way in ways]
    return next((text for text in texts if parse_names(text)[0] == (author,)), texts[-1])


def _joined(particle: str | None, parts: tuple[str, ...]) -> str:
    family = f"{escape(particle)} {parts[0]}" if particle else parts[0]
    return ", ".join(filter(None, (family, *parts[1:])))


def _authors(paper: Paper) -> str:
    names = [_name(author) for author in paper.authors]
    return " and ".join([*names, "others"] if paper.more_authors and names else names)


def _title(text: str) -> str:
    """An escaped title with braces round acronyms, which styles must not make lower case."""
    if "$" in text or "\\" in text:
        return escape(text)
    words = text.split(" ")
    return " ".join(
        f"{{{escape(word)}}}" if _ACRONYM.search(word) else escape(word) for word in words
    )


def _file(link: FileLink) -> str:
    """JabRef's form ``title:path:kind`` with its escapes."""
    parts = (link.title or "", link.path, link.mime or "")
    return ":".join(re.sub(r"([\\:;])", r"\\\1", part) for part in parts)


def _terms(terms: tuple[str, ...]) -> str:
    """Terms parted by semicolons; one alone keeps one at its end where it could be cut."""
    text = "; ".join(f"{{{term}}}" if ";" in term else term for term in map(escape, terms))
    return f"{text};" if len(terms) == 1 and re.search("[,;]", text) else text


def _prose(paper: Paper) -> Iterator[tuple[str, str | None]]:
    yield "year", paper.year_raw or (str(paper.year) if paper.year else None)
    yield "journal" if paper.type in _JOURNALS else "booktitle", paper.venue
    raw = paper.raw_fields
    if paper.type not in _BY_INSTITUTION:
        yield "publisher", paper.publisher
    elif paper.publisher not in (raw.get("institution"), raw.get("school")):
        yield "institution", paper.publisher
    yield "volume", paper.volume
    numbered = paper.type in _NUMBERED and "number" not in raw
    yield "number" if numbered else "issue", paper.issue
    yield "abstract", paper.abstract
    named = len(_NOTES)
    yield from zip(_NOTES, paper.notes, strict=False)
    yield from ((f"{_NOTES[-1]}_{n}", note) for n, note in enumerate(paper.notes[named:], 2))


def _exact(paper: Paper) -> Iterator[tuple[str, str | None]]:
    yield "day", str(paper.day) if paper.day and paper.month else None
    yield "pages", paper.pages.replace("-", "--") if paper.pages else None
    yield "doi", paper.doi
    if paper.arxiv:
        yield "eprint", paper.arxiv
        yield "eprinttype", "arxiv"
        yield "archiveprefix", "arXiv"
    yield "pmid", paper.pmid
    yield "isbn", as_given(paper, "isbn", paper.isbn, normalise.isbn)
    yield "issn", as_given(paper, "issn", paper.identifiers.get("issn"), normalise.issn)
    yield "url", as_given(paper, "url", paper.url, lambda text: text.split(" ")[0])
    yield "file", ";".join(map(_file, paper.files))
    yield "ids", ", ".join(paper.citekey_aliases)
    yield NOTES_FIELD, notes_text(paper.notes) if altered(paper.notes) else None


def _marks(paper: Paper) -> Iterator[tuple[str, str | None]]:
    """What a reader made of the paper: in JabRef's fields as far as it has such."""
    said = jabref_marks(paper.raw_fields)
    if paper.read_state != said["read_state"]:
        yield "readstatus", _JABREF_STATES.get(paper.read_state or "")
    if paper.rating != said["rating"]:
        yield "ranking", f"rank{paper.rating}" if paper.rating else None
    for field, name in OWN_MARKS.items():
        value = getattr(paper, name)
        yield field, None if value is None else str(value)


def _fields(paper: Paper, kind: str) -> dict[str, str]:
    """Field values with their delimiters, by name in order."""
    found: dict[str, str] = {}
    if paper.authors:
        found["author"] = f"{{{_authors(paper)}}}"
    if paper.title:
        found["title"] = f"{{{_title(paper.title)}}}"
    found.update((name, f"{{{escape(text)}}}") for name, text in _prose(paper) if text)
    if paper.month_raw and parse_month(paper.month_raw).month == paper.month:
        found["month"] = f"{{{escape(paper.month_raw)}}}"
    elif paper.month:
        found["month"] = _MONTHS[paper.month - 1]
    found.update((name, f"{{{verbatim(text)}}}") for name, text in _exact(paper) if text)
    marks = dict(_marks(paper))
    found.update((name, f"{{{text}}}") for name, text in marks.items() if text)
    lists = (("keywords", paper.keywords), ("tags", paper.tags))
    found.update((name, f"{{{_terms(terms)}}}") for name, terms in lists if terms)
    for name, text in paper.raw_fields.items():
        known = name in found or name in _NEVER or (name == "type" and text == kind)
        known = known or name in marks
        if text and not known and _FIELD.fullmatch(name):
            exact = name in _EXACT or name.startswith("bdsk-")
            found[name] = f"{{{verbatim(text) if exact else escape(text)}}}"
    return found


def _plain_key(key: str) -> str:
    plain = _ODD_IN_KEY.sub("-", key).strip("-") if _END_OF_KEY.search(key) else key
    return plain or "paper"


def _cites(paper: Paper, part: Part | None) -> str:
    """What a paper cites of those that are written, as JabRef keeps it."""
    inside = [one for one in paper.cites if one in part.ids] if part and paper.cites else []
    keys = part.citekeys(inside) if part and inside else {}
    return ",".join(_plain_key(keys[one]) for one in inside if one in keys)


class _Keys:
    """Keys that BibTeX can read: as stored, or with a dash for what would end the entry."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def take(self, key: str) -> str:
        """A key that is not yet in the file."""
        plain = _plain_key(key)
        number, found = 1, plain
        while found in self._used:
            number += 1
            found = f"{plain}-{number}"
        self._used.add(found)
        return found


def _type(paper: Paper) -> str:
    word = paper.raw_fields.get("type", "")
    if word in _OLD_WORDS and canonical(word) == paper.type:
        return word
    kind = paper.type or "misc"
    return "misc" if not _FIELD.fullmatch(kind) or kind in _NOT_TYPES else kind


def _entry(paper: Paper, key: str, cites: str) -> str:
    kind = _type(paper)
    fields = _fields(paper, kind)
    if cites:
        fields["cites"] = f"{{{cites}}}"
    if key != paper.citekey:
        fields[KEY_FIELD] = f"{{{escape(paper.citekey)}}}"
    lines = [f"  {name} = {value}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", "", ""])


class BibtexExporter:
    """One entry a paper, in the field names that BibTeX and biblatex share."""

    kind = "bibtex"
    title = "BibTeX / biblatex"
    suffix = ".bib"

    def write(self, papers: Iterable[Paper], stream: TextIO, part: Part | None = None) -> int:
        """Write one entry a paper; returns how many."""
        number, keys, groups = 0, _Keys(), GroupTree()
        for paper in papers:
            number += 1
            key = keys.take(paper.citekey)
            groups.add(key, paper.collections)
            stream.write(_entry(paper, key, _cites(paper, part)))
        stream.write(groups.text())
        return number
