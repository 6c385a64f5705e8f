"""Bibliographic coupling (Kessler 1963): the references shared with an example, as a cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.alike.ground import Ground, Values
    from litscape.alike.seeds import Side


def measure(ground: Ground) -> Values:
    """(n,)."""
    return ground.balanced(_of)


def _of(ground: Ground, side: Side) -> Values:
    links = ground.links
    members: list[NDArray[np.int32]] = []
    values: list[Values] = []

    def add(citing: NDArray[np.int32], length: int) -> None:
        others, counts = np.unique(citing, return_counts=True)
        members.append(others)
        values.append(counts / (np.sqrt(length * links.lengths[others]) + 1))

    for number in side.numbers.tolist():
        inside = links.into.gather(links.out.row(number))[0]
        outside = links.works_cited_by.gather(links.works.row(number))[0]
        add(np.concatenate((inside, outside)), int(links.lengths[number]))
    if len(side.cited):
        add(links.into.gather(side.cited)[0], len(side.cited))
    if not members:
        return ground.nothing()
    return ground.of_pairs(np.concatenate(members), np.concatenate(values), side.size)


SIGNAL = Signal("coupling", "shared references", 0.1, measure)
