"""Pairs of papers that others bring together, as examples weighted by how strongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.csr import Rows
from litscape_trainer.examples.assembling import Draft
from litscape_trainer.sampling.drawing import cycled

if TYPE_CHECKING:
    from litscape.graph.whole import NeighbourLists
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import Kind

PLENTY = 1_000
"""So many pairs that are brought together often are enough to leave out the others."""
_SPAN = 4.0
"""No pair counts more than so many times the mean of all, or less than this part of it."""


def strong_pairs(
    material: TrainingMaterial,
    lists: NeighbourLists,
    least: int,
    kind: Kind,
    each: int,
    seed: int,
    epoch: int,
) -> tuple[Draft, int]:
    """So many partners of each paper, by turns, weighted; and how often at least they are met.

    Args:
        material: what may be learnt from.
        lists: neighbours of each paper, by place.
        least: how often two must be brought together, if that leaves plenty of pairs.
        kind: why they are near; its number is how often.
        each: partners of a paper in one epoch.
        seed: of the order.
        epoch: how often it was drawn before.
    """
    size = len(material)
    lengths = np.diff(lists.indptr[: size + 1])
    own = np.repeat(np.arange(size, dtype=np.int32), lengths)
    stop = len(own)
    others, counts = material.places(lists.others[:stop]), lists.counts[:stop]
    enough = counts >= least
    if np.count_nonzero(enough) < 2 * PLENTY:
        least, enough = 1, np.ones(stop, dtype=np.bool_)
    there = np.flatnonzero(enough & (others >= 0))
    # Rows of places among the pairs, so that what is drawn leads back to count and weight.
    rows = Rows.of_sorted(own[there], there.astype(np.int32), size)
    anchors, drawn = cycled(rows, each, seed, epoch)
    draft = Draft.of_pairs(anchors, others[drawn], [kind])
    draft.numbers = counts[drawn].astype(np.int32)
    if len(drawn):
        weights = lists.weights[drawn]
        mean = float(weights.mean()) or 1.0
        draft.weights = np.clip(weights / mean, 1 / _SPAN, _SPAN)
    return draft, least
