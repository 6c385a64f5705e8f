"""Triplets of SciNCL: a neighbour in the citation graph, and a distant one or a random paper."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples import neighbours
from litscape_trainer.examples.assembling import Draft, assembled
from litscape_trainer.examples.kinds import RANDOM, distant, neighbour
from litscape_trainer.examples.specter import HARD_SHARE, specter
from litscape_trainer.sampling.drawing import dice

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.neighbours import Neighbourhood
    from litscape_trainer.examples.records import ExampleSet, Wanted


class SciNcl:
    """Triplets of SciNCL."""

    name = "scincl"
    title = "Neighbours in the citation graph"
    about = "Near are neighbours in the citation graph; far are distant ones, or drawn at random."

    def build(
        self,
        material: TrainingMaterial,
        recipe: Wanted,
        seed: int,
        epoch: int = 0,
        ctx: JobContext | None = None,
    ) -> ExampleSet:
        """See :class:`~.records.ExampleBuilder`; each anchor gives ``recipe.positives``.

        In order of rank the first of them meet an easy negative and the last the hard ones.
        """
        each = recipe.positives
        around = neighbours.neighbourhood(material, each, seed, epoch, ctx)
        if isinstance(around, str):
            draft = specter(material, each, seed, epoch, ctx)
            draft.sentences.insert(0, around)
            return assembled(self.name, material, draft)
        return assembled(self.name, material, _triplets(material, around, each, seed, epoch))


def _triplets(
    material: TrainingMaterial, around: Neighbourhood, each: int, seed: int, epoch: int
) -> Draft:
    anchors = around.found.anchors
    low, high = around.ranks.near
    far = distant(around.total)
    names = [neighbour(around.total), far, RANDOM]
    near = around.found.near[:, low - 1 : high]
    draft = Draft.of_pairs(np.repeat(anchors, each), near.ravel(), names, columns=1)
    draft.numbers = np.tile(np.arange(low, high + 1, dtype=np.int32), len(anchors))
    rng = dice("scincl", seed, epoch)
    wanted = math.ceil(HARD_SHARE * each)
    papers, ranks = neighbours.hard(material, around, wanted, rng)
    turn = np.tile(np.arange(each), len(anchors))
    for column in range(wanted):
        rows = turn == each - wanted + column
        draft.put(rows, 0, papers[:, column], far, ranks[:, column])
    rest = np.flatnonzero(draft.negatives[:, 0] < 0)
    everyone = np.arange(len(material), dtype=np.int32)
    drawn = neighbours.easy(material, around, rest // each, everyone, 1, rng)[:, 0]
    draft.put(rest, 0, drawn, RANDOM)
    neighbours.tell(draft, material, around, far)
    return draft
