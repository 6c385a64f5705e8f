"""How dense the map is: a smooth count on a grid, and lines of equal density (marching squares)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

GRID = 128
LEVELS = (0.06, 0.18, 0.38, 0.66)
"""Shares of the greatest density at which lines are drawn."""
_SMOOTH = 2.0
# The sides of a cell that a line joins, for each of the sixteen ways its corners can lie (bits:
# upper left, upper right, lower right, lower left); sides: above, right, below, left.
_JOINED = {
    1: ((3, 0),), 2: ((0, 1),), 3: ((3, 1),), 4: ((1, 2),), 5: ((3, 0), (1, 2)), 6: ((0, 2),),
    7: ((3, 2),), 8: ((2, 3),), 9: ((0, 2),), 10: ((0, 1), (2, 3)), 11: ((1, 2),), 12: ((1, 3),),
    13: ((0, 1),), 14: ((0, 3),),
}  # fmt: skip


def smooth_counts(
    x: NDArray[np.floating], y: NDArray[np.floating]
) -> tuple[Floats, tuple[float, float, float, float]]:
    """Counts on a grid over all points, blurred, (GRID, GRID), and its left, bottom, right, top."""
    left, right, bottom, top = float(x.min()), float(x.max()), float(y.min()), float(y.max())
    edge_x, edge_y = 0.06 * (right - left) + 1e-6, 0.06 * (top - bottom) + 1e-6
    bounds = (left - edge_x, bottom - edge_y, right + edge_x, top + edge_y)
    columns = ((x - bounds[0]) / (bounds[2] - bounds[0]) * GRID).astype(np.int64)
    rows = ((y - bounds[1]) / (bounds[3] - bounds[1]) * GRID).astype(np.int64)
    flat = np.clip(rows, 0, GRID - 1) * GRID + np.clip(columns, 0, GRID - 1)
    counts = np.bincount(flat, minlength=GRID * GRID).reshape(GRID, GRID).astype(np.float64)
    reach = int(3 * _SMOOTH)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / _SMOOTH) ** 2)
    weights /= weights.sum()
    for axis in (0, 1):
        counts = np.apply_along_axis(np.convolve, axis, counts, weights, mode="same")
    return counts, bounds


def contours(x: NDArray[np.floating], y: NDArray[np.floating]) -> list[Floats]:
    """Lines of equal density, level by level, each (m, 4): x and y of both ends of m pieces."""
    if len(x) < 3:
        return []
    counts, (left, bottom, right, top) = smooth_counts(x, y)
    scale = np.array([(right - left) / GRID, (top - bottom) / GRID])
    found = []
    for share in LEVELS:
        pieces = pieces_at(counts, share * float(counts.max())) + 0.5
        ends = pieces.reshape(-1, 2, 2) * scale + (left, bottom)
        found.append(ends.reshape(-1, 4))
    return found


def pieces_at(grid: Floats, level: float) -> Floats:
    """Pieces of the line where a grid takes a value, (m, 4): column and row of both ends."""
    above = grid >= level
    corners = (above[:-1, :-1], above[:-1, 1:], above[1:, 1:], above[1:, :-1])
    ways = np.zeros(corners[0].shape, dtype=np.uint8)
    for bit, corner in enumerate(corners):
        ways |= corner.astype(np.uint8) << bit
    pieces = []
    for way, joins in _JOINED.items():
        rows, columns = np.nonzero(ways == way)
        for one, other in joins:
            ends = [_crossing(grid, rows, columns, side, level) for side in (one, other)]
            pieces.append(np.column_stack(ends))
    return np.concatenate(pieces) if pieces else np.empty((0, 4))


def _crossing(
    grid: Floats, rows: NDArray[np.int64], columns: NDArray[np.int64], side: int, level: float
) -> Floats:
    """Where the line crosses one side of each of some cells: (m, 2) column and row."""
    (row, column), (row_to, column_to) = (
        ((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 0), (1, 1)), ((0, 0), (1, 0))
    )[side]  # fmt: skip
    start = grid[rows + row, columns + column]
    end = grid[rows + row_to, columns + column_to]
    share = (level - start) / np.where(end == start, 1.0, end - start)
    return np.column_stack(
        (columns + column + share * (column_to - column), rows + row + share * (row_to - row))
    )
