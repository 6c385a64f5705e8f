"""In the same collections, or under the same tags, as an example: weak, for it is said of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal
from litscape.store.alike_reads import groups_of, members_of

if TYPE_CHECKING:
    from litscape.alike.ground import Ground, Values
    from litscape.alike.seeds import Side

LARGEST = 0.1
"""A group with more than this share of the papers tells nothing, unless it is small itself."""
SMALL = 200


def measure(ground: Ground) -> Values:
    """(n,)."""
    return ground.balanced(_of)


def _of(ground: Ground, side: Side) -> Values:
    links = ground.links
    most = max(SMALL, int(LARGEST * len(links)))
    groups = groups_of(ground.conn, links.ids[side.numbers].tolist(), most)
    members, values = [], []
    for (kind, group), times in groups.items():
        papers = links.numbers_of(members_of(ground.conn, kind, group))
        members.append(papers)
        values.append(np.full(len(papers), times / np.log2(2 + len(papers))))
    if not members:
        return ground.nothing()
    return ground.of_pairs(np.concatenate(members), np.concatenate(values), side.size)


SIGNAL = Signal("collection", "same collection or tag", 0.03, measure)
