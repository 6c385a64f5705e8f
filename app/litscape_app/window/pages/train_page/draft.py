"""What is being decided in the wizard: kept by the page, changed by its steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape.paper import PaperId
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import Survey


@dataclass(slots=True)
class Draft:
    """A run that is being thought about.

    Attributes:
        survey: what there is to learn from; None until it was counted.
        recipe: what is to be done; None until there is a choice.
        run: the run that is watched; None before one was started.
        vetoed: pairs that were said to be related in this wizard.
    """

    survey: Survey | None = None
    recipe: TrainingRecipe | None = None
    run: str | None = None
    vetoed: list[tuple[PaperId, PaperId]] = field(default_factory=list)
