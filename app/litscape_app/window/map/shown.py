"""Which colour each paper is drawn in: its value, and whether it is chosen, found, of a year."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape_app.window.map.points import FIRST, GHOST, HIDDEN

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from litscape.maps.colouring import Colouring
    from litscape_resources import Palette

    Mask = NDArray[np.bool_]


def codes_of(
    colouring: Colouring,
    hidden: Collection[str] = (),
    focus: Mask | None = None,
    years: NDArray[np.int32] | None = None,
    year: int | None = None,
    *,
    pale: bool = True,
) -> NDArray[np.uint8]:
    """The code of each paper.

    Args:
        colouring: its value.
        hidden: values whose papers are not shown.
        focus: papers that are chosen or found; others are pale. None where that is nobody's wish.
        years: of papers, 0 where there is none.
        year: the last that counts; None for all.
        pale: whether later papers are pale; else they are not shown.
    """
    of = colouring.of
    if hidden:
        of = colouring.among(np.array([one.label not in hidden for one in colouring.entries]))
    codes = (of + FIRST).astype(np.uint8)
    if focus is not None:
        codes[~focus] = GHOST
    if year is not None and years is not None:
        codes[(years > year) | (years <= 0)] = GHOST if pale else HIDDEN
    if hidden:
        codes[of < 0] = HIDDEN
    return codes


def colours_of(colouring: Colouring, palette: Palette) -> list[str]:
    """The colours of the codes from 1 on: the pale one, then those of the legend."""
    return [palette.ghost, *(entry.colour(palette) for entry in colouring.entries)]


def citation_sizes(cited: NDArray[np.int64]) -> NDArray[np.uint8]:
    """A size, 0 to 4, for each paper by how often it is cited."""
    edges = np.array([1, 3, 10, 40])
    most = int(cited.max()) if len(cited) else 0
    if most > 200:
        edges = np.unique(np.geomspace(2, most, 5)[:-1].astype(np.int64))
    return np.searchsorted(edges, cited, side="right").astype(np.uint8)
