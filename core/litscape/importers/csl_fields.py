"""What the variables of one CSL item mean; Crossref's items are near enough to share it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from litscape.importers import normalise
from litscape.importers.dates import DateParts, parse_date, parse_month
from litscape.importers.exact_notes import NOTES_FIELD, exact, notes_in
from litscape.importers.markup import abstract, plain, plain_paragraphs
from litscape.importers.people import from_parts, is_others, natural
from litscape.importers.record_types import CSL, from_csl, to_csl
from litscape.paper import Author, PaperDraft
from litscape.reading import read_told

_SEASONS = {1: "Spring", 2: "Summer", 3: "Autumn", 4: "Winter"}
_EXTRA_LINE = re.compile(r"^\s*([A-Za-z][A-Za-z -]{1,30}?)\s*:\s*(\S.*?)\s*$", re.M)
MARKS = "litscape-reading"
"""The variable in which this program keeps what a reader made of the paper."""
_OWN = (MARKS, NOTES_FIELD)
_NAMES = ("id", "type", "citation-key")
_DATES = ("issued", "published", "published-print", "published-online")


class _Variables:
    """The variables of an item; those that nobody took become raw fields."""

    def __init__(self, item: Mapping[str, Any]) -> None:
        self._item = {str(key): value for key, value in item.items()}
        self._taken: set[str] = set()

    def look(self, *names: str) -> Any:
        """The first of the variables that has a value; None where none has."""
        for name in names:
            value = self._item.get(name)
            if value not in (None, "", [], {}):
                return value
        return None

    def describes(self) -> bool:
        """Whether the item names a work by key and type, or tells anything of it."""
        named = self.look("id", "citation-key") and self.look("type")
        return bool(named) or any(self.look(name) for name in self._item if name not in _NAMES)

    def text(self, *names: str) -> str | None:
        """Plain text of the first variable that has some; that variable is taken."""
        for name in names:
            found = plain(as_text(_first(self.look(name))))
            if found:
                if not isinstance(self._item[name], list) or len(self._item[name]) < 2:
                    self._taken.add(name)
                return found
        return None

    def take(self, *names: str) -> None:
        self._taken.update(names)

    def left(self) -> dict[str, str]:
        custom = self._item.get("custom")
        own = {name: value for name, value in self._item.items() if name not in self._taken}
        if isinstance(custom, Mapping):
            custom = {name: value for name, value in custom.items() if name not in _OWN}
            own = {**custom, **{name: value for name, value in own.items() if name != "custom"}}
        found = {str(name).strip().lower(): as_text(value) for name, value in own.items()}
        return {name: text for name, text in found.items() if name and text}


def as_text(value: Any) -> str:
    """A JSON value as one line of text; objects and lists of them stay JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return normalise.fold(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(member, str) for member in value):
        return "; ".join(map(normalise.fold, value))
    return normalise.fold(json.dumps(value, ensure_ascii=False))


def _first(value: Any) -> Any:
    if isinstance(value, list):
        return next((member for member in value if member not in (None, "")), None)
    return value


