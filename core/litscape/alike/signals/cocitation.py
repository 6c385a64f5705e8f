"""Co-citation (Small 1973): cited by the same papers as an example, as Salton's cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal

if TYPE_CHECKING:
    from litscape.alike.ground import Ground, Values
    from litscape.alike.seeds import Side


def measure(ground: Ground) -> Values:
    """(n,)."""
    return ground.balanced(_of)


def _of(ground: Ground, side: Side) -> Values:
    links = ground.links
    members, values = [], []
    for number in side.numbers.tolist():
        others, counts = np.unique(links.out.gather(links.into.row(number))[0], return_counts=True)
        # One more in the divisor: to be cited once, together, is no proof.
        size = np.sqrt(links.cited_times[number] * links.cited_times[others]) + 1
        members.append(others)
        values.append(counts / size)
    if not members:
        return ground.nothing()
    return ground.of_pairs(np.concatenate(members), np.concatenate(values), side.size)


SIGNAL = Signal("cocitation", "cited together", 0.4, measure)
