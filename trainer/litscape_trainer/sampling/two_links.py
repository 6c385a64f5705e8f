"""Papers two links away: near in the graph, not linked - the hard negatives of SPECTER."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.csr import Rows
from litscape.jobs import null_context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from litscape.jobs import JobContext

_PATHS = 4_000_000
"""Ways of two links that are followed in one go: bounds the memory."""


def two_links_away(
    first: Rows,
    second: Rows,
    anchors: NDArray[np.int32],
    near: Rows,
    ctx: JobContext | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """What a link of ``first`` and then one of ``second`` lead to, and no link of ``near``.

    Args:
        first: links to begin with, as rows.
        second: links to go on with.
        anchors: (a,) places to begin at.
        near: all links, in both directions.
        ctx: told of the progress.

    Returns:
        Numbers among the anchors, ascending, and the places found, each once an anchor, (m,) each.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    size = len(near)
    linked = near.row_numbers().astype(np.int64) * size + near.indices
    owners: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
    found: list[NDArray[np.int32]] = [np.empty(0, dtype=np.int32)]
    for start, stop in _steps(first, second, anchors):
        ctx.progress(start, len(anchors), "Looking for papers two links away")
        between, counts = first.gather(anchors[start:stop])
        beyond, further = second.gather(between)
        own = np.repeat(np.repeat(np.arange(start, stop), counts), further)
        keys = np.unique(own * size + beyond)
        own, beyond = keys // size, (keys % size).astype(np.int32)
        itself = anchors[own]
        pairs = itself.astype(np.int64) * size + beyond
        place = np.minimum(np.searchsorted(linked, pairs), max(len(linked) - 1, 0))
        stay = (beyond != itself) & (linked[place] != pairs)
        owners.append(own[stay])
        found.append(beyond[stay])
    return np.concatenate(owners), np.concatenate(found)


def _steps(first: Rows, second: Rows, anchors: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    """Ranges of anchors with about as many ways each."""
    ways = np.concatenate(([0], np.cumsum(second.lengths()[first.indices])))
    done = np.cumsum(ways[first.indptr[anchors + 1]] - ways[first.indptr[anchors]])
    start = 0
    while start < len(anchors):
        before = done[start - 1] if start else 0
        stop = max(int(np.searchsorted(done, before + _PATHS, side="right")), start + 1)
        yield start, min(stop, len(anchors))
        start = stop


def both_ways(out: Rows) -> Rows:
    """Links in both directions as rows, each once."""
    size = len(out)
    one, other = out.row_numbers(), out.indices
    keys = np.unique(
        np.concatenate((one.astype(np.int64) * size + other, other.astype(np.int64) * size + one))
    )
    return Rows.of_sorted((keys // size).astype(np.int32), (keys % size).astype(np.int32), size)
