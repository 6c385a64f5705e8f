"""Which new topics are old ones: they keep colours, and the names that still fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SAME = 0.5
"""Share of common papers among those of either from which on a topic is an old one."""
STILL_CALLED_SO = 0.8
"""The same for a name that no person gave."""


def matched(
    new: Sequence[NDArray[np.int64]],
    old: Sequence[NDArray[np.int64]],
    both: NDArray[np.int64],
) -> dict[int, tuple[int, float]]:
    """The old topic that each new one is, and the share of papers that are common.

    Papers that came or went are left out of account; those that have a topic in only one of both
    trees are not.

    Args:
        new: papers of each new topic of one level, ascending.
        old: papers of each old one.
        both: the papers that were looked at both times, with a topic or without, ascending.

    Returns:
        Places of new topics, with the place of the old one and the share (Jaccard); each old topic
        goes to one new one, best pairs first.
    """
    if not new or not old:
        return {}
    mine = [papers[np.isin(papers, both)] for papers in new]
    owner = np.full(len(both), -1, np.int64)
    sizes = np.zeros(len(old), np.int64)
    for place, papers in enumerate(old):
        common = papers[np.isin(papers, both)]
        owner[np.searchsorted(both, common)] = place
        sizes[place] = len(common)
    pairs: list[tuple[float, int, int]] = []
    for place, papers in enumerate(mine):
        owners = owner[np.searchsorted(both, papers)]
        counts = np.bincount(owners[owners >= 0], minlength=len(old))
        for other in np.flatnonzero(counts).tolist():
            share = counts[other] / (len(papers) + sizes[other] - counts[other])
            pairs.append((-float(share), place, other))
    found: dict[int, tuple[int, float]] = {}
    used: set[int] = set()
    for share, place, other in sorted(pairs):
        if -share >= SAME and place not in found and other not in used:
            found[place] = (other, -share)
            used.add(other)
    return found
