"""How much of a whole run is done: its parts, weighed by the seconds that each takes, about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self, get_args

if TYPE_CHECKING:
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import Phase

Part = Literal["preparing", "reading", "layer", "probing", "training", "embedding", "measuring"]
PARTS: tuple[Part, ...] = get_args(Part)
"""In the order in which they come."""
_PHASES: dict[Part, Phase] = {"reading": "preparing", "layer": "preparing"}
LAYER_S = 60.0
"""A layer on stored vectors, where nothing tells more."""
_PREPARING_S, _PROBING_S = 5.0, 20.0
_STEP_S = 1.0


def phase_of(part: Part) -> Phase:
    """The phase of a run that a part belongs to."""
    return _PHASES.get(part, part)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Seconds:
    """What each part takes, about; rough ones serve until steps were timed."""

    preparing: float = _PREPARING_S
    reading: float = 0.0
    layer: float = 0.0
    probing: float = 0.0
    training: float = LAYER_S
    embedding: float = 10.0
    measuring: float = 60.0

    @classmethod
    def rough(cls, recipe: TrainingRecipe, reading: float, layer: float, after: float) -> Self:
        """Before anything was timed.

        Args:
            recipe: what is done.
            reading: seconds for papers that have no vector yet.
            layer: seconds for a layer that comes first.
            after: seconds for embedding and measuring together.
        """
        head = recipe.method == "head"
        steps = (recipe.steps or 0) * _STEP_S
        minutes = (recipe.minutes or 0) * 60
        long = max(min(minutes, steps) if steps and minutes else minutes or steps, 1.0)
        return cls(
            reading=reading,
            layer=layer,
            probing=0.0 if head or recipe.minutes is None else _PROBING_S,
            training=min(LAYER_S, long) if head else long,
            embedding=1.0 if head else after / 2,
            measuring=after if head else after / 2,
        )

    def timed(self, training: float, after: float) -> Self:
        """The same with what real steps took."""
        return replace(self, training=training, embedding=after / 2, measuring=after / 2)

    def share(self, part: Part, inner: float) -> float:
        """From 0 to 1: how much of the run is done when so much of a part is."""
        every = [max(float(getattr(self, one)), 0.0) for one in PARTS]
        place = PARTS.index(part)
        done = sum(every[:place]) + every[place] * min(max(inner, 0.0), 1.0)
        whole = sum(every)
        return min(done / whole, 1.0) if whole else 0.0
