"""Where the names of topics stand: on or beside their own points, or nowhere.

A name lies on its topic's densest place where most points below it are the topic's own and it does
not cover most of them; else beside it where little else lies, with a thin line to the place. A name
that finds no such place is left out: one that lies on others' points names the wrong topic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.maps.ground import Ground

    Box = tuple[float, float, float, float]
    Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

NEARER = (2.2, 6.0)
"""How many times nearer than the whole map one is when the next finer names take over."""
_OWN = 0.6
"""Share of the points below a name that are its topic's own, at least, for it to lie on them."""
_MOST_COVERED = 0.5
"""Share of its topic's points that a name may cover."""
_OTHERS = 0.34
"""Share of another topic's points that a name may cover (shares of several are added)."""
_SPARSE = 0.15
"""Of the points that lie below a name on average, how many may lie below one beside its place."""
_GAPS = (5.0, 16.0, 34.0, 58.0, 86.0)
"""Pixels between a place and a name beside it, at letters of 14 pixels; the two last are for the
last shape of a name alone."""
_LETTER = 14.0
_LINE = 9.0
"""Pixels from a place on which a name needs a line to it."""
_APART = 4.0


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a name stands.

    Attributes:
        shape: which of the sizes it has.
        box: left, top, width and height in pixels.
        line: from the name to its place: x and y of both ends; None where it lies at its place.
    """

    shape: int
    box: Box
    line: Box | None = None


@dataclass(frozen=True, slots=True)
class _Tried:
    """Offsets of a name's left upper corner from its place, (m, 2), the best first."""

    shape: int
    size: tuple[float, float]
    offsets: Floats


def first_term(text: str) -> str | None:
    """What stands for a name of several terms where there is little room; None for one term."""
    head, comma, _rest = text.partition(", ")
    return head if comma and head else None


class Placer:
    """Places names on one map; what was found for a scale is kept while the map is panned."""

    def __init__(self, ground: Ground | None) -> None:
        """Place by whose points lie where; without a ground only so that none covers another."""
        self._ground = ground
        self._known: dict[tuple[int, float, tuple[tuple[float, float], ...]], list[_Tried]] = {}

    def forget(self) -> None:
        """Other points are shown."""
        self._known.clear()

    def stand(
        self,
        key: int,
        spot: tuple[float, float],
        shapes: Sequence[tuple[float, float]],
        scale: float,
        frame: Box,
        taken: list[Box],
        letter: float = _LETTER,
    ) -> Stand | None:
        """Where a name stands; its box and line are added to what is taken.

        Args:
            key: its topic.
            spot: pixels of the topic's place; y downwards.
            shapes: widths and heights that the name can have, the best first.
            scale: pixels of a unit of the map.
            frame: what it must lie in: left, top, right and bottom.
            taken: boxes that it must not meet.
            letter: height of a letter, pixels.
        """
        for tried in self._tried(key, tuple(shapes), scale, letter):
            wide, tall = tried.size
            for aside, down in tried.offsets.tolist():
                box = (spot[0] + aside, spot[1] + down, wide, tall)
                if not _within(box, frame) or any(_meet(box, other) for other in taken):
                    continue
                line = _line(box, spot, letter)
                if line is not None and any(_meet(one, o) for one in _steps(line) for o in taken):
                    continue
                taken.append(box)
                if line is not None:
                    taken.extend(_steps(line))
                return Stand(tried.shape, box, line)
        return None

    def _tried(
        self, key: int, shapes: tuple[tuple[float, float], ...], scale: float, letter: float
    ) -> list[_Tried]:
        known = (key, round(scale, 6), shapes)
        if known not in self._known:
            if len(self._known) > 2_000:
                self._known.clear()
            found = []
            for number, size in enumerate(shapes):
                last = number == len(shapes) - 1
                offsets = _offsets(*size, letter, _GAPS if last else _GAPS[:3])
                if self._ground is not None:
                    offsets = _sound(self._ground, key, offsets, size, scale)
                found.append(_Tried(number, size, offsets))
            self._known[known] = found
        return self._known[known]


def _offsets(wide: float, tall: float, letter: float, gaps: Sequence[float]) -> Floats:
    """Where a name is tried: left and upper edge from its place, the nearest first."""
    found = [(0.0, 0.0)]
    found += [(0.0, s * tall * part) for part in (0.4, 0.8) for s in (-1, 1)]
    found += [(s * wide * part, 0.0) for part in (0.25, 0.45) for s in (-1, 1)]
    for pixels in gaps:
        gap = pixels * letter / _LETTER
        up, out = tall / 2 + gap, wide / 2 + gap
        found += [(0, -up), (0, up), (out, 0), (-out, 0)]
        found += [(s * wide * 0.32, t * up) for s in (-1, 1) for t in (-1, 1)]
        found += [(s * out, t * up * 0.75) for s in (-1, 1) for t in (-1, 1)]
    return np.array(found) - (wide / 2, tall / 2)


def _sound(
    ground: Ground, key: int, offsets: Floats, size: tuple[float, float], scale: float
) -> Floats:
    """Those of some offsets at which a name lies by its own points."""
    x, y = ground.anchor_of(key)
    wide, tall = size
    left, top = x + offsets[:, 0] / scale, y - offsets[:, 1] / scale
    boxes = np.column_stack((left, top - tall / scale, left + wide / scale, top))
    own, all_, others = ground.counts(key, boxes)
    half = np.array([wide / 2, tall / 2])
    over = (np.abs(offsets + half) <= half).all(axis=1)
    left_, bottom, right, upper = ground.extent
    area = max((right - left_) * (upper - bottom) * scale * scale, 1.0)
    usual = ground.shown * min(1.0, wide * tall / area)
    mine = own >= _OWN * all_
    few = all_ - own <= max(0.5, _SPARSE * usual)
    fits = np.where(over, mine & (own > 0), mine | few)
    fits &= (own <= _MOST_COVERED * max(1, ground.papers(key))) & (others <= _OTHERS)
    return np.asarray(offsets[fits])


def _within(box: Box, frame: Box) -> bool:
    return (
        box[0] >= frame[0]
        and box[1] >= frame[1]
        and box[0] + box[2] <= frame[2]
        and box[1] + box[3] <= frame[3]
    )


def _meet(one: Box, other: Box) -> bool:
    return (
        one[0] < other[0] + other[2] + _APART
        and other[0] < one[0] + one[2] + _APART
        and one[1] < other[1] + other[3] + _APART
        and other[1] < one[1] + one[3] + _APART
    )


def _line(box: Box, spot: tuple[float, float], letter: float) -> Box | None:
    """From the edge of a name to its place, where that is not beside it."""
    x = min(max(spot[0], box[0]), box[0] + box[2])
    y = min(max(spot[1], box[1]), box[1] + box[3])
    far = float(np.hypot(spot[0] - x, spot[1] - y))
    return None if far <= _LINE * letter / _LETTER else (x, y, *spot)


def _steps(line: Box) -> list[Box]:
    """Small boxes along a line, from its place on; the name's own edge left out."""
    shares = (1.0, 0.8, 0.6, 0.4)
    x, y, to_x, to_y = line
    return [(x + s * (to_x - x) - 1, y + s * (to_y - y) - 1, 2.0, 2.0) for s in shares]
