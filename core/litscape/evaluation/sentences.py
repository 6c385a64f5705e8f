"""What came out of a measurement, in words that anybody reads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.evaluation.systems import SYSTEMS
from litscape.evaluation.tasks.base import FOUND

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.evaluation.bootstrap import Comparison
    from litscape.evaluation.records import Figures
    from litscape.evaluation.tasks.base import Task

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
        if (change := _change(known, better, base, task.told)) is not None:
            found.append(sentence(task, _NAMES[better], _NAMES[base], change))
    return tuple(found)


def sentence(task: Task, better: str, base: str, change: Comparison) -> str:
    """One comparison: a difference where it is certain, else that there is none to be seen."""
    told = change.difference
    interval = f"95 % interval {100 * told.low:+z.1f} to {100 * told.high:+z.1f}, n = {told.n:,}"
    counted = task.told == FOUND
    among = f"of 100 {task.things} among the first 20" if counted else f"points of {task.told}"
    start = better[0].upper() + better[1:]
    if not change.certain:
        return (
            f"{start} against {base}: no measurable change ({100 * told.mean:+z.1f} {among}, "
            f"{interval})."
        )
    plural = better == "both"
    if not counted:
        verb = "together rank" if plural else "ranks"
        order = "better" if told.mean > 0 else "worse"
        return (
            f"{start} {verb} {task.things} {order} than {base} ({100 * told.mean:+z.1f} {among}, "
            f"{interval})."
        )
    verb = "together find" if plural else "finds"
    more = "more" if told.mean > 0 else "fewer"
    return f"{start} {verb} {abs(100 * told.mean):.1f} {more} {among} than {base} ({interval})."


def _change(
    known: Mapping[str, Figures], better: str, base: str, measure: str
) -> Comparison | None:
    """What one ranking changes over another, of which one is what others are compared with."""
    if better not in known or base not in known:
        return None
    if base in SYSTEMS and (direct := known[better].over.get(measure)) is not None:
        return direct
    other = known[base].over.get(measure)
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
