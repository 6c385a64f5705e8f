"""Making a picture: the first one by principal components, then the layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.maps.align import turned_onto
from litscape.maps.layouts.base import Field
from litscape.maps.layouts.pca import principal_plane
from litscape.maps.placing import by_neighbours
from litscape.maps.records import PartialMap
from litscape.maps.steps import LAYOUT, Part

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.maps.layouts.base import Layout
    from litscape.maps.material import Material
    from litscape.maps.records import MapLayout, NeighbourGraph

_GOLDEN_ANGLE = np.pi * (3.0 - np.sqrt(5.0))
_EQUAL = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Places (n, 2) of the papers (n,) that got one, and what is to be said about them."""

    ids: NDArray[np.int64]
    xy: NDArray[np.float32]
    note: str = ""


def draw(
    material: Material,
    layout: Layout,
    seed: int,
    neighbours: Callable[[int], NeighbourGraph],
    ctx: JobContext,
    start: MapLayout | None = None,
) -> Picture:
    """Lay papers out.

    Args:
        material: at least one paper.
        layout: how.
        seed: of everything random.
        neighbours: gives the graph of ``material`` with so many neighbours each.
        ctx: hears of progress, gets pictures on the way, can end the work.
        start: a map whose places to begin with, and whose way round to keep.

    Raises:
        JobCancelledError: ``ctx`` was cancelled.
    """
    ids = material.ids
    if len(ids) > 1 and _all_equal(material.matrix):
        note = f"All {len(ids):,} vectors are equal, so the papers are drawn side by side."
        return Picture(ids, side_by_side(len(ids)), note)
    if len(ids) < 3:
        xy = np.array([[0.0, 0.0], [1.0, 0.0]], dtype=np.float32)[: len(ids)]
        said = "One paper" if len(ids) == 1 else "Two papers"
        return Picture(ids, xy, f"{said} can't show how topics lie to each other.")
    Part(ctx, (0.0, 1.0)).progress(0, 1, "First picture by PCA")
    first = principal_plane(material.matrix)
    shared = np.zeros(len(ids), dtype=bool)
    if start is not None:
        first, shared = _begun(material, first, start, ctx)
    ctx.partial(PartialMap(ids, first, 0, 1))
    note = ""
    if len(ids) < layout.least:
        note = f"{len(ids)} papers are too few for {layout.title}, so PCA is drawn."
        return Picture(ids, first, note)
    begun = np.ascontiguousarray(first - first.mean(axis=0))
    xy = layout.lay_out(Field(ids, material.matrix, neighbours, begun, seed), Part(ctx, LAYOUT))
    if start is not None:
        xy = turned_onto(xy, first, shared)
    return _sound(ids, xy)


def _begun(
    material: Material, plane: NDArray[np.float32], start: MapLayout, ctx: JobContext
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Places to begin with: those of the start, other papers near their neighbours there."""
    ids, here, there = np.intersect1d(material.ids, start.ids, return_indices=True)
    shared = np.zeros(len(material), dtype=bool)
    if not len(ids):
        return plane, shared
    shared[here] = True
    xy = np.empty_like(plane)
    xy[here] = start.xy[there]
    if not shared.all():
        matrix = material.matrix
        xy[~shared] = by_neighbours(matrix[~shared], matrix[shared], xy[shared], ctx)
    return xy, shared


def _sound(ids: NDArray[np.int64], xy: NDArray[np.float32]) -> Picture:
    """The picture without places that are no numbers."""
    sound = np.isfinite(xy).all(axis=1)
    return Picture(ids[sound], np.ascontiguousarray(xy[sound], dtype=np.float32))


def _all_equal(matrix: NDArray[np.float32]) -> bool:
    return float(np.abs(matrix - matrix[0]).max()) < _EQUAL


def side_by_side(n: int) -> NDArray[np.float32]:
    """Places (n, 2) evenly over a disc, like the seeds of a sunflower (Vogel 1979)."""
    number = np.arange(n)
    radius, angle = np.sqrt(number / n), number * _GOLDEN_ANGLE
    xy = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return np.asarray(xy, dtype=np.float32)
