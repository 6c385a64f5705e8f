"""What the panel says where it shows less than it might."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.window.similarity import Phase, Standing
from litscape_app.window.words import count

if TYPE_CHECKING:
    from litscape_app.window.similar.seeds import Answer

CHOOSE = "Choose a paper to see what is like it."
WAITING = (Phase.BEHIND, Phase.PAUSED, Phase.FAILED)
NEXT = "Read next: unread papers like those that you read, rated or listed."


def none_of(answer: Answer) -> str:
    """What is said where there is nothing and similarity has no part in it."""
    if answer.outside:
        return "No work outside the library is cited by papers like it."
    return CHOOSE if answer.next_reading else answer.nothing


def none_yet(phase: Phase) -> str:
    """What is said where nothing was found, by how far similarity is."""
    if phase is Phase.RUNNING:
        return "Nothing similar yet; more papers become comparable every second."
    if phase in WAITING:
        return "Nothing shares its words; computing similarity compares meaning, too."
    return "Nothing in this library is like it."


def note_of(answer: Answer, standing: Standing, *, listed: bool) -> str:
    """What is said above the hits, or above the page that stands in their place.

    Args:
        answer: what was found.
        standing: how far similarity is.
        listed: whether the hits are what is shown.
    """
    if answer.next_reading:
        return NEXT if answer.hits else ""
    said = list(answer.notes if answer.seeds.given else answer.remarks)
    if not answer.seeds.given and listed:
        said.insert(0, partly_known(standing))
    if answer.hits and listed and (answer.seeds.more or answer.seeds.less):
        said.append(answer.learner)
    if not answer.hits and answer.nothing:
        said.append(answer.nothing)
    return " ".join(one for one in said if one)


def partly_known(standing: Standing) -> str:
    """How far meaning is known, where it is not of all papers."""
    phases = (Phase.RUNNING, Phase.PAUSED, Phase.BEHIND, Phase.FAILED)
    if standing.phase not in phases or standing.done >= standing.total:
        return ""
    if standing.damaged and standing.phase is not Phase.RUNNING:
        return _damaged(standing)
    if standing.done == 0:
        left = f" in about {standing.left.removesuffix(' left')}" if standing.left else ""
        return f"Compared by words; meaning follows{left}."
    return f"Among {standing.done:,} of {standing.total:,} papers so far."


def _damaged(standing: Standing) -> str:
    them = "1 vector is" if standing.damaged == 1 else f"{standing.damaged:,} vectors are"
    if standing.done:
        return f"Among {count(standing.done, 'paper')}: {them} damaged."
    return "Compared by words: the vectors are damaged. Compute similarity again."
