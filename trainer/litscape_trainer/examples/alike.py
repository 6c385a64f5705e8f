"""Papers that are alike in words or linked, with others that are like them in words.

For the objective that learns likenesses from a teacher: what makes a batch worth ranking is papers
near to each other. All papers are anchors, those without a link too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples.assembling import Draft, assembled
from litscape_trainer.examples.hard import NEAR_WORDS, linked
from litscape_trainer.examples.kinds import ALIKE, LINKED, NEAR_TEXT
from litscape_trainer.sampling.drawing import cycled, dice, in_columns, some_of_each
from litscape_trainer.sampling.likeness import nearest_in_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet, Wanted


class Alike:
    """Papers that are alike in words or linked."""

    name = "alike"
    title = "Papers alike in words, or linked"
    about = "Near are papers that are linked or alike in words, each as near as both say."

    def build(
        self,
        material: TrainingMaterial,
        recipe: Wanted,
        seed: int,
        epoch: int = 0,
        ctx: JobContext | None = None,
    ) -> ExampleSet:
        """See :class:`~.records.ExampleBuilder`; of each anchor ``recipe.hard_negatives`` more.

        The positive is a paper that the anchor is linked with, another one in each epoch; where
        there is none, one of those that are most like it in words.
        """
        near, ranks = _near(material, ctx)
        rng = dice("alike", seed, epoch)
        count = recipe.hard_negatives
        own = np.repeat(np.arange(len(material)), near.shape[1])
        there = np.flatnonzero(near.ravel() >= 0)
        some = there[some_of_each(own[there], count + 1, rng)]
        papers = in_columns(own[some], near.ravel()[some], len(material), count + 1)
        places = in_columns(own[some], ranks.ravel()[some], len(material), count + 1)
        positives, kinds, numbers = (
            papers[:, 0].copy(),
            np.ones(len(material), np.int16),
            places[:, 0],
        )
        anchors, partners = cycled(linked(material), 1, seed, epoch)
        positives[anchors], kinds[anchors] = partners, 0
        usable = np.flatnonzero(positives >= 0).astype(np.int32)
        names = [LINKED, ALIKE, NEAR_TEXT]
        draft = Draft.of_pairs(usable, positives[usable], names, columns=count)
        draft.kinds, draft.numbers = kinds[usable], np.maximum(numbers[usable], 0)
        for column in range(1, count + 1):
            draft.put(
                np.arange(len(usable)), column - 1, papers[usable, column], NEAR_TEXT,
                places[usable, column],
            )  # fmt: skip
        draft.drop(
            "nothing in common",
            len(material) - len(usable),
            "{n} papers share no word with another and have no link: they are no anchors.",
        )
        return assembled(self.name, material, draft)


def _near(
    material: TrainingMaterial, ctx: JobContext | None
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The papers most like each in words that are not known to belong to it, and their ranks."""
    if "alike" not in material.kept:
        everyone = np.arange(len(material), dtype=np.int32)
        lists = nearest_in_words(material, min(NEAR_WORDS, len(material)), everyone, ctx)
        own = np.repeat(everyone, lists.shape[1])
        papers = lists.ravel()
        there = np.flatnonzero(papers >= 0)
        belong = material.known.pairs(own[there], papers[there])
        papers = papers.copy()
        papers[there[belong]] = -1
        ranks = np.tile(np.arange(1, lists.shape[1] + 1, dtype=np.int32), len(material))
        material.kept["alike"] = papers.reshape(lists.shape), ranks.reshape(lists.shape)
    found: tuple[NDArray[np.int32], NDArray[np.int32]] = material.kept["alike"]
    return found
