"""Numbers and ranges of numbers as they are typed: years, ratings."""

from __future__ import annotations

import re

_SPAN = re.compile(r"(?P<sign>[<>]=?|=)?(?P<first>\d+)?(?P<dash>\.\.\.?|[-–—])?(?P<last>\d+)?")
Span = tuple[int | None, int | None]


def read_span(text: str, digits: int) -> Span | None:
    """The first and the last number of a range, None where it is open; None for what is none.

    ``4``, ``3-5``, ``3..5``, ``3-``, ``-5``, ``>3``, ``<=4``; ``5-3`` is read from its other end.

    Args:
        text: as typed.
        digits: how many each number must have.
    """
    found = _SPAN.fullmatch(text.replace(" ", ""))
    if found is None or not (found["first"] or found["last"]):
        return None
    if any(one is not None and len(one) != digits for one in (found["first"], found["last"])):
        return None
    first = int(found["first"]) if found["first"] else None
    last = int(found["last"]) if found["last"] else None
    if found["sign"] not in (None, "="):
        return None if found["dash"] or first is None or last else _compared(found["sign"], first)
    if not found["dash"]:
        return (first, first) if last is None else None
    if first is not None and last is not None:
        return min(first, last), max(first, last)
    return first, last


def _compared(sign: str, number: int) -> Span:
    if sign.startswith(">"):
        return (number if sign == ">=" else number + 1), None
    return None, (number if sign == "<=" else number - 1)
