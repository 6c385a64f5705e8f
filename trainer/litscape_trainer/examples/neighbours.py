"""Neighbours in an embedding of the citation graph, by ranks that fit the library's size.

Ostendorff, Rethmeier, Augenstein, Gipp and Rehm (2022), "Neighborhood contrastive learning for
scientific document representations with citation embeddings" (SciNCL), EMNLP: of 52 million papers
with 17.6 links each, ranks 21-25 are near and 3,999-4,000 are hard negatives. A library is far
smaller: near are the five ranks up to 1.4 times its mean number of links, hard negatives come from
the last tenth of the ranks up to 7 % of its papers, where papers still look alike in words but are
almost never linked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples.hard import linked
from litscape_trainer.sampling.drawing import dice, strangers
from litscape_trainer.sampling.node_vectors import node_vectors, ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape_trainer.examples.assembling import Draft
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import Kind
    from litscape_trainer.sampling.node_vectors import NodeVectors, Ranked

LEAST_PAPERS = 300
"""With fewer linked papers the embedding of a graph carries little."""
LEAST_LINKS = 2.0
"""The same with fewer links a paper."""
MOST_ANCHORS = 10_000
"""Anchors of one epoch; of a larger library each epoch takes others."""
_SPARE = 6


@dataclass(frozen=True, slots=True)
class Ranks:
    """Which ranks are near and which are hard negatives (all from 1, both ends included)."""

    near: tuple[int, int]
    far: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """Neighbours of the anchors of one epoch.

    Attributes:
        vectors: of all papers that have a link.
        ranks: which count.
        found: the neighbours.
        sentences: what a person should know.
    """

    vectors: NodeVectors
    ranks: Ranks
    found: Ranked
    sentences: tuple[str, ...]

    @property
    def total(self) -> int:
        """How many neighbours a paper can have."""
        return len(self.vectors.nodes) - 1


def ranks_for(papers: int, links: float, each: int = 5) -> Ranks:
    """The ranks for so many linked papers with so many links each on average."""
    high = int(np.clip(round(1.4 * links), 5, 25))
    last = min(int(np.clip(round(0.07 * papers), 4 * high, 4_000)), papers - 1)
    high = max(high, each)
    first = max(int(np.ceil(0.9 * last)), high + 1)
    return Ranks((high - each + 1, high), (min(first, last), last))


def neighbourhood(
    material: TrainingMaterial, each: int, seed: int, epoch: int, ctx: JobContext | None
) -> Neighbourhood | str:
    """The neighbours of one epoch's anchors, or why there are none, as a sentence."""
    near = linked(material)
    lengths = near.lengths()
    nodes = int(np.count_nonzero(lengths))
    links = float(lengths.sum() / max(nodes, 1))
    if nodes < LEAST_PAPERS or links < LEAST_LINKS:
        return (
            f"{nodes:,} linked papers with {links:.1f} links each are too few for neighbours in "
            f"the citation graph ({LEAST_PAPERS} papers and {LEAST_LINKS:.0f} links each are "
            "needed): cited papers are near instead, as SPECTER has it."
        )
    name = f"node vectors {seed}"
    if name not in material.kept:
        material.kept[name] = node_vectors(near, seed, ctx)
    vectors: NodeVectors = material.kept[name]
    ranks = ranks_for(nodes, links, each)
    anchors = vectors.nodes
    told = [
        f"Of {nodes:,} linked papers with {links:.1f} links each, ranks "
        f"{ranks.near[0]}–{ranks.near[1]} are near and ranks {ranks.far[0]:,}–{ranks.far[1]:,} "
        "are hard negatives."
    ]
    if len(anchors) > MOST_ANCHORS:
        anchors = np.sort(dice("anchors", seed, epoch).permutation(anchors)[:MOST_ANCHORS])
        told.append(f"{MOST_ANCHORS:,} of them are anchors in one epoch, others in the next.")
    found = ranked(vectors, anchors, ranks.near[1], ranks.far, ctx)
    return Neighbourhood(vectors, ranks, found, tuple(told))


def hard(
    material: TrainingMaterial, around: Neighbourhood, count: int, rng: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Hard negatives of each anchor: (a, count) places, -1 for none, and their ranks."""
    band, anchors = around.found.band, around.found.anchors
    width = min(band.shape[1], _SPARE * count)
    turn = np.argsort(rng.random(band.shape), axis=1)[:, :width]
    papers = np.take_along_axis(band, turn, 1)
    own = np.repeat(anchors, width)
    free = ~material.known.pairs(own, papers.ravel()).reshape(papers.shape)
    order = np.argsort(~free, axis=1, kind="stable")[:, :count]
    chosen = np.where(np.take_along_axis(free, order, 1), np.take_along_axis(papers, order, 1), -1)
    numbers = around.ranks.far[0] + np.take_along_axis(turn, order, 1)
    if chosen.shape[1] < count:
        room = ((0, 0), (0, count - chosen.shape[1]))
        chosen = np.pad(chosen, room, constant_values=-1)
        numbers = np.pad(numbers, room)
    return chosen.astype(np.int32), numbers.astype(np.int32)


def easy(
    material: TrainingMaterial,
    around: Neighbourhood,
    owners: NDArray[np.int64],
    pool: NDArray[np.int32],
    count: int,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    """Papers drawn from a pool that are not among the nearest: (m, count) places, -1 for none.

    Args:
        material: what may be learnt from.
        around: the neighbours.
        owners: (m,) numbers of anchors.
        pool: places to draw from; those without a link have no neighbours and may be drawn.
        count: how many an owner.
        rng: chance.
    """
    vectors, nodes = around.vectors.vectors, around.vectors.nodes
    row = np.full(len(material), -1, dtype=np.int64)
    row[nodes] = np.arange(len(nodes))
    anchors = around.found.anchors[owners]

    def allowed(which: NDArray[np.int64], drawn: NDArray[np.int32]) -> NDArray[np.bool_]:
        there = row[drawn]
        likeness = np.einsum("nd,nd->n", vectors[row[anchors[which]]], vectors[there])
        far: NDArray[np.bool_] = (there < 0) | (likeness < around.found.least[owners[which]])
        return far

    return strangers(anchors, pool, count, material.known, rng, allowed)


def tell(draft: Draft, material: TrainingMaterial, around: Neighbourhood, distant: Kind) -> None:
    """Say what was drawn from, and what is missing."""
    draft.sentences.extend(around.sentences)
    draft.drop(
        "no link",
        len(material) - len(around.vectors.nodes),
        "{n} papers have no link that may be learnt: they are no anchors, and far at random at "
        "most.",
    )
    place = draft.names.index(distant)
    some = (draft.negative_kinds == place).any(axis=1)
    without = len(around.found.anchors) - len(np.unique(draft.anchors[some]))
    draft.drop(
        "no hard negative",
        without,
        "{n} papers have no hard negative: those drawn at these ranks are linked with them, cited "
        "together twice, or share three references.",
    )
