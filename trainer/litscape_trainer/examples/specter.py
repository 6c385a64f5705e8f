"""Triplets of SPECTER: a cited paper, and one that is cited by a cited paper or drawn at random.

Cohan, Feldman, Beltagy, Downey and Weld (2020), "SPECTER: Document-level representation learning
using citation-informed transformers", ACL. Of five triplets of a paper two have a hard negative
and three an easy one. The published sampler gives nothing where a paper has no hard candidate, and
takes papers that cite the anchor for easy negatives; here such anchors have the papers nearest in
words, and nothing that is known to belong to an anchor is its negative.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples.assembling import Draft, assembled
from litscape_trainer.examples.hard import cited_beyond, near_in_words
from litscape_trainer.examples.kinds import BEYOND, CITED, NEAR_TEXT, RANDOM
from litscape_trainer.sampling.drawing import cycled, dice, places_in_row, strangers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet, Wanted

HARD_SHARE = 0.3
"""Of the triplets of a paper, rounded up: 2 of 5, as the published code has it."""
IN_WORDS = 5_000
"""For so many anchors at most the nearest in words are looked for: it takes the longest."""


class Specter:
    """Triplets of SPECTER."""

    name = "specter"
    title = "SPECTER triplets"
    about = "A cited paper is near; far is one cited by a cited paper, or drawn at random."

    def build(
        self,
        material: TrainingMaterial,
        recipe: Wanted,
        seed: int,
        epoch: int = 0,
        ctx: JobContext | None = None,
    ) -> ExampleSet:
        """See :class:`~.records.ExampleBuilder`; each anchor gives ``recipe.positives``."""
        return assembled(self.name, material, specter(material, recipe.positives, seed, epoch, ctx))


def specter(
    material: TrainingMaterial, each: int, seed: int, epoch: int, ctx: JobContext | None
) -> Draft:
    """So many triplets of each paper that cites another."""
    graph = material.graph
    anchors, positives = cycled(graph.out, each, seed, epoch, again=True)
    draft = Draft.of_pairs(anchors, positives, [CITED, BEYOND, NEAR_TEXT, RANDOM], columns=1)
    hard = math.ceil(HARD_SHARE * each)
    citing = np.unique(anchors)
    turn = places_in_row(np.full(len(citing), each)) if len(citing) else np.empty(0, np.int64)
    rng = dice("specter", seed, epoch)
    table, any_ = cited_beyond(material, citing, hard, rng, ctx)
    own = np.searchsorted(citing, anchors)
    for column in range(hard):
        draft.put(turn == column, 0, table[own[turn == column], column], BEYOND)
    lacking = np.flatnonzero((table < 0).all(axis=1))
    _by_words(material, draft, citing[lacking], own, turn, hard, rng, ctx)
    easy = np.flatnonzero(draft.negatives[:, 0] < 0)
    everyone = np.arange(len(material), dtype=np.int32)
    drawn = strangers(anchors[easy], everyone, 1, material.known, rng)[:, 0]
    draft.put(easy, 0, drawn, RANDOM)
    _tell(draft, material, citing, any_, table)
    return _without_bare(draft)


def _by_words(
    material: TrainingMaterial,
    draft: Draft,
    lacking: NDArray[np.int32],
    own: NDArray[np.int64],
    turn: NDArray[np.int64],
    hard: int,
    rng: np.random.Generator,
    ctx: JobContext | None,
) -> None:
    """Hard negatives of anchors that have none in the graph: the nearest in words."""
    if not len(lacking):
        return
    some = np.sort(rng.permutation(lacking)[:IN_WORDS])
    papers, ranks = near_in_words(material, some, hard, rng, ctx)
    place = np.minimum(np.searchsorted(some, draft.anchors), len(some) - 1)
    mine = some[place] == draft.anchors
    for column in range(hard):
        rows = np.flatnonzero(mine & (turn == column))
        draft.put(rows, 0, papers[place[rows], column], NEAR_TEXT, ranks[place[rows], column])


def _tell(
    draft: Draft,
    material: TrainingMaterial,
    citing: NDArray[np.int32],
    any_: NDArray[np.bool_],
    table: NDArray[np.int32],
) -> None:
    without = int(np.count_nonzero(~any_))
    barred = int(np.count_nonzero(any_ & (table < 0).all(axis=1)))
    if without:
        draft.sentences.append(
            f"{without:,} of {len(citing):,} papers have none that a cited paper cites, where the "
            "published sampler would give nothing: theirs are near in words, or drawn."
        )
    if barred:
        draft.sentences.append(
            f"{barred:,} papers have such ones, but those drawn belong to them in other ways "
            "(cited together, shared references, marked as related): theirs are near in words."
        )
    draft.drop(
        "no references",
        len(material) - len(citing),
        "{n} papers cite none that may be learnt from: they are no anchors.",
    )


def _without_bare(draft: Draft) -> Draft:
    """Without triplets that found no negative at all."""
    there = draft.negatives[:, 0] >= 0
    draft.drop(
        "no negative",
        int(np.count_nonzero(~there)),
        "{n} triplets are left out: every paper drawn belongs to the anchor.",
    )
    for name in ("anchors", "positives", "kinds", "numbers", "negatives", "negative_kinds",
                 "negative_numbers", "weights"):  # fmt: skip
        setattr(draft, name, getattr(draft, name)[there])
    return draft
