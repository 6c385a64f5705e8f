"""What :func:`litscape.apart.run_apart` is asked for: training as functions, for a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_trainer.runs import Training

if TYPE_CHECKING:
    from litscape.evaluation.records import Part
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.comparing import Difference
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.examples import ShownExample
    from litscape_trainer.runs.records import Budget, Survey
    from litscape_trainer.verdict.side_by_side import SideBySide


def survey(library: Library, ctx: JobContext) -> Survey:
    """:meth:`litscape_trainer.runs.facade.Training.survey`."""
    return Training(library).survey(ctx)


def preview(
    library: Library, ctx: JobContext, recipe: TrainingRecipe, n: int, seed: int
) -> tuple[ShownExample, ...]:
    """:meth:`litscape_trainer.runs.facade.Training.preview`."""
    return Training(library).preview(recipe, n, seed, ctx)


def estimate(library: Library, ctx: JobContext, recipe: TrainingRecipe) -> Budget:
    """:meth:`litscape_trainer.runs.facade.Training.estimate`."""
    return Training(library).estimate(recipe, ctx)


def compare(library: Library, ctx: JobContext, first: str, second: str) -> Difference:
    """:func:`litscape.models.comparing.compare_models`."""
    from litscape.models.comparing import compare_models

    return compare_models(library, first, second, ctx)


def evaluate(
    library: Library, ctx: JobContext, versions: tuple[str, ...], part: Part
) -> SideBySide:
    """:func:`litscape_trainer.verdict.side_by_side.evaluate_models`."""
    from litscape_trainer.verdict.side_by_side import evaluate_models

    return evaluate_models(library, versions, part, ctx)
