"""Pairs of papers that somebody put together: in a collection, under a tag, as related in Zotero.

They are no citations, and are drawn only where a recipe asks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.csr import Rows
from litscape_trainer.examples.assembling import Draft, assembled
from litscape_trainer.examples.kinds import COLLECTION, RANDOM, RELATED, TAG
from litscape_trainer.sampling.drawing import cycled, dice, strangers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.weak import WeakKind
    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet, Kind, Wanted

LARGEST = 200
"""Larger groups say nothing of two of their papers,"""
LARGEST_PART = 0.2
"""nor do those that hold more than this part of all papers, unless they are small."""
SMALL = 10

_KINDS: dict[WeakKind, Kind] = {"collection": COLLECTION, "tag": TAG, "related": RELATED}


class Weak:
    """Pairs of papers that somebody put together."""

    name = "weak"
    title = "Papers put together"
    about = "Near are papers that share a collection or tag; far are the other papers of a batch."

    def build(
        self,
        material: TrainingMaterial,
        recipe: Wanted,
        seed: int,
        epoch: int = 0,
        ctx: JobContext | None = None,
    ) -> ExampleSet:
        """See :class:`~.records.ExampleBuilder`; each anchor gives ``recipe.positives`` at most.

        The groups of a paper come by turns, and of each another paper is drawn.
        """
        owners, groups, kinds = _groups(material)
        sizes = np.bincount(groups)
        limit = min(LARGEST, max(SMALL, int(LARGEST_PART * len(material))))
        good = (sizes > 1) & (sizes <= limit)
        there = good[groups] if len(groups) else np.zeros(0, dtype=np.bool_)
        names = [COLLECTION, TAG, RELATED, RANDOM]
        easy = recipe.easy_negatives
        anchors, members = _turns(owners, there, len(material), recipe.positives, seed, epoch)
        rng = dice("weak", seed, epoch)
        partners = _partners(anchors, groups[members], owners[there], groups[there], rng)
        apart = material.twins[anchors] != material.twins[partners]
        anchors, members, partners = anchors[apart], members[apart], partners[apart]
        draft = Draft.of_pairs(anchors, partners, names, columns=easy)
        draft.kinds = kinds[members].astype(np.int16)
        draft.numbers = sizes[groups[members]].astype(np.int32)
        if easy:
            everyone = np.arange(len(material), dtype=np.int32)
            drawn = strangers(anchors, everyone, easy, material.known, rng)
            for column in range(easy):
                draft.put(np.arange(len(anchors)), column, drawn[:, column], RANDOM)
        draft.drop(
            "large group",
            int(np.count_nonzero(sizes > limit)),
            f"{{n}} collections and tags with more than {limit} papers say nothing of two of them.",
        )
        draft.drop(
            "alone",
            len(material) - len(np.unique(anchors)),
            "{n} papers share no small collection or tag with another: they are no anchors.",
        )
        return assembled(self.name, material, draft)


def _groups(
    material: TrainingMaterial,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Papers, groups and kinds of all memberships; groups of several kinds counted on."""
    owners, groups, kinds, first = [], [], [], 0
    for number, kind in enumerate(_KINDS):
        rows = material.groups.get(kind)
        if rows is None or not len(rows.indices):
            continue
        owners.append(rows.row_numbers())
        groups.append(rows.indices.astype(np.int64) + first)
        kinds.append(np.full(len(rows.indices), number, dtype=np.int64))
        first += int(rows.indices.max()) + 1
    nobody = np.empty(0, dtype=np.int64)
    if not owners:
        return nobody.astype(np.int32), nobody, nobody
    return np.concatenate(owners), np.concatenate(groups), np.concatenate(kinds)


def _turns(
    owners: NDArray[np.int32],
    there: NDArray[np.bool_],
    papers: int,
    each: int,
    seed: int,
    epoch: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Anchors, and the membership by which each has a partner in this epoch."""
    places = np.flatnonzero(there).astype(np.int32)
    places = places[np.argsort(owners[places], kind="stable")]
    return cycled(Rows.of_sorted(owners[places], places, papers), each, seed, epoch)


def _partners(
    anchors: NDArray[np.int32],
    wanted: NDArray[np.int64],
    owners: NDArray[np.int32],
    groups: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    """Another member of each wanted group than the anchor, drawn."""
    if not len(anchors):
        return anchors
    order = np.lexsort((owners, groups))
    members, sorted_groups = owners[order], groups[order]
    start = np.searchsorted(sorted_groups, wanted)
    size = np.searchsorted(sorted_groups, wanted, side="right") - start
    turn = (rng.random(len(anchors)) * (size - 1)).astype(np.int64)
    # The members of a group ascend: those from the anchor on move up by one.
    own = members[start + turn]
    found: NDArray[np.int32] = np.where(own >= anchors, members[start + turn + 1], own)
    return found
