"""What a person makes of papers: read or not, a rating, a colour, a place in the reading list.

A paper that nobody marked is unread: that is the state of a fresh import, and it shows no mark.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.paper import Paper, PaperDraft

FIELDS = ("read_state", "read_at", "rating", "colour", "list_position")
"""The fields of a paper that hold it."""
UNREAD, BEGUN, READ = STATES = ("unread", "reading", "read")
"""Each paper is in one of these; unread is stored as nothing."""
KINDS = (*STATES, "rated", "coloured", "listed")
"""What a paper can be asked to be."""
MOST = 5
"""Stars of the highest rating."""
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "grey")
"""The colours that a paper can be labelled with."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def fitting(field: str, value: Any) -> Any:
    """A value of one of :data:`FIELDS` as it is stored; None where it is none."""
    if field == "list_position":
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if number and math.isfinite(value) else None
    if field == "rating":
        whole = isinstance(value, int) and not isinstance(value, bool)
        return value if whole and 1 <= value <= MOST else None
    if not isinstance(value, str):
        return None
    if field == "read_at":
        return value if _TIME.fullmatch(value) else None
    return value if value in (STATES[1:] if field == "read_state" else COLOURS) else None


def told(paper: Paper) -> dict[str, Any]:
    """What is made of a paper, without what it has not."""
    found = {name: getattr(paper, name) for name in FIELDS}
    return {name: value for name, value in found.items() if value is not None}


def read_told(values: Mapping[str, Any]) -> dict[str, Any]:
    """What :func:`told` gave, as far as it holds values that fit."""
    found = {name: fitting(name, values.get(name)) for name in FIELDS}
    return {name: value for name, value in found.items() if value is not None}


def united(papers: Sequence[Paper | PaperDraft]) -> dict[str, Any]:
    """What is made of one paper that several records are: the best of all.

    Read goes before begun, and that before unread; the highest rating counts; of colours and
    places in the reading list the first.
    """
    state = max((paper.read_state or UNREAD for paper in papers), key=STATES.index)
    times = [paper.read_at for paper in papers if paper.read_state == READ and paper.read_at]
    places = [paper.list_position for paper in papers if paper.list_position is not None]
    return {
        "read_state": None if state == UNREAD else state,
        "read_at": min(times, default=None),
        "rating": max(paper.rating or 0 for paper in papers) or None,
        "colour": next((paper.colour for paper in papers if paper.colour), None),
        "list_position": places[0] if places else None,
    }
