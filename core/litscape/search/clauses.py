"""Clauses put into and taken out of the text of a query: how views other than its box change it.

Only clauses at the top of a query are looked at, ``tag:x`` or ``(type:book OR type:thesis)``, not
those inside of what a person has bracketed. The rest of the text stays as it was typed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.search.fields import EXACT, field_name
from litscape.search.pieces import QUOTES, Piece, pieces
from litscape.sorting import sort_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SINGLE = ("type", "venue", "source", "colour", "topic")
"""Fields of which a paper has one value: a second value is another choice, not a further wish."""
RANGES = ("year", "rating")
"""Fields of ranges: a new one takes the place of the old."""
_SAFE = frozenset("-_./+&'…–")


@dataclass(frozen=True, slots=True)
class _Choice:
    field: str
    value: str
    negative: bool = False
    exact: bool = False

    @property
    def key(self) -> tuple[str, str, bool, bool]:
        """Equal for choices that ask for the same."""
        exact = self.exact or self.field not in EXACT
        return self.field, sort_text(_plain(self.value)), self.negative, exact

    @property
    def text(self) -> str:
        """As it is typed."""
        exact = self.exact and self.field not in RANGES
        value = self.value if self.field in RANGES else _plain(self.value)
        bare = (
            value[:1] not in ("", "-")
            and not exact
            and all(one.isalnum() or one in _SAFE for one in value)
        )
        if self.field in RANGES:
            bare = bool(value) and not any(one.isspace() or one in '"()|' for one in value)
        doubled = value.replace('"', '""')
        shown = value if bare else f'"{doubled}"'
        return f"{'-' if self.negative else ''}{self.field}:{'=' if exact else ''}{shown}"


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the top of a query and the choices it is made of; other text has none."""

    start: int
    end: int
    choices: tuple[_Choice, ...] = ()

    def takes(self, more: _Choice) -> bool:
        """Whether it asks for nothing but other values of a choice's field, in the same way."""
        kind = (more.field, more.negative, more.key[-1])
        kinds = {(one.field, one.negative, one.key[-1]) for one in self.choices}
        return kinds == {kind}


def clause(field: str, value: str, *, negative: bool = False) -> str:
    """A clause as text, its value in quotes where it must be: ``tag:"to read"``, ``-type:book``."""
    return _wanted(field, value, negative).text


def with_clause(text: str, field: str, value: str, *, negative: bool = False) -> str:
    """A query with a clause more; the same text where it has it already.

    A year or rating takes the place of the one that is there; a second type, venue, source or
    colour becomes another choice: ``(type:book OR type:thesis)``. What is asked for with ``OR`` at
    its top is bracketed. The opposite clause is taken out.
    """
    wanted = _wanted(field, value, negative)
    if has_clause(text, field, value, negative=negative):
        return text
    text = without_clause(text, field, value, negative=not negative)
    if wanted.field in RANGES and not negative:
        text = without_field(text, wanted.field)
    parts, loose = _top(text)
    if wanted.field in SINGLE and not negative and not loose:
        for part in parts:
            if part.takes(wanted):
                return _replaced(text, part, [*part.choices, wanted])
    kept = _closed(text)
    return f"({kept}) {wanted.text}" if loose else f"{kept} {wanted.text}".strip()


def without_clause(text: str, field: str, value: str, *, negative: bool = False) -> str:
    """A query without a clause, also where it is one of several choices."""
    key = _wanted(field, value, negative).key
    return _without(text, lambda choice: choice.key == key)


def without_field(text: str, field: str) -> str:
    """A query without the clauses of a field at its top, but those that leave something out."""
    name = field_name(field) or field
    return _without(text, lambda choice: choice.field == name and not choice.negative)


def has_clause(text: str, field: str, value: str, *, negative: bool = False) -> bool:
    """Whether a query has a clause at its top, alone or as one of several choices."""
    key = _wanted(field, value, negative).key
    parts, loose = _top(text)
    return not loose and any(choice.key == key for part in parts for choice in part.choices)


def values_of(text: str, field: str, *, negative: bool = False) -> tuple[str, ...]:
    """The values that the clauses of a field at a query's top have, as typed."""
    name = field_name(field) or field
    parts, loose = _top(text)
    choices = (choice for part in parts for choice in part.choices if not loose)
    return tuple(one.value for one in choices if (one.field, one.negative) == (name, negative))


def values_within(text: str) -> list[tuple[str, str]]:
    """All fields of a query that have a value, at any depth, with the value as typed, in order."""
    return [(field, _plain(piece.text)) for field, piece in _fielded(text) if field]


