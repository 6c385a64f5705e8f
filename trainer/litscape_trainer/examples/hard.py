"""Hard negatives: papers near an anchor in the graph or in words, yet not known to belong to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.sampling.drawing import in_columns, places_in_row, some_of_each
from litscape_trainer.sampling.likeness import nearest_in_words
from litscape_trainer.sampling.node_vectors import walk
from litscape_trainer.sampling.two_links import both_ways, two_links_away

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.csr import Rows
    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial

_SPARE = 4
"""For each one wanted so many are drawn, since some turn out to belong to the anchor."""
NEAR_WORDS = 20
"""Papers near in words among which is drawn."""


def linked(material: TrainingMaterial) -> Rows:
    """The links of a material in both directions, as rows."""
    if "linked" not in material.kept:
        material.kept["linked"] = both_ways(material.graph.out)
    found: Rows = material.kept["linked"]
    return found


def cited_beyond(
    material: TrainingMaterial,
    anchors: NDArray[np.int32],
    count: int,
    rng: np.random.Generator,
    ctx: JobContext | None,
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """What cited papers cite and the anchors do not, all alike likely.

    Args:
        material: what may be learnt from.
        anchors: (a,) places, each once.
        count: how many an anchor.
        rng: chance.
        ctx: told of the progress.

    Returns:
        (a, count) places, -1 where there are fewer; (a,) whether there was any such paper, whether
        or not it is known to belong to the anchor in other ways.
    """
    out = material.graph.out
    owners, found = two_links_away(out, out, anchors, linked(material), ctx)
    some = some_of_each(owners, _SPARE * count, rng)
    own, papers = owners[some], found[some]
    free = ~material.known.pairs(anchors[own], papers)
    any_ = np.bincount(owners, minlength=len(anchors)) > 0
    return in_columns(own[free], papers[free], len(anchors), count), any_


def two_steps_away(
    material: TrainingMaterial,
    anchors: NDArray[np.int32],
    count: int,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    """Papers that two random steps along links lead to: (a, count) places, -1 for fewer.

    In both directions there are too many of them, around papers that thousands cite, to list all.
    """
    tries = 2 * _SPARE * count
    own = np.repeat(np.arange(len(anchors)), tries)
    papers = walk(linked(material), anchors[own], 3, rng)[:, 2]
    first = np.unique(own * len(material) + papers, return_index=True)[1]
    own, papers = own[np.sort(first)], papers[np.sort(first)]
    free = ~material.known.pairs(anchors[own], papers)
    return in_columns(own[free], papers[free], len(anchors), count)


def near_in_words(
    material: TrainingMaterial,
    anchors: NDArray[np.int32],
    count: int,
    rng: np.random.Generator,
    ctx: JobContext | None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Papers most like the anchors in words that do not belong to them.

    Returns:
        (a, count) places, -1 where there are fewer, and their ranks from 1.
    """
    lists = nearest_in_words(material, NEAR_WORDS, anchors, ctx)
    own = np.repeat(np.arange(len(anchors)), lists.shape[1])
    papers = lists.ravel()
    ranks = np.tile(np.arange(1, lists.shape[1] + 1, dtype=np.int32), len(anchors))
    there = np.flatnonzero(papers >= 0)
    free = there[~material.known.pairs(anchors[own[there]], papers[there])]
    free = free[np.lexsort((rng.random(len(free)), own[free]))]
    lengths = np.bincount(own[free], minlength=len(anchors)).astype(np.int64)
    chosen = free[places_in_row(lengths) < count]
    return (
        in_columns(own[chosen], papers[chosen], len(anchors), count),
        in_columns(own[chosen], ranks[chosen], len(anchors), count),
    )