def _number(value: Any) -> int | None:
    """A date part as a number; None where it is nothing, no number, or zero."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        return int(as_text(value)) or None
    except ValueError:
        return None


def _says(part: Any) -> bool:
    return str(part if part is not None else "").strip() not in ("", "0")


def _lists(parts: Any) -> list[list[Any]]:
    """Date parts as a list of dates, whatever brackets are missing."""
    if not isinstance(parts, list):
        return [[parts]] if isinstance(parts, int | str) else []
    if parts and not isinstance(parts[0], list):
        return [parts]
    return [part for part in parts if isinstance(part, list)]


def _from_parts(date: Mapping[str, Any]) -> DateParts | None:
    dates = [part for part in _lists(date.get("date-parts")) if any(map(_says, part))]
    if not dates:
        return None
    first = dates[0]
    words = [str(part).strip() for part in first]
    if len(words) == 1 and not words[0].lstrip("-").isdigit():
        return parse_date(words[0])
    numbers: list[int | None] = [*map(_number, first), None, None]
    year, month, day = numbers[:3]
    read = parse_date(f"{year:04d}" if year and year > 0 else words[0])
    month_raw = None
    if month is None and len(words) > 1 and not words[1].isdigit():
        named = parse_month(words[1])
        month, month_raw = named.month, named.month_raw
    if month is not None and month > 12:
        # 13-16 (citeproc-js) and 21-24 (EDTF) stand for seasons.
        month_raw = _SEASONS.get(month - (12 if month < 20 else 20))
        month, day = None, None
    raw = as_text(date.get("literal")) or read.year_raw
    if not date.get("literal") and len(dates) > 1 and _number(dates[1][0]) not in (None, year):
        raw = f"{words[0]}/{dates[1][0]}"
    if date.get("circa") and raw is None:
        raw = f"c. {words[0]}"
    if read.year is None:
        return DateParts(None, raw)
    day = day if month and day and 1 <= day <= 31 else None
    return DateParts(read.year, raw, month if month and month > 0 else None, month_raw, day)


def _season(value: Any) -> str | None:
    number = _number(value)
    if number is None:
        return as_text(value) or None
    return _SEASONS.get(number - 20 if number > 20 else number, str(number))


def read_date(value: Any) -> DateParts:
    """A CSL date in any form: parts as numbers or texts, bracketless, raw, literal, plain text."""
    if isinstance(value, list):
        value = value[0] if value and isinstance(value[0], Mapping) else {"date-parts": value}
    if not isinstance(value, Mapping):
        return parse_date(as_text(value)) if value is not None else DateParts()
    read = _from_parts(value)
    if read is None:
        texts = (as_text(value.get(key)) for key in ("raw", "literal", "date", "edtf"))
        read = parse_date(next(filter(None, texts), ""))
        year = _number(value.get("year"))
        if read == DateParts() and year:
            read = parse_date(f"{year}-{_number(value.get('month')) or 0:02d}")
    if not value.get("season"):
        return read
    return DateParts(read.year, read.year_raw, read.month, _season(value["season"]), read.day)


def _author(name: Any) -> Author | None:
    if isinstance(name, str):
        folded = plain(name)
        return natural(folded) if folded else None
    if not isinstance(name, Mapping):
        return None
    literal = plain(as_text(name.get("literal") or name.get("name")))
    family, given = plain(as_text(name.get("family"))), plain(as_text(name.get("given")))
    if literal and not family:
        return Author(literal=literal)
    if name.get("isInstitution") and family:
        return Author(literal=family)
    quoted = len(family) > 2 and family[0] == family[-1] == '"'
    lead = [as_text(name.get(f"{kind}dropping-particle")) for kind in ("", "non-")]
    particle = " ".join(filter(None, lead))
    suffix = plain(as_text(name.get("suffix")))
    if particle or quoted:
        family = family.strip('"')
        if not given:
            return Author(literal=f"{particle} {family}".strip())
        return Author(family or None, given, particle or None, suffix or None)
    return from_parts(family, given, suffix)


def read_authors(value: Any) -> tuple[tuple[Author, ...], bool]:
    """The authors of a name variable, and whether the list says that it was cut."""
    names: Sequence[Any] = value if isinstance(value, list) else [value]
    found = [person for person in map(_author, names) if person is not None]
    kept = [person for person in found if not (person.literal and is_others(person.literal))]
    return tuple(kept), len(kept) < len(found)


def _keywords(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        parts = [as_text(member) for member in value]
    else:
        text = as_text(value)
        parts = text.split(";") if ";" in text else text.split(",")
    return tuple(dict.fromkeys(part for part in map(plain, parts) if part))


def _extra(note: str) -> dict[str, str]:
    """The ``Name: value`` lines that Zotero keeps in a note."""
    return {name.lower(): value for name, value in _EXTRA_LINE.findall(note)}


def _identifiers(item: _Variables, extra: Mapping[str, str]) -> dict[str, str | None]:
    given = as_text(item.look("DOI", "doi"))
    url = as_text(item.look("URL", "url"))
    doi = normalise.doi(given) if given else None
    if doi:
        item.take("DOI", "doi")
    doi = doi or normalise.doi_only(url) or normalise.doi_only(extra.get("doi", ""))
    number = as_text(item.look("PMID", "pmid")) or extra.get("pmid", "") or url
    pmid = normalise.pmid(number) if number else None
    if pmid and item.look("PMID"):
        item.take("PMID", "pmid")
    places = (
        as_text(item.look("arxiv")),
        *(as_text(item.look(name)) for name in ("number", "archive_location", "archive-location")),
        *(extra.get(name, "") for name in ("arxiv", "arxiv id", "eprint")),
    )
    in_arxiv = "arxiv" in as_text(item.look("archive", "publisher", "source")).lower()
    named = [
        text if "arxiv" in text.lower() or not in_arxiv else f"arXiv:{text}" for text in places
    ]
    sources = [text for text in (*named, doi or "", url) if "arxiv" in text.lower()]
    arxiv = next(filter(None, map(normalise.arxiv, sources)), None)
    if arxiv and as_text(item.look("number")).lower().startswith("arxiv:"):
        item.take("number", *(["archive"] if in_arxiv else []))
    isbn = normalise.isbn(as_text(item.look("ISBN", "isbn")))
    if isbn and len(re.sub(r"\W", "", as_text(item.look("ISBN", "isbn")))) == len(isbn):
        item.take("ISBN", "isbn")
    return {"doi": doi, "pmid": pmid, "arxiv": arxiv, "isbn": isbn}


def _key(item: _Variables, extra: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The citation key and the id as text; an address as id is no key."""
    identity = as_text(item.look("id"))
    given = as_text(item.look("citation-key"))
    key = given or extra.get("citation key", "") or identity
    item.take("id", "citation-key")
    address = not given and re.match(r"https?://", key)
    return (None if address else key) or None, identity or None


