"""What the analysis child is asked for: maps as functions, and a small one that gets it warm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.jobs import null_context

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.records import MapLayout, MapScope

_FEW, _WIDTH = 64, 8


def make(
    library: Library,
    ctx: JobContext,
    scope: MapScope,
    layout: str,
    seed: int,
    *,
    start: MapLayout | None = None,
    version: str | None = None,
) -> MapLayout:
    """:meth:`litscape.maps.facade.Maps.make`."""
    return library.maps.make(scope, layout, seed, ctx, start, version)


def place_new(library: Library, ctx: JobContext, key: int) -> MapLayout:
    """:meth:`litscape.maps.facade.Maps.place_new`."""
    return library.maps.place_new(key, ctx)


def warm_up(_library: Library, ctx: JobContext) -> None:
    """Draw a few made-up papers, which imports and compiles whatever layouts need."""
    from litscape.maps.layouts import LAYOUTS
    from litscape.maps.making import draw
    from litscape.maps.material import Material
    from litscape.maps.neighbours import find_neighbours

    vectors = np.random.default_rng(0).standard_normal((_FEW, _WIDTH), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids = np.arange(1, _FEW + 1, dtype=np.int64)
    silent = null_context()
    for layout in LAYOUTS.values():
        ctx.check()
        draw(
            Material(ids, vectors, ""),
            layout,
            0,
            lambda k: find_neighbours(ids, vectors, k, silent),
            silent,
        )
