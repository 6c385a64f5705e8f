"""The learning rate over the steps of a run, as a share of the recipe's."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape_trainer.recipes.recipe import TrainingRecipe


def rate(recipe: TrainingRecipe, step: int, steps: int) -> float:
    """Share of the learning rate at a step, counted from 0, of ``steps``; above 0, at most 1.

    Rises in the first ``warmup`` share of the steps; then falls evenly to the end (``linear``),
    or stays and falls by a half cosine in the last ``decay`` share (``wsd``).
    """
    rising = round(recipe.warmup * steps)
    if step < rising:
        return (step + 1) / (rising + 1)
    if recipe.schedule == "linear":
        return (steps - step) / max(steps - rising, 1)
    falling = min(round(recipe.decay * steps), steps - rising)
    into = step - (steps - falling)
    if into < 0 or falling == 0:
        return 1.0
    return (1 + math.cos(math.pi * (into + 1) / (falling + 1))) / 2
