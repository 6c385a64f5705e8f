"""What the tags of one RIS record mean, old and new tags alike."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from litscape.importers import normalise
from litscape.importers.dates import DateParts, parse_date
from litscape.importers.exact_notes import NOTES_SIGN, exact, read_notes
from litscape.importers.file_there import file_is_there, local_path
from litscape.importers.markup import abstract, plain
from litscape.importers.people import inverted, is_others
from litscape.importers.record_types import RIS, from_ris, to_ris
from litscape.importers.ris_tags import entries, parted, read_tags_line
from litscape.paper import Author, FileLink, PaperDraft, Reference
from litscape.reading import read_told

Fields = Sequence[tuple[str, Sequence[str]]]

WHOLE_TYPES = frozenset(
    {"book", "report", "thesis", "dataset", "software", "map", "standard", "patent"}
)
"""Types whose ``T2`` names a series or body, not something that they appeared in."""
_VENUE = ("JF", "T2", "BT", "JO", "C3", "JA", "J2", "J1", "J9", "JI")
_WHOLE_VENUE = ("JF", "JO", "JA", "J2")
_NOTHING = frozenset({"", "na", "n/a", "nan", "none", "null", "-", "unknown"})
_ARXIV_TAGS = ("UR", "AN", "JO", "JF", "T2", "M1", "M3", "L1", "L2", "ID", "PB")
_HTTP = re.compile(r"(?:https?|ftp)://", re.I)
_REFERENCE_YEAR = re.compile(r"\(((?:1[5-9]|20)\d{2})[a-z]?\)")
KEY_TAG, KEY_SIGN = "U5", "citation key: "
"""Where this program writes a key that could not be told from a number or text in ``ID``."""
DATE_SIGN = "date: "
"""Likewise for a date that the tags for dates would not give again, as a list of its parts."""
MARK_SIGN = "reading: "
"""Likewise for what a reader made of the paper, as an object."""
_KEY = re.compile(r"[^\s,{}\"#%~\\]{1,120}")


class _Tags:
    """The values of a record by tag; what nobody used is left over for ``raw_fields``."""

    def __init__(self, fields: Fields) -> None:
        self._values: dict[str, list[str]] = {}
        for tag, lines in fields:
            self._values.setdefault(tag, []).extend(entries(tag, lines))
        self._used: dict[str, set[str]] = {}

    def look(self, *tags: str) -> list[str]:
        """All values of the tags, in the order of the tags; they stay for ``raw_fields``."""
        found = (value for tag in tags for value in self._values.get(tag, ()))
        return [value for value in found if value.casefold() not in _NOTHING]

    def use(self, tag: str, *values: str) -> None:
        """These values of a tag have found their place."""
        self._used.setdefault(tag, set()).update(values)

    def take(self, *tags: str) -> list[str]:
        """All values of the tags, which then are used."""
        for tag in tags:
            self.use(tag, *self._values.get(tag, ()))
        return self.look(*tags)

    def first(self, *tags: str) -> str | None:
        """The first value of the first of the tags that has one; that value is used."""
        for tag in tags:
            for value in self.look(tag):
                self.use(tag, value)
                return value
        return None

    def find(self, form: Callable[[str], str | None], *tags: str, use: bool = True) -> str | None:
        """What ``form`` makes of the first value that it makes something of."""
        for tag in tags:
            for value in self.look(tag):
                found = form(value)
                if found:
                    if use:
                        self.use(tag, value)
                    return found
        return None

    def any_but(self, *tags: str) -> bool:
        """Whether any other tag has a value."""
        return any(self.look(tag) for tag in self._values if tag not in tags)

    def left(self) -> dict[str, str]:
        """The values that were not used, by lower-case tag."""
        rest = {
            tag: [value for value in values if value and value not in self._used.get(tag, ())]
            for tag, values in self._values.items()
        }
        return {tag.lower(): "; ".join(values) for tag, values in rest.items() if values}


def _authors(tags: _Tags) -> tuple[tuple[Author, ...], bool]:
    names = tags.take("AU") or tags.take("A1")
    tags.use("A1", *names)
    more = any(map(is_others, names))
    people = (inverted(name) for name in map(normalise.fold, names) if name and not is_others(name))
    return tuple(people), more


def _date(tags: _Tags) -> DateParts:
    texts = tags.take("PY", "Y1", "YR", "DA")
    for text in tags.look(KEY_TAG):
        if text.startswith(DATE_SIGN) and (own := written_date(text)) is not None:
            tags.use(KEY_TAG, text)
            return own
    return date_of(texts)


def date_text(date: DateParts) -> str:
    """A date as this program writes it where the tags for dates would not give it again."""
    return DATE_SIGN + json.dumps(list(date.fields().values()), ensure_ascii=False)


def written_date(text: str) -> DateParts | None:
    """What :func:`date_text` wrote; None where somebody changed it to what is none."""
    with suppress(ValueError, TypeError):
        year, year_raw, month, month_raw, day = json.loads(text.removeprefix(DATE_SIGN))
        numbers, texts = (year, month, day), (year_raw, month_raw)
        if all(one is None or type(one) is int for one in numbers) and all(
            one is None or isinstance(one, str) for one in texts
        ):
            return DateParts(year, year_raw, month, month_raw, day)
    return None


def date_of(written: Sequence[str]) -> DateParts:
    """The year of PY, else Y1, YR or DA; month and day from any of them that agrees."""
    texts = [text for text in written if text.strip("/ ")]
    read = [parse_date(_without_nan(text)) for text in texts]
    main = next((date for date in read if date.year is not None), read[0] if read else DateParts())
    finer = [date for date in read if date.year == main.year or date.year is None]
    best = next((date for date in [main, *finer] if date.month is not None), None)
    seasons = (date.month_raw for date in [main, *finer] if date.month_raw)
    if best is None:
        words = (_month_only(text) for text in texts)
        best = next((date for date in words if date.month is not None), DateParts())
    month_raw = best.month_raw if best.month is not None else next(seasons, None)
    raw = main.year_raw if main.year_raw or main.year is None else None
    return DateParts(main.year, raw, best.month, month_raw, best.day)


def _month_only(text: str) -> DateParts:
    """``SEP`` as Web of Science writes it: a month beside a year of another tag."""
    return DateParts() if any(char.isdigit() for char in text) else parse_date(f"2000 {text}")


def _without_nan(text: str) -> str:
    return re.sub(r"/(?:nan|none|null|na)$", "/", text, flags=re.I)


def _pages(tags: _Tags) -> str | None:
    start = tags.first("SP")
    if not start:
        return None
    pages = normalise.pages(start)
    end = tags.look("EP")
    last = normalise.pages(end[0]) if end else ""
    if last and "-" in pages and not _ends_with(pages, last):
        return pages
    tags.take("EP")
    return pages if not last or _ends_with(pages, last) else f"{pages}-{last}"


def _ends_with(pages: str, last: str) -> bool:
    """Whether a first page is all that ``EP`` says: ``12-19`` and ``e123`` before ``123``."""
    lead = pages.removesuffix(last)
    return lead != pages and (not lead or lead[-1] == "-" or (lead.isalpha() and last.isdigit()))


def _doi(tags: _Tags) -> str | None:
    return (
        tags.find(normalise.doi, "DO", "DI")
        or tags.find(normalise.doi_only, "M3")
        or tags.find(normalise.doi_only, "L3", "AN", "C1", "N1", "ID", "U1", use=False)
        or tags.find(normalise.doi_only, "UR", "L2", "LK", use=False)
    )


def _arxiv(tags: _Tags, doi: str | None) -> str | None:
    def named(text: str) -> str | None:
        return normalise.arxiv(text) if "arxiv" in text.lower() else None

    def bare(text: str) -> str | None:
        return named(text) if text.lower().startswith("arxiv:") else None

    return named(doi or "") or tags.find(bare, "AN") or tags.find(named, *_ARXIV_TAGS, use=False)


def _pmid(tags: _Tags) -> str | None:
    def marked(text: str) -> str | None:
        return normalise.pmid(text) if re.search(r"pmid|pubmed", text, re.I) else None

    base = " ".join(tags.look("DB", "DP")).lower()
    known = any(name in base for name in ("pubmed", "medline", "nlm"))
    return (
        tags.find(marked, "AN")
        or (tags.find(normalise.pmid, "AN", use=False) if known else None)
        or tags.find(marked, "U1", "U2", "C2", "C1", "N1", "M1", "UR", "L2", use=False)
    )


def _serial(tags: _Tags) -> tuple[str | None, dict[str, str]]:
    """ISBN and ISSN; both are in ``SN``. A second one, and what is neither, stays raw."""

    def whole(form: Callable[[str], str | None]) -> Callable[[str], str | None]:
        # "2325-9671 (electronic)" gives its number and stays raw.
        return lambda text: form(text) if not re.search(r"[a-wyz;,(]", text, re.I) else None

    isbn = tags.find(whole(normalise.isbn), "SN") or tags.find(normalise.isbn, "SN", use=False)
    issn = tags.find(whole(normalise.issn), "SN") or tags.find(normalise.issn, "SN", use=False)
    return isbn, {"issn": issn} if issn else {}


def _link(path: str, folder: str) -> FileLink:
    return FileLink(path, exists=file_is_there(path, folder))


def _files(tags: _Tags, folder: str) -> tuple[FileLink, ...]:
    """Paths of L1 and L4; addresses there are links, not files, and stay raw."""
    found: list[FileLink] = []
    for tag in ("L1", "L4"):
        for text in tags.look(tag):
            if not _HTTP.match(text):
                tags.use(tag, text)
                path = local_path(text)
                found += [_link(path, folder)] if path else []
    return tuple(dict.fromkeys(found))


def _references(tags: _Tags) -> tuple[Reference, ...]:
    """Works cited: Scopus writes them into a note, PsycINFO into repeated ``M1`` lines."""
    found: list[str] = []
    for note in tags.look("N1"):
        if note.startswith("References:"):
            found += [normalise.fold(part) for part in note[len("References:") :].split(";")]
    listed = tags.look("M1")
    if len(listed) > 2 and sum(bool(_REFERENCE_YEAR.search(text)) for text in listed) > 2:
        found += tags.take("M1")
    return tuple(map(_reference, filter(None, found)))


def _reference(text: str) -> Reference:
    year = _REFERENCE_YEAR.search(text)
    return Reference(raw=text, doi=normalise.doi(text), year=int(year[1]) if year else None)


def _notes(tags: _Tags, *others: str) -> tuple[str, ...]:
    notes = [text for text in tags.take("N1", "RN") if not text.startswith("References:")]
    read = tuple(filter(None, map(plain, notes)))
    lines = [text for text in tags.look(KEY_TAG) if text.startswith(NOTES_SIGN)]
    tags.use(KEY_TAG, *lines)
    for text in lines:
        read = exact(read_notes(text.removeprefix(NOTES_SIGN)), read, _stands)
    return tuple(dict.fromkeys((*read, *filter(None, map(plain, others)))))


def _stands(note: str) -> bool:
    return note.casefold() not in _NOTHING and not note.startswith("References:")


def _abstract(tags: _Tags) -> tuple[str | None, tuple[str, ...]]:
    """The abstract (AB, else N2), and an N2 beside another AB, which then is a note."""
    main = "\n\n".join(tags.take("AB"))
    old = "\n\n".join(tags.take("N2"))
    first, second = abstract(main), abstract(old)
    if first and second and first != second:
        return first, (old,)
    return first or second, ()


def _title(tags: _Tags, kind: str | None) -> str | None:
    order = ("TI", "T1", "CT", "BT", "ST") if kind != "incollection" else ("TI", "T1", "CT", "ST")
    title = tags.find(lambda text: plain(text) or None, *order)
    for tag in ("TI", "T1", "CT", "ST"):
        tags.use(tag, *[text for text in tags.look(tag) if plain(text) == title])
    return title


def _venue(tags: _Tags, kind: str | None) -> str | None:
    order = _WHOLE_VENUE if kind in WHOLE_TYPES else _VENUE
    venue = tags.find(lambda text: plain(text) or None, *order)
    for tag in _VENUE if venue else ():
        tags.use(tag, *[text for text in tags.look(tag) if plain(text) == venue])
    return venue


def _type(tags: _Tags) -> str | None:
    """The type; ``TY`` stays raw where it could not be had back from the type."""
    names = tags.look("TY")
    kind = from_ris(names[0]) if names else None
    if names and names[0].upper() in RIS and to_ris(kind) == names[0].upper():
        tags.use("TY", names[0])
    return kind


def plain_key(text: str) -> str | None:
    """A citation key as it may stand in ``ID``; None for numbers and whatever else stands there."""
    word = _KEY.fullmatch(text) and any(map(str.isalpha, text))
    if not word or text.casefold() in _NOTHING:
        return None
    return None if normalise.doi_only(text) else text


def _key(tags: _Tags) -> str | None:
    """The citation key: ``ID`` or ``LB``, unless it is a bare number or an accession number."""
    for text in tags.look(KEY_TAG):
        if text.startswith(KEY_SIGN):
            key = text.removeprefix(KEY_SIGN).strip()
            tags.use(KEY_TAG, text)
            tags.use("ID", key)
            return key or None
    return tags.find(plain_key, "ID", "LB")


def _marks(tags: _Tags) -> dict[str, Any]:
    """What a reader made of the paper, as this program writes it."""
    for text in tags.look(KEY_TAG):
        if text.startswith(MARK_SIGN):
            with suppress(ValueError, RecursionError):
                values = json.loads(text.removeprefix(MARK_SIGN))
                if isinstance(values, dict) and (found := read_told(values)):
                    tags.use(KEY_TAG, text)
                    return found
    return {}


def _terms(tags: _Tags) -> dict[str, Any]:
    """Keywords, and those of them that are tags, as this program says."""
    lines = [text for text in tags.look(KEY_TAG) if read_tags_line(text)]
    tags.use(KEY_TAG, *lines)
    names = [name for text in lines for name in read_tags_line(text)]
    own, keywords = parted(tags.take("KW", "K1"), names, _NOTHING)
    return {"tags": own, "keywords": keywords}


def draft_of(
    fields: Fields, *, raw: str, line: int, index: int, folder: str = ""
) -> PaperDraft | None:
    """One record as a draft; None where it holds nothing but its type.

    Args:
        fields: tag and lines (the value, then the untagged lines under it), in order.
        raw: the record as in the file.
        line: 1-based line of its start.
        index: its 0-based place among the records.
        folder: the folder of the file, which relative paths start from; empty for pasted text.
    """
    tags = _Tags(fields)
    kind = _type(tags)
    title = _title(tags, kind)
    authors, more = _authors(tags)
    date, doi = _date(tags), _doi(tags)
    text, spare = _abstract(tags)
    if not tags.any_but("TY", "ER"):
        return None
    isbn, identifiers = _serial(tags)
    arxiv, pmid, references = _arxiv(tags, doi), _pmid(tags), _references(tags)
    return PaperDraft(
        citekey=_key(tags),
        type=kind,
        title=title,
        authors=authors,
        more_authors=more,
        **date.fields(),
        venue=_venue(tags, kind),
        publisher=tags.first("PB", "PU"),
        volume=tags.first("VL", "VO"),
        issue=tags.first("IS", "CP"),
        pages=_pages(tags),
        doi=doi,
        arxiv=arxiv,
        pmid=pmid,
        isbn=isbn,
        files=_files(tags, folder),
        url=tags.first("UR", "LK") or next(filter(_HTTP.match, tags.look("L2", "L1")), None),
        abstract=text,
        **_terms(tags),
        notes=_notes(tags, *spare),
        references=references,
        identifiers=identifiers,
        **_marks(tags),
        raw_fields=tags.left(),
        raw=raw,
        line=line,
        index=index,
    )
