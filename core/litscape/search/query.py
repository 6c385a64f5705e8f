"""What a person types, read: words, phrases, fields and what to leave out. Reading never fails."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from litscape.search.numbers import read_span
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from litscape.store.lexical import Column

COLUMNS: dict[str, Column] = {
    "title": "title",
    "author": "authors_text",
    "venue": "venue",
    "abstract": "abstract",
    "keyword": "keywords_text",
}
_ALIASES = {
    "authors": "author",
    "by": "author",
    "journal": "venue",
    "keywords": "keyword",
    "fulltext": "text",
}
MARKS = (
    "collection", "type", "has", "is", "rating", "colour", "source", "in", "cites", "citedby",
    "key", "text",
)  # fmt: skip
FIELDS = (*COLUMNS, "year", "tag", *MARKS)
_PIECE = re.compile(
    r"""
    (?P<minus>-)?
    (?:(?P<field>[^\W\d_]+):[ ]*)?
    (?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))
    """,
    re.VERBOSE,
)
_YEAR_BEGUN = re.compile(r"[<>=\d.–-]*")
_QUOTES = str.maketrans("“”„‟«»″", '"' * 7)
MIN_PREFIX = 2


@dataclass(frozen=True, slots=True)
class YearRange:
    """Years from ``first`` to ``last``, both included; open where None."""

    first: int | None = None
    last: int | None = None

    def __str__(self) -> str:
        if self.first == self.last:
            return f"year {self.first}"
        if self.first is None:
            return f"year up to {self.last}"
        return f"year from {self.first}" if self.last is None else f"year {self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class Mark:
    """What a paper must be, have, or be linked to: one of :data:`MARKS` and its value."""

    field: str
    value: str

    def __str__(self) -> str:
        names = {
            "collection": "in",
            "type": "type",
            "has": "with",
            "citedby": "cited by",
            "text": "in its PDF",
        }
        return f"{names.get(self.field, self.field)} “{self.value}”"


@dataclass(frozen=True, slots=True)
class Query:
    """A query in parts; every one has to hold.

    Attributes:
        terms: words and phrases that must stand in a paper, some in one field only.
        without: words and phrases that must not.
        years: ranges that the year must be in.
        without_years: ranges that it must not be in.
        tags: names of tags that a paper must have.
        without_tags: names that it must not have.
        marks: what a paper must be, have or be linked to otherwise.
        without_marks: what it must not.
        notes: what could not be read as it was meant.
        unread: whether there was something in it that says nothing: signs, or a year that is none.
    """

    terms: tuple[Term, ...] = ()
    without: tuple[Term, ...] = ()
    years: tuple[YearRange, ...] = ()
    without_years: tuple[YearRange, ...] = ()
    tags: tuple[str, ...] = ()
    without_tags: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    without_marks: tuple[Mark, ...] = ()
    notes: tuple[str, ...] = ()
    unread: bool = False

    @property
    def empty(self) -> bool:
        """Whether it asks for nothing, so that every paper would do."""
        parts = (self.terms, self.without, self.years, self.tags, self.marks)
        return not any((*parts, self.without_years, self.without_tags, self.without_marks))

    @property
    def meaning(self) -> str:
        """The text whose meaning is searched for: all wanted words but names and places."""
        return " ".join(
            term.text for term in self.terms if term.column not in ("authors_text", "venue")
        )


@dataclass(slots=True)
class _Reading:
    terms: list[Term] = field(default_factory=list)
    without: list[Term] = field(default_factory=list)
    years: list[YearRange] = field(default_factory=list)
    without_years: list[YearRange] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    without_tags: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    without_marks: list[Mark] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unread: bool = False


def parse(text: str, *, as_you_type: bool = False) -> Query:
    """Read a query.

    Args:
        text: words, ``"phrases"``, ``title: author: venue: abstract: keyword: year: tag:
            collection: type: has: cites: citedby: text:`` before a word or phrase, ``-`` before
            anything to leave out, ``*`` after the start of a word.
        as_you_type: take the last word as the start of one, unless something follows it.
    """
    whole = text.encode("utf-8", "ignore").decode()  # half a surrogate pair can't be stored
    text = unicodedata.normalize("NFC", whole).translate(_QUOTES)
    reading = _Reading()
    for piece in _PIECE.finditer(text):
        _read(piece, reading, unfinished=as_you_type and piece.end() == len(text))
    if as_you_type and reading.terms:
        term = reading.terms[-1]
        if len(term.text) >= MIN_PREFIX and text.endswith(term.text):
            reading.terms[-1] = Term(term.text, term.column, prefix=True)
    return Query(
        terms=tuple(dict.fromkeys(reading.terms)),
        without=tuple(dict.fromkeys(reading.without)),
        years=tuple(reading.years),
        without_years=tuple(reading.without_years),
        tags=tuple(dict.fromkeys(reading.tags)),
        without_tags=tuple(dict.fromkeys(reading.without_tags)),
        marks=tuple(dict.fromkeys(reading.marks)),
        without_marks=tuple(dict.fromkeys(reading.without_marks)),
        notes=tuple(dict.fromkeys(reading.notes)),
        unread=reading.unread,
    )


def _read(piece: re.Match[str], reading: _Reading, *, unfinished: bool) -> None:
    negative = bool(piece["minus"])
    phrase = piece["phrase"] is not None
    value = piece["phrase"] if phrase else piece["word"].strip("()[]{},;")
    name = (piece["field"] or "").casefold()
    name = _ALIASES.get(name, name)
    if name and name not in FIELDS:
        _add_words(piece["field"], None, negative, reading)
        name = ""
    if name == "year":
        _add_years(value, negative, reading, unfinished)
    elif name == "tag" and value:
        (reading.without_tags if negative else reading.tags).append(value)
    elif name in MARKS and value:
        if name == "text" and unfinished and not phrase and len(value) >= MIN_PREFIX:
            value = f"{value.rstrip('*')}*"
        (reading.without_marks if negative else reading.marks).append(Mark(name, value))
    elif not phrase and _bare_field(value):
        _nothing_follows(value, reading, unfinished)
    elif not _add_words(value, COLUMNS.get(name), negative, reading):
        begun = unfinished and not piece[0].rpartition(":")[2].strip(' "-([{')
        reading.unread = reading.unread or not begun


def field_name(typed: str) -> str:
    """The one name of a field that may be written in several ways; empty where there is none."""
    name = typed.casefold()
    name = _ALIASES.get(name, name)
    return name if name in FIELDS else ""


def _bare_field(word: str) -> bool:
    """Whether it is a field whose value is still to be typed."""
    name = word.removesuffix(":").casefold()
    return word.endswith(":") and _ALIASES.get(name, name) in FIELDS


def _nothing_follows(name: str, reading: _Reading, unfinished: bool) -> None:
    if not unfinished:
        reading.notes.append(f"Nothing follows “{name}”.")
        reading.unread = True


def _add_words(text: str, column: Column | None, negative: bool, reading: _Reading) -> bool:
    """Take words in; whether there were any."""
    stem = text.rstrip("*")
    prefix = stem != text and len(stem) >= MIN_PREFIX
    term = Term(" ".join(stem.split()), column, prefix)
    if not term.empty:
        (reading.without if negative else reading.terms).append(term)
    return not term.empty


def _add_years(text: str, negative: bool, reading: _Reading, unfinished: bool) -> None:
    years = read_years(text)
    if years is None and unfinished and _YEAR_BEGUN.fullmatch(text):
        return
    if years is None:
        reading.notes.append(f"“{text}” is not a year or a range such as 2015-2020.")
        reading.unread = True
    else:
        (reading.without_years if negative else reading.years).append(years)


def read_years(text: str) -> YearRange | None:
    """``2019``, ``2015-2020``, ``2015..2020``, ``2015-``, ``-2020``, ``>2018``, ``<=2018``.

    A range may be written from either end: ``2020-2015``.
    """
    span = read_span(text, 4)
    return None if span is None else YearRange(*span)


def describe(query: Query) -> str:
    """The query as it was understood, in words."""
    names = {column: name for name, column in COLUMNS.items()}
    parts: list[str] = []
    plain = [_shown(term) for term in query.terms if term.column is None]
    if plain:
        parts.append(" ".join(plain))
    parts += [f"{names[term.column]}: {_shown(term)}" for term in query.terms if term.column]
    parts += [str(years) for years in query.years]
    parts += [f"tag “{tag}”" for tag in query.tags]
    parts += map(str, query.marks)
    hidden = [
        f"{names[term.column]}: {_shown(term)}" if term.column else _shown(term)
        for term in query.without
    ]
    hidden += [str(years) for years in query.without_years]
    hidden += [f"tag “{tag}”" for tag in query.without_tags]
    hidden += map(str, query.without_marks)
    if hidden:
        parts.append("not " + ", not ".join(hidden))
    return "; ".join(parts) or "everything"


def _shown(term: Term) -> str:
    shown = f"“{term.text}”" if " " in term.text else term.text
    return f"{shown}…" if term.prefix else shown
