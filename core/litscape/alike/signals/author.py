"""The same authors as an example's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal
from litscape.store.alike_reads import authors_of, papers_by

if TYPE_CHECKING:
    from litscape.alike.ground import Ground, Values
    from litscape.alike.seeds import Side

MOST_NAMES = 40
"""So many names are looked for; a collection's authors say little of each other."""


def measure(ground: Ground) -> Values:
    """(n,)."""
    return ground.balanced(_of)


def _of(ground: Ground, side: Side) -> Values:
    ids = ground.links.ids[side.numbers].tolist()
    lists = [names for names in authors_of(ground.conn, ids).values() if names]
    lists += [
        {author.display.casefold() for author in draft.authors}
        for draft in side.drafts
        if draft.authors
    ]
    names = list(dict.fromkeys(name for one in lists for name in sorted(one)))[:MOST_NAMES]
    members, values = [], []
    for paper, theirs in papers_by(ground.conn, names).items():
        members.append(paper)
        shares = (len(own & theirs) / np.sqrt(len(own) * len(theirs)) for own in lists)
        values.append(float(sum(shares)))
    numbers = ground.links.numbers_of(np.array(members, dtype=np.int64))
    there = np.isin(members, ground.links.ids)
    return ground.of_pairs(numbers, np.array(values)[there], side.size)


SIGNAL = Signal("author", "same authors", 0.05, measure)
