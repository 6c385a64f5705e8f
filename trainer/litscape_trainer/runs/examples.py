"""Examples for the eye: a paper, one to come near it, one to stay away, and why each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import UserError
from litscape.jobs import null_context
from litscape_trainer.examples.gathering import gather
from litscape_trainer.examples.records import describe
from litscape_trainer.examples.registry import builder
from litscape_trainer.runs.lessons import nothing, parted
from litscape_trainer.source import read_source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet
    from litscape_trainer.recipes.recipe import TrainingRecipe

_BATCH = "another paper of the same batch"


@dataclass(frozen=True, slots=True)
class ShownPaper:
    """A paper as an example uses it.

    Attributes:
        paper: its id.
        title, abstract: what is read of it; empty where that side is not used.
        why: why it was chosen; empty for the paper that the example begins at.
    """

    paper: PaperId
    title: str
    abstract: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ShownExample:
    """One example: ``positive`` is to come near ``anchor``, ``negatives`` are to stay away."""

    anchor: ShownPaper
    positive: ShownPaper
    negatives: tuple[ShownPaper, ...]
    weight: float


def show(
    library: Library, recipe: TrainingRecipe, n: int, seed: int, ctx: JobContext | None = None
) -> tuple[ShownExample, ...]:
    """Some examples of a recipe, drawn.

    Raises:
        UserError: the recipe names a builder or a collection that is not there, or finds nothing
            to learn from.
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    maker = builder(recipe.builder)
    ctx.progress(0, None, "Reading papers and links")
    source = read_source(library)
    split, queries = parted(source, recipe)
    material = gather(source, recipe, split)
    ctx.progress(0, None, "Building examples")
    examples = maker.build(material, recipe, recipe.seed + seed, 0, ctx)
    if not len(examples):
        raise UserError(nothing(source, recipe, queries, examples.report.sentences).sentence)
    rng = np.random.default_rng(seed)
    places = np.sort(rng.permutation(len(examples))[:n])
    return tuple(_shown(material, examples, int(place), rng) for place in places.tolist())


def _shown(
    material: TrainingMaterial, examples: ExampleSet, place: int, rng: np.random.Generator
) -> ShownExample:
    told = describe(examples, place)
    left, right = examples.sides or ("", "")
    negatives = tuple(_paper(material, paper, right, why) for paper, why in told.negatives)
    if not negatives:
        stranger = _stranger(material, examples, told.anchor, rng)
        if stranger is not None:
            negatives = (_paper(material, stranger, right, _BATCH),)
    return ShownExample(
        anchor=_paper(material, told.anchor, left),
        positive=_paper(material, told.positive, right, told.why),
        negatives=negatives,
        weight=told.weight,
    )


def _stranger(
    material: TrainingMaterial, examples: ExampleSet, anchor: int, rng: np.random.Generator
) -> int | None:
    """A positive of another example that may stand against this one, as in a batch."""
    drawn: NDArray[np.int64] = rng.choice(examples.positives, min(32, len(examples)), replace=False)
    known = material.known.between(np.array([anchor], dtype=np.int64), drawn)[0]
    free = drawn[~known]
    return int(free[0]) if len(free) else None


def _paper(material: TrainingMaterial, paper: int, side: str, why: str = "") -> ShownPaper:
    title, abstract = material.text(paper)
    return ShownPaper(
        paper,
        title if side in ("", "title") else "",
        abstract if side in ("", "abstract") else "",
        why,
    )
