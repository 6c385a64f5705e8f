"""Examples of SciTBERT-CI: neighbours in the graph of one cut year, with explicit negatives.

Each example of an anchor has one of its near neighbours, the same hard negatives, and a paper drawn
from all anchors that is neither the anchor nor one of its near neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples import neighbours
from litscape_trainer.examples.assembling import Draft, assembled
from litscape_trainer.examples.kinds import RANDOM, distant, neighbour
from litscape_trainer.examples.specter import specter
from litscape_trainer.sampling.drawing import dice

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.neighbours import Neighbourhood
    from litscape_trainer.examples.records import ExampleSet, Wanted


class SciTbertCi:
    """Examples of SciTBERT-CI."""

    name = "scitbert-ci"
    title = "Neighbours up to a year"
    about = (
        "Near are neighbours in the citation graph; far are distant ones and one of the anchors."
    )

    def build(
        self,
        material: TrainingMaterial,
        recipe: Wanted,
        seed: int,
        epoch: int = 0,
        ctx: JobContext | None = None,
    ) -> ExampleSet:
        """See :class:`~.records.ExampleBuilder`; each anchor gives ``recipe.positives``."""
        each = recipe.positives
        around = neighbours.neighbourhood(material, each, seed, epoch, ctx)
        if isinstance(around, str):
            draft = specter(material, each, seed, epoch, ctx)
            draft.sentences.insert(0, around)
            return assembled(self.name, material, draft)
        return assembled(self.name, material, _examples(material, around, recipe, seed, epoch))


def _examples(
    material: TrainingMaterial, around: Neighbourhood, recipe: Wanted, seed: int, epoch: int
) -> Draft:
    anchors = around.found.anchors
    each, hard, easy = recipe.positives, recipe.hard_negatives, recipe.easy_negatives
    low, high = around.ranks.near
    far = distant(around.total)
    names = [neighbour(around.total), far, RANDOM]
    near = around.found.near[:, low - 1 : high]
    draft = Draft.of_pairs(np.repeat(anchors, each), near.ravel(), names, columns=hard + easy)
    draft.numbers = np.tile(np.arange(low, high + 1, dtype=np.int32), len(anchors))
    rng = dice("scitbert-ci", seed, epoch)
    everywhere = np.arange(len(draft.anchors))
    if hard:
        papers, ranks = neighbours.hard(material, around, hard, rng)
        for column in range(hard):
            draft.put(
                everywhere, column, np.repeat(papers[:, column], each), far,
                np.repeat(ranks[:, column], each),
            )  # fmt: skip
    if easy:
        drawn = neighbours.easy(material, around, everywhere // each, anchors, easy, rng)
        for column in range(easy):
            draft.put(everywhere, hard + column, drawn[:, column], RANDOM)
    if hard:
        neighbours.tell(draft, material, around, far)
    else:
        draft.sentences.extend(around.sentences)
    return draft