def revalued(text: str, now: Callable[[str, str], Sequence[str]]) -> str:
    """A query with other values in some of its fields, at any depth; all else stays as typed.

    Args:
        text: the query.
        now: from a field and its value to the value that takes its place, or several of which one
            is enough.
    """
    spans: dict[tuple[int, int], list[tuple[str, Piece]]] = {}
    for field, piece in _fielded(text):
        spans.setdefault((piece.start, piece.end), []).append((field, piece))
    for (start, end), values in sorted(spans.items(), reverse=True):
        field, first = values[0]
        before = [_plain(piece.text) for _field, piece in values]
        after = list(
            dict.fromkeys(new for old in before for new in (now(field, old) if field else (old,)))
        )
        if field and after != before:
            head = text[start:end].partition(":")[0] + ":" if first.field else ""
            if first.moved and not head.startswith("-"):
                head = f"-{head}"
            text = text[:start] + head + "|".join(map(_shown, after)) + text[end:]
    return text


def _fielded(text: str) -> Iterator[tuple[str, Piece]]:
    """The values of a query with the field that holds for each, its own or that of its bracket."""
    above = [""]
    for piece in pieces(text.translate(QUOTES)):
        own = field_name(piece.field) if piece.field else above[-1]
        if piece.kind == "open":
            above.append(own)
        elif piece.kind == "close" and len(above) > 1:
            above.pop()
        elif piece.kind == "value":
            yield own, piece


def _shown(value: str) -> str:
    """A value as it is typed after its field."""
    bare = value[:1] not in ("", "-") and all(one.isalnum() or one in _SAFE for one in value)
    doubled = value.replace('"', '""')
    return value if bare else f'"{doubled}"'


def _closed(text: str) -> str:
    """A query with the quote and the brackets closed that are open at its end."""
    depth, quote = 0, ""
    for piece in pieces(text.translate(QUOTES)):
        depth += piece.kind == "open"
        depth -= piece.kind == "close" and depth > 0
        quote = "" if piece.closed else '"'
    return text.strip() + quote + ")" * depth


def _wanted(field: str, value: str, negative: bool) -> _Choice:
    name = field_name(field) or field
    return _Choice(name, value, negative, exact=name in EXACT)


def _plain(value: str) -> str:
    """A value as it is read: its quotes straight, its blanks single."""
    return " ".join(value.translate(QUOTES).split())


def _without(text: str, gone: Callable[[_Choice], bool]) -> str:
    parts, loose = _top(text)
    if loose:
        return text
    for part in reversed(parts):
        left = [choice for choice in part.choices if not gone(choice)]
        if len(left) < len(part.choices):
            text = _replaced(text, part, left)
    return text


def _replaced(text: str, part: _Part, choices: list[_Choice]) -> str:
    """A query with other choices in place of a part's."""
    new = " OR ".join(choice.text for choice in choices)
    before, after = text[: part.start], text[part.end :]
    if not new:
        return f"{before.rstrip()} {after.lstrip()}".strip()
    return f"{before}({new}){after}" if len(choices) > 1 else f"{before}{new}{after}"


def _top(text: str) -> tuple[list[_Part], bool]:
    """The parts at the top of a query, and whether ``OR`` stands between them."""
    parts: list[_Part] = []
    loose, depth = False, 0
    inside: list[Piece] = []
    for piece in pieces(text.translate(QUOTES)):
        depth += piece.kind == "open"
        depth -= piece.kind == "close" and depth > 0
        loose = loose or (piece.kind == "or" and not inside)
        if piece.kind == "or" and not inside:
            continue
        inside.append(piece)
        if depth or piece.kind == "not":
            continue
        parts.append(_Part(inside[0].start, piece.end, _choices(inside)))
        inside = []
    if inside:
        parts.append(_Part(inside[0].start, len(text)))
    return parts, loose


def _choices(inside: list[Piece]) -> tuple[_Choice, ...]:
    """The values of a clause, or of a bracket that holds nothing but clauses joined by ``OR``."""
    values = inside
    if inside[0].kind == "open":
        values = inside[1:-1]
        odd = any(one.kind != ("or" if i % 2 else "value") for i, one in enumerate(values))
        head = inside[0]
        if odd or len(values) % 2 == 0 or head.negative or head.field:
            return ()
        if any(one.negative for one in values):
            return ()
    if any(one.kind not in ("value", "or") for one in values):
        return ()
    found = [one for one in values if one.kind == "value"]
    if not all(field_name(one.field) and one.text for one in found):
        return ()
    return tuple(_Choice(field_name(one.field), one.text, one.negative, one.exact) for one in found)