def _marks(item: _Variables) -> dict[str, Any]:
    """What a reader made of the work, as this program writes it."""
    custom = item.look("custom")
    values = custom.get(MARKS) if isinstance(custom, Mapping) else None
    return read_told(values) if isinstance(values, Mapping) else {}


def _date(item: _Variables) -> DateParts:
    for name in _DATES:
        read = read_date(item.look(name))
        if read != DateParts():
            item.take(name)
            return read
    return DateParts()


def _type(item: _Variables) -> str | None:
    name = as_text(item.look("type"))
    kind = from_csl(name)
    if name in CSL and to_csl(kind) == name:
        item.take("type")
    return kind


def _issn(item: _Variables) -> dict[str, str]:
    text = as_text(item.look("ISSN", "issn"))
    found = normalise.issn(text)
    if found and text.upper() in (found, found.replace("-", "")):
        item.take("ISSN", "issn")
    return {"issn": found} if found else {}


def draft_of(item: Mapping[str, Any], *, raw: str, line: int, index: int) -> PaperDraft | None:
    """One CSL item as a draft; None where it neither names a work nor tells anything of it.

    Args:
        item: the decoded object.
        raw: its text in the file.
        line: 1-based line of its start.
        index: its 0-based place in the list.
    """
    found = _Variables(item)
    if not found.describes():
        return None
    note = found.look("note")
    extra = _extra(note) if isinstance(note, str) else {}
    citekey, identity = _key(found, extra)
    kind = _type(found)
    ids = _identifiers(found, extra)
    authors, more = read_authors(found.look("author"))
    date, text = _date(found), abstract(as_text_lines(found.look("abstract")))
    venues = ["container-title", "container-title-short", "journalAbbreviation"]
    if kind == "inproceedings":
        venues += ["event-title", "event"]
    found.take("author", "abstract", "keyword", "note")
    return PaperDraft(
        citekey=citekey,
        type=kind,
        title=found.text("title", "title-short"),
        authors=authors,
        more_authors=more,
        **date.fields(),
        venue=found.text(*venues),
        publisher=found.text("publisher"),
        volume=found.text("volume"),
        issue=found.text("issue"),
        pages=_pages(found),
        url=found.text("URL", "url"),
        abstract=text,
        keywords=_keywords(found.look("keyword")),
        notes=_notes(note, found.look("custom")),
        doi=ids["doi"],
        arxiv=ids["arxiv"],
        pmid=ids["pmid"],
        isbn=ids["isbn"],
        identifiers=_issn(found),
        **_marks(found),
        raw_fields=found.left(),
        source_id=identity,
        raw=raw,
        line=line,
        index=index,
    )


def as_text_lines(value: Any) -> str:
    """Text whose line breaks still stand, for abstracts."""
    return value if isinstance(value, str) else as_text(value)


def _notes(note: Any, custom: Any) -> tuple[str, ...]:
    """The paragraphs of a note, each a note of its own; or the notes as this program kept them."""
    parts = plain_paragraphs(as_text_lines(note)).split("\n\n")
    read = tuple(dict.fromkeys(filter(None, parts)))
    return exact(notes_in(custom.get(NOTES_FIELD)), read) if isinstance(custom, Mapping) else read


def _pages(item: _Variables) -> str | None:
    text = item.text("page", "page-first")
    return normalise.pages(text) or None if text else None
