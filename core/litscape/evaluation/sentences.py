"""What came out of a measurement, in words that anybody reads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.evaluation.systems import SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.evaluation.bootstrap import Comparison
    from litscape.evaluation.records import Figures
    from litscape.evaluation.tasks.base import Task

TOLD = "Recall@20"
"""The measure that a sentence is about: so many of a hundred, which needs no explaining."""
_NAMES = {
    "words": "words alone",
    "tfidf": "TF-IDF",
    "meaning": "meaning alone",
    "hybrid": "both",
    "blend": "the full blend of similar papers",
}
_COMPARED = (("hybrid", "words"), ("hybrid", "meaning"), ("blend", "hybrid"))


def sentences(task: Task, figures: Sequence[Figures]) -> tuple[str, ...]:
    """What hybrid search changes over its parts, and the blend over hybrid search."""
    known = {one.system: one for one in figures}
    found = []
    for better, base in _COMPARED:
        if (change := _change(known, better, base)) is not None:
            found.append(sentence(task, _NAMES[better], _NAMES[base], change))
    return tuple(found)


def sentence(task: Task, better: str, base: str, change: Comparison) -> str:
    """One comparison: a difference where it is certain, else that there is none to be seen."""
    told = change.difference
    interval = f"95 % interval {100 * told.low:+.1f} to {100 * told.high:+.1f}, n = {told.n:,}"
    among = f"of 100 {task.things} among the first 20"
    start = better[0].upper() + better[1:]
    if not change.certain:
        return (
            f"{start} against {base}: no measurable change ({100 * told.mean:+.1f} {among}, "
            f"{interval})."
        )
    verb = "finds" if better != "both" else "together find"
    more = "more" if told.mean > 0 else "fewer"
    return f"{start} {verb} {abs(100 * told.mean):.1f} {more} {among} than {base} ({interval})."


def _change(known: Mapping[str, Figures], better: str, base: str) -> Comparison | None:
    """What one ranking changes over another, of which one is what others are compared with."""
    if better not in known or base not in known:
        return None
    if base in SYSTEMS and (direct := known[better].over.get(TOLD)) is not None:
        return direct
    other = known[base].over.get(TOLD)
    return turned(other) if other is not None else None


def turned(change: Comparison) -> Comparison:
    """The same comparison seen from the other side."""
    told = change.difference
    return replace(
        change,
        difference=replace(told, mean=-told.mean, low=-told.high, high=-told.low),
        wins=change.losses,
        losses=change.wins,
    )
