"""The list of objectives; a new one is a file beside this and a line here.

Each can be cached: with ``micro_batch`` below ``batch`` the gradients of the whole batch come in
two passes, and are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape_trainer.objectives.infonce import InfoNce
from litscape_trainer.objectives.soft_infonce import SoftInfoNce
from litscape_trainer.objectives.symmetric import SymmetricInfoNce
from litscape_trainer.objectives.triplet import CosineTriplet, RawTriplet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from litscape_trainer.objectives.records import Objective
    from litscape_trainer.recipes.recipe import TrainingRecipe

OBJECTIVES: Mapping[str, Callable[[TrainingRecipe], Objective]] = {
    "infonce": InfoNce,
    "soft-infonce": SoftInfoNce,
    "symmetric": SymmetricInfoNce,
    "triplet": CosineTriplet,
    "triplet-l2": RawTriplet,
}


def has_teacher(name: str) -> bool:
    """Whether an objective learns a teacher's likenesses, and so needs the base model's vectors."""
    return bool(getattr(OBJECTIVES.get(name), "needs_teacher", False))


def objective(recipe: TrainingRecipe) -> Objective:
    """The objective of a recipe.

    Raises:
        UserError: there is none of that name.
    """
    made = OBJECTIVES.get(recipe.objective)
    if made is None:
        raise UserError(
            f"{recipe.objective!r} is no objective; choose one of: {', '.join(OBJECTIVES)}."
        )
    return made(recipe)
