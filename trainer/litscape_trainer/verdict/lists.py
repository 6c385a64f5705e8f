"""The queries that gained and lost most, with what each model puts first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_trainer.runs.records import QueryChange

if TYPE_CHECKING:
    from litscape.evaluation.material import Material
    from litscape_trainer.verdict.measuring import Measured

SHOWN = 5


def extremes(
    measured: Measured, material: Material, old: str = "current", new: str = "new"
) -> tuple[tuple[QueryChange, ...], tuple[QueryChange, ...]]:
    """Up to five queries that gained most, and five that lost most, the largest change first."""
    before, after = measured.values[old], measured.values[new]
    changes = after - before
    order = sorted(range(len(changes)), key=lambda place: (-changes[place], place))
    gained = [place for place in order[:SHOWN] if changes[place] > 0]
    lost = [place for place in order[: -SHOWN - 1 : -1] if changes[place] < 0]

    def told(place: int) -> QueryChange:
        question = measured.asked[place]
        paper = question.paper if question.paper is not None else next(iter(question.relevant))
        return QueryChange(
            paper=paper,
            title=material.texts[paper].title,
            before=float(before[place]),
            after=float(after[place]),
            old=listed(old, place),
            new=listed(new, place),
        )

    def listed(role: str, place: int) -> tuple[tuple[int, str, bool], ...]:
        relevant = measured.asked[place].relevant
        return tuple(
            (paper, material.texts[paper].title, relevant.get(paper, 0) > 0)
            for paper in measured.lists[role][place].tolist()
        )

    return tuple(map(told, gained)), tuple(map(told, lost))
