"""The points painted into one image by NumPy.

Each point puts its colour's code into the pixel of its middle; discs grow from there by taking the
larger of the image and its shifted copies, which costs the same for a thousand points as for a
hundred thousand. A value is a code and one of four steps of coverage, the fuller the larger: edges
are smooth, and give way to the middles of other points.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape_app.window.map.camera import Camera

    Image = NDArray[np.uint32]
    Codes = NDArray[np.uint8]
    Column = NDArray[np.float32]

MOST_CODES = 63
"""The largest code; 0 is nothing."""
_STEPS = 4
_FINE = 8
"""Parts of a pixel, each way, by which its coverage is counted."""
_CELL = 2
"""Pixels of a cell of the density, each way."""
_FAINTEST = 0.4


def look_up(colours: Sequence[str]) -> Image:
    """The colour of each value, 0xAARRGGBB premultiplied, (256,).

    Args:
        colours: ``#rrggbb`` of code 1 and on.
    """
    table = np.zeros(256, dtype=np.uint32)
    for code, colour in enumerate(colours[:MOST_CODES], start=1):
        parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
        for step in range(_STEPS):
            table[step * MOST_CODES + code] = _argb(parts, (step + 1) / _STEPS)
    return table


def _argb(parts: Sequence[int], alpha: float) -> int:
    red, green, blue = (round(part * alpha) for part in parts)
    return round(255 * alpha) << 24 | red << 16 | green << 8 | blue


def marks(
    camera: Camera, ratio: float, columns: tuple[Column, Column, Codes, Codes],
    radii: Sequence[float], colours: Image,
) -> Image:  # fmt: skip
    """Points as smooth discs.

    Args:
        camera: what is seen.
        ratio: pixels of the image in a logical pixel.
        columns: x, y, codes and sizes of points, each (n,), later ones above earlier ones.
        radii: of each size, logical pixels.
        colours: from :func:`look_up`.

    Returns:
        (height, width) uint32, premultiplied.
    """
    width, height = round(camera.width * ratio), round(camera.height * ratio)
    reach = int(np.ceil(max(radii) * ratio)) + 1
    x, y, codes, sizes = columns
    flat, there = _pixels(camera, ratio, x, y, width, height, reach)
    wide = width + 2 * reach
    values = np.zeros((height + 2 * reach, wide), dtype=np.uint8)
    codes, sizes = codes[there], sizes[there]
    several = len(radii) > 1 and bool(sizes.any())
    for size, radius in enumerate(radii if several else radii[:1]):
        middles = np.zeros_like(values)
        if several:
            own = sizes == size
            middles.ravel()[flat[own]] = codes[own]
        else:
            middles.ravel()[flat] = codes
        _grow(values, middles, radius * ratio, reach)
    seen = values[reach : reach + height, reach : reach + width]
    return np.take(colours, seen)


def _pixels(
    camera: Camera, ratio: float, x: Column, y: Column, width: int, height: int, edge: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_] | slice]:
    """Where in an image with an edge each point is, and which points are in it at all."""
    scale = np.float32(camera.scale * ratio)
    across = x * scale
    across += np.float32(edge - camera.left * camera.scale * ratio)
    down = y * -scale
    down += np.float32(edge + camera.top * camera.scale * ratio)
    inside = (across >= 0) & (across < width + 2 * edge) & (down >= 0) & (down < height + 2 * edge)
    there: NDArray[np.bool_] | slice = slice(None)
    if not inside.all():
        there = inside
        across, down = across[there], down[there]
    flat = down.astype(np.int64)
    flat *= width + 2 * edge
    flat += across.astype(np.int64)
    return flat, there


@lru_cache(maxsize=64)
def _stamp(radius: float) -> tuple[tuple[int, int, int], ...]:
    """The pixels of a disc: how far aside, how far down, and the step of coverage."""
    reach = int(np.ceil(radius)) + 1
    fine = (np.arange(-reach * _FINE, (reach + 1) * _FINE) + 0.5) / _FINE - 0.5
    inside = fine[:, None] ** 2 + fine[None, :] ** 2 <= max(radius, 0.5) ** 2
    cells = inside.reshape(2 * reach + 1, _FINE, 2 * reach + 1, _FINE).mean(axis=(1, 3))
    steps = np.rint(cells * _STEPS).astype(int)
    return tuple(
        (int(column) - reach, int(row) - reach, int(steps[row, column]) - 1)
        for row, column in np.argwhere(steps > 0)
    )


def _grow(values: Codes, middles: Codes, radius: float, reach: int) -> None:
    """Draw a disc around each middle into ``values``."""
    height, width = values.shape
    there = (middles > 0).view(np.uint8)
    by_step = [middles + there * np.uint8(step * MOST_CODES) for step in range(_STEPS)]
    for across, down, step in _stamp(radius):
        if max(abs(across), abs(down)) > reach:
            continue
        into = values[max(0, down) : height + min(0, down), max(0, across) : width + min(0, across)]
        of = by_step[step][
            max(0, -down) : height + min(0, -down), max(0, -across) : width + min(0, -across)
        ]
        np.maximum(into, of, out=into)


def density(camera: Camera, columns: tuple[Column, Column, Codes], colours: Image) -> Image:
    """How many points are where, as the strength of their colours; cells of two logical pixels.

    Args:
        camera: what is seen.
        columns: x, y and codes of points, each (n,), later ones above earlier ones.
        colours: from :func:`look_up`.

    Returns:
        (height, width) uint32 of cells, premultiplied.
    """
    width, height = -(-camera.width // _CELL), -(-camera.height // _CELL)
    x, y, codes = columns
    flat, there = _pixels(camera, 1 / _CELL, x, y, width, height, 0)
    codes = codes[there]
    counts = np.bincount(flat, minlength=width * height).astype(np.float32)
    of = np.zeros(width * height, dtype=np.uint8)
    of[flat] = codes
    there_are = counts > 0
    strength = np.log1p(counts)
    some = strength[there_are]
    most = float(np.percentile(some, 99)) if len(some) else 1.0
    strength = np.clip(strength / max(most, 1e-6), 0, 1)
    strength = np.where(there_are, _FAINTEST + (1 - _FAINTEST) * strength, 0)
    full = colours[of + (of > 0) * np.uint8((_STEPS - 1) * MOST_CODES)]
    parts = full.view(np.uint8).reshape(-1, 4).astype(np.float32)
    parts *= strength[:, None]
    soft = _softened(_softened(parts.reshape(height, width, 4), 0), 1)
    image: Image = soft.astype(np.uint8).view(np.uint32).reshape(height, width)
    return image


def _softened(parts: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    """A cell and its neighbours along an axis mixed, so that mingled colours do not flicker."""
    mixed = 2 * parts
    before, after = [slice(None)] * 3, [slice(None)] * 3
    before[axis], after[axis] = slice(None, -1), slice(1, None)
    mixed[tuple(after)] += parts[tuple(before)]
    mixed[tuple(before)] += parts[tuple(after)]
    mixed *= np.float32(0.25)
    return mixed
