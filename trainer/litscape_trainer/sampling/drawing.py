"""Draws from rows of different lengths, all rows at once; equal seeds give equal draws."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from litscape.graph.csr import Rows
    from litscape_trainer.examples.known import Known

_ROUNDS = 8
"""Times that a draw which fell on a known positive is made anew."""


def dice(purpose: str, seed: int, epoch: int = 0) -> np.random.Generator:
    """A source of chance for one purpose, so that no draw hangs on how many others were made."""
    return np.random.default_rng([seed, epoch, zlib.crc32(purpose.encode())])


def places_in_row(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, … within each row of these lengths, one row after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) - np.repeat(ends - lengths, lengths)


def cycled(
    rows: Rows, count: int, seed: int, epoch: int, *, again: bool = False
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """``count`` entries of each row, others in every epoch until all had their turn.

    Args:
        rows: what is drawn from.
        count: entries a row; a shorter row gives all that it has.
        seed: of the order in which the entries of a row come.
        epoch: how often it was drawn before.
        again: let a shorter row give entries several times, so that each gives ``count``.

    Returns:
        The rows and the entries drawn, (m,) each, by row.
    """
    lengths = rows.lengths()
    chance = dice("turns", seed).random(len(rows.indices))
    shuffled = rows.indices[np.lexsort((chance, rows.row_numbers()))]
    most = np.full(len(lengths), count) if again else np.minimum(lengths, count)
    taken = np.where(lengths > 0, most, 0)
    own = np.repeat(np.arange(len(lengths)), taken)
    turn = (epoch * count + places_in_row(taken)) % np.maximum(lengths[own], 1)
    return own.astype(np.int32), shuffled[rows.indptr[own] + turn]


def some_of_each(
    owners: NDArray[np.int64], count: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Up to ``count`` entries of each owner: their places, by owner, within one as chance has it.

    Args:
        owners: (m,) whose each entry is.
        count: how many.
        rng: chance.
    """
    order = np.lexsort((rng.random(len(owners)), owners))
    lengths = np.unique(owners, return_counts=True)[1].astype(np.int64)
    found: NDArray[np.int64] = order[places_in_row(lengths) < count]
    return found


def in_columns(
    owners: NDArray[np.int64], values: NDArray[np.int32], rows: int, columns: int
) -> NDArray[np.int32]:
    """Values by owner as a table (rows, columns), filled from the left, -1 where there are fewer.

    Args:
        owners: (m,) ascending row numbers.
        values: (m,).
        rows: of the table.
        columns: of the table; further values of a row are left out.
    """
    table = np.full((rows, columns), -1, dtype=np.int32)
    lengths = np.bincount(owners, minlength=rows).astype(np.int64)
    column = places_in_row(lengths)
    there = column < columns
    table[owners[there], column[there]] = values[there]
    return table


def strangers(
    anchors: NDArray[np.int32],
    pool: NDArray[np.int32],
    columns: int,
    known: Known,
    rng: np.random.Generator,
    allowed: Callable[[NDArray[np.int64], NDArray[np.int32]], NDArray[np.bool_]] | None = None,
) -> NDArray[np.int32]:
    """Papers drawn from all alike that have nothing known to do with the anchors.

    Args:
        anchors: (n,) places.
        pool: places to draw from.
        columns: how many an anchor.
        known: what belongs together.
        rng: chance.
        allowed: from numbers of anchors and papers drawn, whether these may be taken.

    Returns:
        (n, columns) places, -1 where eight draws fell on papers that belong to the anchor.
    """
    table = np.full(len(anchors) * columns, -1, dtype=np.int32)
    if not len(pool):
        return table.reshape(len(anchors), columns)
    own = np.repeat(anchors, columns)
    open_ = np.arange(len(table))
    for _ in range(_ROUNDS):
        if not len(open_):
            break
        drawn = pool[rng.integers(0, len(pool), len(open_))]
        good = ~known.pairs(own[open_], drawn)
        if allowed is not None:
            good &= allowed(open_ // columns, drawn)
        table[open_[good]] = drawn[good]
        open_ = open_[~good]
    return table.reshape(len(anchors), columns)
