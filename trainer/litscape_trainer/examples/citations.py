"""Pairs of papers that cite each other, for objectives that take the rest of a batch as negatives.

Every paper with a link is an anchor in every epoch, beside others that it is linked with in either
direction, so that much-cited papers and long lists do not drown the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples.assembling import Draft, assembled
from litscape_trainer.examples.hard import linked, two_steps_away
from litscape_trainer.examples.kinds import CITED, CITING, RANDOM, TWO_LINKS
from litscape_trainer.sampling.drawing import cycled, dice, strangers

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet, Wanted


class Citations:
    """Pairs of papers that cite each other."""

    name = "citations"
    title = "Papers that cite each other"
    about = "Near are papers that cite each other; far are the other papers of a batch."

    def build(
        self,
        material: TrainingMaterial,
        recipe: Wanted,
        seed: int,
        epoch: int = 0,
        ctx: JobContext | None = None,
    ) -> ExampleSet:
        """See :class:`~.records.ExampleBuilder`; each anchor gives ``recipe.positives`` at most."""
        anchors, positives = cycled(linked(material), recipe.positives, seed, epoch)
        hard, easy = recipe.hard_negatives, recipe.easy_negatives
        names = [CITED, CITING, TWO_LINKS, RANDOM]
        draft = Draft.of_pairs(anchors, positives, names, columns=hard + easy)
        draft.kinds = np.where(_cites(material, draft), 0, 1).astype(np.int16)
        rng = dice("citations", seed, epoch)
        if hard:
            each = np.unique(anchors)
            table = two_steps_away(material, each, hard, rng)
            own = np.searchsorted(each, anchors)
            for column in range(hard):
                draft.put(np.arange(len(anchors)), column, table[own, column], TWO_LINKS)
            draft.drop(
                "no hard negative",
                int(np.count_nonzero((table < 0).all(axis=1))),
                "{n} papers have no hard negative: what was drawn two links away belongs to them.",
            )
        if easy:
            everyone = np.arange(len(material), dtype=np.int32)
            drawn = strangers(anchors, everyone, easy, material.known, rng)
            for column in range(easy):
                draft.put(np.arange(len(anchors)), hard + column, drawn[:, column], RANDOM)
        draft.drop(
            "no link",
            len(material) - len(np.unique(anchors)),
            "{n} papers have no link that may be learnt: they are no anchors.",
        )
        return assembled(self.name, material, draft)


def _cites(material: TrainingMaterial, draft: Draft) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether the anchor cites the positive; else it is cited by it."""
    out, size = material.graph.out, len(material)
    keys = out.row_numbers().astype(np.int64) * size + out.indices
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = np.isin(
        draft.anchors.astype(np.int64) * size + draft.positives, keys
    )
    return found
