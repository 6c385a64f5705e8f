"""What a run learns from and is judged by, prepared out of its copy of the library."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape_trainer.examples.gathering import gather
from litscape_trainer.examples.registry import builder
from litscape_trainer.leaks import refuse_leaks
from litscape_trainer.recipes.registry import recipe as named
from litscape_trainer.source import read_source
from litscape_trainer.splits import split_source
from litscape_trainer.verdict.asked import questions_of, titles_of, with_held_titles
from litscape_trainer.verdict.judging import (
    LEAST_ABSTRACTS,
    LEAST_LINKS,
    WAY_FORWARD,
    Verdict,
    too_small,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.evaluation.material import Material
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet
    from litscape_trainer.recipes.recipe import Primary, TrainingRecipe
    from litscape_trainer.runs.control import Control
    from litscape_trainer.source import Source
    from litscape_trainer.splits import TrainingSplit

TEXT = "text"
_ABSTRACTS = (
    "Importing the papers with their abstracts, or looking them up online, would add abstracts."
)
_TEXTS_ALONE = (
    f"Titles and abstracts alone can be learnt from without links, by the recipe {TEXT!r}."
)
_KNOWING = (
    "The built-in model was itself trained on citations between papers, so it starts with some "
    "knowledge of them."
)


@dataclass(eq=False)
class Lesson:
    """All that a run reads of its copy.

    Attributes:
        recipe: how to train.
        base: the model to start from.
        material: the papers, as measurements have them.
        split: what is learnt, what chooses, what judges.
        learnt: what builders take examples from; None where there is too little.
        queries: test queries of the primary task.
        refusal: why nothing is trained; None where there is enough.
        notes: what a person should know.
    """

    recipe: TrainingRecipe
    base: ModelCard
    material: Material
    split: TrainingSplit
    learnt: TrainingMaterial | None
    queries: int
    refusal: Verdict | None
    notes: tuple[str, ...]
    _first: ExampleSet | None = None

    @property
    def primary(self) -> Primary:
        """The task that decides."""
        return self.recipe.primary

    def epoch(self, number: int) -> ExampleSet:
        """The examples of an epoch, from 0.

        Raises:
            ValueError: there is too little to learn from.
            LeakError: something that is asked later would be learnt from.
        """
        if self.learnt is None:
            raise ValueError("nothing is learnt from")
        if number == 0 and self._first is not None:
            return self._first
        made = builder(self.recipe.builder).build(
            self.learnt, self.recipe, self.recipe.seed, number
        )
        refuse_leaks(made, self.split, self.learnt)
        if number == 0:
            self._first = made
        return made

    def examples(self) -> dict[str, Any]:
        """How many examples there are of which source, and what was left out."""
        return self.epoch(0).report.to_json() if self.learnt is not None else {}


def prepare(
    copy: Library, recipe: TrainingRecipe, base: ModelCard, control: Control | None = None
) -> Lesson:
    """Read a library, part it, and gather what may be learnt.

    Raises:
        UserError: the recipe names a builder or a collection that is not there.
        JobCancelledError: the run was asked to end.
    """
    builder(recipe.builder)
    if control is not None:
        control.ctx.progress(0, None, "Reading papers and links")
    source = read_source(copy)
    split, queries = parted(source, recipe)
    notes = [*split.sentences]
    refusal = refused(source, recipe, queries)
    if base.source == "bundled" and recipe.primary == "citations":
        notes.append(_KNOWING)
    lesson = Lesson(recipe, base, source.material, split, None, queries, refusal, tuple(notes))
    if refusal is not None:
        return lesson
    if control is not None:
        control.ctx.progress(0, None, "Building examples")
    lesson.learnt = gather(source, recipe, split)
    first = lesson.epoch(0)
    lesson.notes = (*lesson.notes, *lesson.learnt.sentences)
    if not len(first):
        lesson.refusal = nothing(source, recipe, queries, first.report.sentences)
    return lesson


def refused(source: Source, recipe: TrainingRecipe, queries: int) -> Verdict | None:
    """Why nothing is trained, and the way on; None where there is enough."""
    found = floors(source, recipe, queries)
    if found is None:
        return None
    return without_links(source, recipe, by_choice(source, recipe, found))


def nothing(source: Source, recipe: TrainingRecipe, queries: int, told: Sequence[str]) -> Verdict:
    """Why a recipe has no examples: too little is there, or what ``told`` says was left out."""
    found = refused(source, recipe, queries)
    if found is not None:
        return found
    return Verdict("too-small", f"There is nothing to learn from. {' '.join(told)}".strip())


def by_choice(source: Source, recipe: TrainingRecipe, refusal: Verdict) -> Verdict:
    """The same refusal with its cause, where a chosen year or collection makes it too small."""
    whole = replace(recipe, as_of=None, collections=())
    if whole == recipe or floors(source, whole, parted(source, whole)[1]) is not None:
        return refusal
    chosen = []
    if recipe.as_of is not None:
        chosen.append(f"the year {recipe.as_of}")
    if recipe.collections:
        chosen.append(f"the chosen collections ({', '.join(recipe.collections)})")
    lacking = refusal.sentence.partition(". ")[0]
    return replace(
        refusal,
        sentence=f"{lacking}. This comes of {' and '.join(chosen)}: the whole library has enough.",
    )


def without_links(source: Source, recipe: TrainingRecipe, refusal: Verdict) -> Verdict:
    """The same refusal with the way on, where titles and abstracts would do without links."""
    texts = replace(named(TEXT), as_of=recipe.as_of, collections=recipe.collections)
    if recipe.primary == texts.primary:
        return refusal
    if floors(source, texts, parted(source, texts)[1]) is not None:
        return refusal
    return replace(refusal, sentence=f"{refusal.sentence} {_TEXTS_ALONE}")


def parted(source: Source, recipe: TrainingRecipe) -> tuple[TrainingSplit, int]:
    """The split of a recipe, and how many test queries its primary task has."""
    split = split_source(source, recipe)
    if recipe.primary == "titles":
        split = with_held_titles(source.material, split)
        asked = titles_of(source.material, split.held_out, "test", strictly=True)
        return split, len(asked.questions)
    return split, len(questions_of(source.material, split, "test"))


def floors(source: Source, recipe: TrainingRecipe, queries: int) -> Verdict | None:
    """Whether there is enough to train and to measure; None where there is."""
    material = source.material
    abstracts = sum(bool(text.abstract.strip()) for text in material.texts.values())
    links = len(np.unique(material.links, axis=0))
    undated = len(material.ids) - len(material.years)
    found = too_small(abstracts, links, queries, recipe.primary, undated)
    if found is None or abstracts >= LEAST_ABSTRACTS:
        return found
    # What is lacking is named: more links do not help papers that have no text.
    told = found.sentence if links < LEAST_LINKS else found.sentence.removesuffix(f" {WAY_FORWARD}")
    return replace(found, sentence=f"{told} {_ABSTRACTS}")
