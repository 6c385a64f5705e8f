"""A query cut into its pieces: values with their fields, operators and brackets, and where each is.

Cutting never fails: every character belongs to a piece or says nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from litscape.search.fields import field_name

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["value", "and", "or", "not", "open", "close"]
OPERATORS: dict[str, Kind] = {"AND": "and", "OR": "or", "NOT": "not"}
QUOTES = str.maketrans("“”„‟«»″", '"' * 7)
_SPACE = re.compile(r"\s+")
_BEGIN = re.compile(r"(?P<minus>-)?(?:(?P<field>[^\W\d_]+):(?P<exact>=(?=\S))?[ ]*)?")
# A bracket inside a word stays in it: f(x), GPT(2).
_VALUE = re.compile(r'"(?P<phrase>[^"]*)(?P<end>"?)|(?P<word>(?:[^\s"()|]|(?<=\w)\([^\s"()]*\))+)')
# The value of a field may hold quotes, each written twice.
_QUOTED = re.compile(r'"(?P<phrase>(?:[^"]|"")*)(?P<end>"?)')
_RANGE = re.compile(r"\[(?P<first>\d+|\*) +TO +(?P<last>\d+|\*)\]")
"""A range as other programs write it: ``year:[2015 TO 2017]``."""
_RANGES = frozenset(("year", "years", "rating", "stars"))
_AROUND = "()[]{},;"
_SIGN = re.compile(r'[-!]+(?=["(“\w])')
"""A sign that leaves out, set behind the colon of a field: ``title:-robots``."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a query.

    Attributes:
        kind: ``value`` is a word or phrase with or without a field; a bracket that opens may have a
            field as well, which then holds for all that is in it.
        start: where it begins in the text.
        end: where it ends.
        text: the value without quotes; an operator as typed.
        field: the field as typed, without colon; empty without one.
        exact: whether the field was set with ``:=``.
        quoted: whether the value stood in quotes.
        closed: False where the closing quote is missing.
        negative: whether a minus stands before it.
        moved: whether the minus, or an exclamation mark, stands behind the field instead.
    """

    kind: Kind
    start: int
    end: int
    text: str = ""
    field: str = ""
    exact: bool = False
    quoted: bool = False
    closed: bool = True
    negative: bool = False
    moved: bool = False


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a text whose quotes are all straight, in order.

    ``a|b`` without blanks is one clause: it comes as ``(a OR b)``, with its field and minus.
    """
    at = 0
    while at < len(text):
        if space := _SPACE.match(text, at):
            at = space.end()
        elif text[at] in "|)":
            kind: Kind = "or" if text[at] == "|" else "close"
            end = at + 1
            while kind == "or" and text[end : end + 1] == "|":
                end += 1
            yield Piece(kind, at, end, text[at:end])
            at = end
        else:
            found = _clause(text, at)
            yield from found
            at = found[-1].end


def _clause(text: str, at: int) -> list[Piece]:
    """What begins at a place that is neither blank nor a closing bracket."""
    begin = _BEGIN.match(text, at)
    assert begin is not None  # it may be empty
    end = begin.end()
    head = Piece(
        "open", at, end + 1, "(", begin["field"] or "", bool(begin["exact"]),
        negative=bool(begin["minus"]),
    )  # fmt: skip
    known = field_name(head.field) if head.field else ""
    if known and known not in _RANGES and (sign := _SIGN.match(text, end)):
        end = sign.end()
        head = replace(head, end=end + 1, negative=True, moved=True)
    if text[end : end + 1] == "(":
        return [head]
    if head.field.casefold() in _RANGES and (span := _RANGE.match(text, end)):
        said = f"{span['first']}..{span['last']}".replace("*", "")
        return [replace(head, kind="value", end=span.end(), text=said)]
    value = (head.field and _QUOTED.match(text, end)) or _VALUE.match(text, end)
    if not value:
        return _begun(text, head, begin)
    first = _value(head, value)
    if not first.quoted and not first.field and not first.negative and first.text in OPERATORS:
        return [replace(first, kind=OPERATORS[first.text])]
    others = _alternatives(text, first)
    return [first] if not others else _together(head, [first, *others])


def _begun(text: str, head: Piece, begin: re.Match[str]) -> list[Piece]:
    """A minus or a field with nothing after it that could be its value."""
    end = begin.end() if begin.end() > head.start else head.start + 1
    whole = text[head.start : end].strip()
    bare = whole.lstrip("-") if head.field else whole
    return [replace(head, kind="value", end=end, text=bare, field="", exact=False)]


def _value(head: Piece, found: re.Match[str]) -> Piece:
    quoted = found["phrase"] is not None
    word = found["phrase"].replace('""', '"') if quoted else found["word"]
    if not quoted and not (word.endswith(")") and "(" in word):
        word = word.strip(_AROUND)
    return replace(
        head,
        kind="value",
        end=found.end(),
        text=word,
        quoted=quoted,
        closed=not quoted or bool(found["end"]),
    )


def _alternatives(text: str, first: Piece) -> list[Piece]:
    """The further values of ``a|b|c``."""
    found: list[Piece] = []
    first = replace(first, moved=False)
    at = first.end
    while text[at : at + 1] == "|" and (
        value := (first.field and _QUOTED.match(text, at + 1)) or _VALUE.match(text, at + 1)
    ):
        found.append(_value(replace(first, negative=False), value))
        at = value.end()
    return found


def _together(head: Piece, values: list[Piece]) -> list[Piece]:
    """Values of one clause as a bracket; each piece is as long as the clause."""
    start, end = head.start, values[-1].end
    inside: list[Piece] = [replace(head, end=end, field="", exact=False)]
    for number, value in enumerate(values):
        if number:
            inside.append(Piece("or", start, end, "|"))
        inside.append(replace(value, start=start, end=end, negative=False, moved=False))
    return [*inside, Piece("close", start, end, ")")]
