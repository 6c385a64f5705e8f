"""A chain of citations between papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.alike.links import Links
    from litscape.graph.csr import Rows

LONGEST = 3
"""Links in a chain; what is further away is no reason."""


def chain(links: Links, seeds: NDArray[np.int32], target: int) -> tuple[int, ...]:
    """The shortest chain in which each paper cites the next, between a seed and a paper.

    Returns:
        Numbers of papers, the citing end first; empty where no short chain leads there.
    """
    forth = _walk(links.out, seeds, target)
    back = _walk(links.into, seeds, target)
    if not back or (forth and len(forth) <= len(back)):
        return forth
    return tuple(reversed(back))


def _walk(rows: Rows, seeds: NDArray[np.int32], target: int) -> tuple[int, ...]:
    """From a seed to the target by the entries of rows, the fewest steps."""
    parent = np.full(len(rows), -1, dtype=np.int64)
    parent[seeds] = seeds
    front = seeds
    for _ in range(LONGEST):
        entries, counts = rows.gather(front)
        origins = np.repeat(front, counts)
        new = parent[entries] < 0
        parent[entries[new]] = origins[new]
        if parent[target] >= 0:
            break
        front = np.unique(entries[new])
    if parent[target] < 0 or not len(seeds):
        return ()
    found = [target]
    while parent[found[-1]] != found[-1]:
        found.append(int(parent[found[-1]]))
    return tuple(reversed(found))
