"""What a person makes of papers: read or not, a rating, a colour, a place in the reading list.

A paper that nobody marked is unread: that is the state of a fresh import, and it shows no mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.paper import Paper, PaperDraft

FIELDS = ("read_state", "read_at", "rating", "colour", "list_position")
"""The fields of a paper that hold it."""
UNREAD, BEGUN, READ = STATES = ("unread", "reading", "read")
"""Each paper is in one of these; unread is stored as nothing."""
MOST = 5
"""Stars of the highest rating."""
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "grey")
"""The colours that a paper can be labelled with."""


def united(papers: Sequence[Paper | PaperDraft]) -> dict[str, Any]:
    """What is made of one paper that several records are: the best of all.

    Read goes before begun, and that before unread; the highest rating counts; of colours and
    places in the reading list the first.
    """
    state = max((paper.read_state or UNREAD for paper in papers), key=STATES.index)
    told = [paper.read_at for paper in papers if paper.read_state == READ and paper.read_at]
    places = [paper.list_position for paper in papers if paper.list_position is not None]
    return {
        "read_state": None if state == UNREAD else state,
        "read_at": min(told, default=None),
        "rating": max(paper.rating or 0 for paper in papers) or None,
        "colour": next((paper.colour for paper in papers if paper.colour), None),
        "list_position": places[0] if places else None,
    }
