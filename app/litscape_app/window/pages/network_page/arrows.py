"""Links as lines with heads that keep their size in pixels however far one looks in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

HEAD, _SPREAD = 7.0, 0.42


def arrows(
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    sizes: NDArray[np.float64],
    pixel: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lines of arrows, which end at the edge of a mark, and the middles of their heads.

    Args:
        start: (n, 2), where they begin.
        end: (n, 2), the middles of the marks where they end.
        sizes: (n,) pixels of these marks.
        pixel: (2,), how wide and tall one is.

    Returns:
        (6n, 2) ends of lines by pairs, (n, 2) middles of heads.
    """
    way = (end - start) / pixel
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    way = way / length
    tip = end - way * np.minimum(sizes[:, None] / 2 + 1, length / 2) * pixel
    turned = np.column_stack((-way[:, 1], way[:, 0]))
    sides = [tip - (way + side * _SPREAD * turned) * HEAD * pixel for side in (1, -1)]
    pairs = ((start, tip), (tip, sides[0]), (tip, sides[1]))
    pieces = np.concatenate([np.stack(pair, axis=1).reshape(-1, 2) for pair in pairs])
    return pieces, tip - way * HEAD / 2 * pixel
