"""What a person types, read: words, phrases, fields, groups. Reading never fails."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.search.fields import COLUMNS, FIELDS, MARKS, field_name
from litscape.search.numbers import read_span
from litscape.search.parts import AllOf, AnyOf, Mark, Not, Tag, YearRange, leaves
from litscape.search.pieces import QUOTES
from litscape.search.reading import MIN_PREFIX, Reader, split
from litscape.search.understood import describe
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.search.parts import Node

__all__ = [
    "COLUMNS", "FIELDS", "MARKS", "MIN_PREFIX", "Mark", "Query", "YearRange", "describe",
    "field_name", "finished", "parse", "read_years",
]  # fmt: skip
_NAMES = COLUMNS["author"]
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""What pasted text has inside of words and nobody sees."""
LONGEST = 20_000
"""Most characters of a query that are read: a pasted page has some 4,000."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query in parts; every one has to hold.

    Attributes:
        terms: words and phrases that must stand in a paper, some in one field only.
        without: words and phrases that must not.
        without_written: names that no author must have, and words that must not stand there as
            they are written.
        years: ranges that the year must be in.
        without_years: ranges that it must not be in.
        tags: names of tags that a paper must have.
        without_tags: names that it must not have.
        marks: what a paper must be, have or be linked to otherwise.
        without_marks: what it must not.
        groups: what is asked for with OR, in brackets or not.
        notes: what could not be read as it was meant.
        unread: whether there was something in it that says nothing: signs, an empty field.
        begun: the tag or mark whose name is still being typed: while it is the beginning of one
            that there is, it does not count yet.
        awaited: what says nothing before more is typed: a field, the first digits of a year.
        growing: whether the last word is taken as the start of one, for it is still being typed.
    """

    terms: tuple[Term, ...] = ()
    without: tuple[Term, ...] = ()
    without_written: tuple[Term, ...] = ()
    years: tuple[YearRange, ...] = ()
    without_years: tuple[YearRange, ...] = ()
    tags: tuple[str, ...] = ()
    without_tags: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    without_marks: tuple[Mark, ...] = ()
    groups: tuple[AnyOf, ...] = ()
    notes: tuple[str, ...] = ()
    unread: bool = False
    begun: Tag | Mark | None = None
    awaited: str = ""
    growing: bool = False

    @property
    def empty(self) -> bool:
        """Whether it asks for nothing, so that every paper would do."""
        parts = (self.terms, self.without, self.years, self.tags, self.marks, self.groups)
        hidden = (self.without_written, self.without_years, self.without_tags, self.without_marks)
        return not any((*parts, *hidden))

    @property
    def wanted(self) -> tuple[Term, ...]:
        """All words that a paper may be found by, those of groups too."""
        return tuple(dict.fromkeys((*self.terms, *self.choices)))

    @property
    def choices(self) -> tuple[Term, ...]:
        """The words of the groups that a paper may be found by."""
        found = (leaf for group in self.groups for leaf in leaves(group))
        return tuple(dict.fromkeys(leaf for leaf in found if isinstance(leaf, Term)))

    @property
    def asks_inside(self) -> bool:
        """Whether it asks for what stands inside PDFs."""
        inner = (leaf for group in self.groups for leaf in leaves(group))
        plain = (leaf.leaf if isinstance(leaf, Not) else leaf for leaf in inner)
        marks = (*self.marks, *self.without_marks, *plain)
        return any(isinstance(one, Mark) and one.field == "text" for one in marks)

    @property
    def meaning(self) -> str:
        """The text whose meaning is searched for: all wanted words but names and places."""
        return " ".join(
            term.text for term in self.wanted if term.column not in ("authors_text", "venue")
        )


def parse(text: str, *, as_you_type: bool = False) -> Query:
    """Read a query.

    Args:
        text: words, ``"phrases"``, a field (:data:`litscape.search.fields.HELP`) before a word,
            phrase or bracket, ``-`` or ``NOT`` before anything to leave out, ``OR`` or ``|``
            between choices, which bind less than what stands side by side, brackets to any depth,
            ``*`` after the start of a word.
        as_you_type: take the last word as the start of one, unless something follows it.
    """
    whole = text.encode("utf-8", "ignore").decode()  # half a surrogate pair can't be stored
    text = unicodedata.normalize("NFC", whole).translate(QUOTES).translate(_UNSEEN)
    reader = Reader(text[:LONGEST], typing=as_you_type and len(text) <= LONGEST)
    if len(text) > LONGEST:
        reader.notes.append(f"Only the first {LONGEST:,} characters were searched.")
    parts = split(reader.read())
    if parts and reader.pictures:
        said = f"“{reader.pictures}” was left out: pictures and signs are not searched."
        reader.notes.append(said)
    if as_you_type and not (parts or reader.unread or reader.awaited):
        reader.awaited = text.strip()  # an open bracket, a minus
    unwanted = [part.leaf for part in parts if isinstance(part, Not)]
    left_out = [one for one in unwanted if isinstance(one, Term)]
    return Query(
        terms=tuple(dict.fromkeys(one for one in parts if isinstance(one, Term))),
        without=tuple(dict.fromkeys(one for one in left_out if not _as_written(one))),
        without_written=tuple(dict.fromkeys(one for one in left_out if _as_written(one))),
        years=tuple(one for one in parts if isinstance(one, YearRange)),
        without_years=tuple(one for one in unwanted if isinstance(one, YearRange)),
        tags=_names(parts),
        without_tags=_names(unwanted),
        marks=tuple(dict.fromkeys(one for one in parts if isinstance(one, Mark))),
        without_marks=tuple(dict.fromkeys(one for one in unwanted if isinstance(one, Mark))),
        groups=tuple(_groups(parts)),
        notes=tuple(dict.fromkeys(reader.notes)),
        unread=reader.unread,
        begun=reader.begun,
        awaited=reader.awaited,
        growing=reader.growing,
    )


def _as_written(term: Term) -> bool:
    return term.written or term.column == _NAMES


def finished(text: str) -> str:
    """What finds the same as a query that is still being typed: its last word with a star."""
    whole = text.strip()
    return f"{whole.rstrip('*')}*" if parse(text, as_you_type=True).growing else whole


def _names(parts: tuple[Node, ...] | list[Term | YearRange | Tag | Mark]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in parts if isinstance(one, Tag)))


def _groups(parts: tuple[Node, ...]) -> Iterator[AnyOf]:
    for part in parts:
        assert not isinstance(part, AllOf)  # joined with what is around it
        if isinstance(part, AnyOf):
            yield part


def read_years(text: str) -> YearRange | None:
    """``2019``, ``2015-2020``, ``2015..2020``, ``2015-``, ``-2020``, ``>2018``, ``<=2018``.

    A range may be written from either end: ``2020-2015``.
    """
    span = read_span(text, 4)
    return None if span is None else YearRange(*span)
