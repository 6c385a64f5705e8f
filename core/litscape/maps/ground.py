"""Whose points lie where on a map: what names of topics are placed by."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from litscape.topics.records import TopicTree

    Boxes = NDArray[np.float64]

_SIDE = 256
"""Cells of the grid on each side."""
_KEPT = 160
"""Tables of topics that are kept, a quarter of a megabyte each; those of coarse ones always are."""
_REACHES = (0.04, 0.012)
"""Shares of the map's extent around a place in which points are counted: to find the part of the
map in which most points of a topic lie, then its middle."""

_STRAY = 0.1
"""Of the extent of most points, how far outside a point is a stray."""


class Ground:
    """The points of a map, and which of them belong to each topic.

    Counts within rectangles come from sums over a grid (summed-area tables, Crow 1984), so that
    they cost the same for any number of points.

    Attributes:
        extent: left, bottom, right and top of what is counted, units of the map.
        size: how many points there are.
        counted: which of them are counted, (n,) bool; None for all.
    """

    def __init__(
        self, xy: NDArray[np.floating], topics: Mapping[int, NDArray[np.int64]],
        coarse: Iterable[int] = (),
    ) -> None:  # fmt: skip
        """Take places and topics.

        Args:
            xy: places, (n, 2).
            topics: the numbers of the points of each topic, of any level.
            coarse: the topics that no point has two of; by them it is seen what a name would cover.
        """
        self._topics = topics
        self._coarse = tuple(coarse)
        places = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        low, high = _most_of(places)
        side = max(float((high - low).max()), 1e-9)
        middle = (low + high) / 2
        self._low = middle - side * 0.51
        self._cell = side * 1.02 / _SIDE
        self.extent = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        self._xy, self.size = places, len(places)
        spots = np.floor((places - self._low) / self._cell).astype(np.int64)
        inside = ((spots >= 0) & (spots < _SIDE)).all(axis=1)
        self._cells = np.where(inside, spots[:, 1] * _SIDE + spots[:, 0], -1)
        self._own: OrderedDict[int, NDArray[np.floating]] = OrderedDict()
        self._anchors: dict[int, tuple[float, float]] = {}
        self.show(None)

    def show(self, shown: NDArray[np.bool_] | None) -> None:
        """Count only some of the points, (n,) bool; all for None."""
        self.counted = shown
        self._own.clear()
        every = np.arange(len(self._cells))
        self._all = self._sums(every)
        weights = np.zeros(len(self._cells))
        for key in self._coarse:
            rows = self._topics.get(key, every[:0])
            weights[rows] = 1 / max(1, len(rows))
        self._covered = self._sums(every, weights)

    def keys(self) -> tuple[int, ...]:
        """The topics that have points."""
        return tuple(self._topics)

    def of(self, key: int) -> NDArray[np.int64]:
        """The numbers of the points of a topic."""
        return self._topics.get(key, np.empty(0, np.int64))

    def papers(self, key: int) -> int:
        """How many points a topic has."""
        return len(self._topics.get(key, ()))

    def _sums(
        self, rows: NDArray[np.int64], weights: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """The sum over all cells left of and below each corner, (side + 1, side + 1)."""
        cells = self._cells[rows]
        there = cells >= 0
        if self.counted is not None:
            there &= self.counted[rows]
        weight = None if weights is None else weights[rows][there]
        grid = np.bincount(cells[there], weight, _SIDE * _SIDE).reshape(_SIDE, _SIDE)
        table = np.zeros((_SIDE + 1, _SIDE + 1))
        np.cumsum(np.cumsum(grid, axis=0), axis=1, out=table[1:, 1:])
        return table

    def _table(self, key: int) -> NDArray[np.floating]:
        if key not in self._own:
            if len(self._own) >= _KEPT:
                old = next((one for one in self._own if one not in self._coarse), key)
                self._own.pop(old, None)
            sums = self._sums(self._topics.get(key, np.empty(0, np.int64)))
            self._own[key] = sums.astype(np.float32)  # whole numbers below 2 ** 24
        self._own.move_to_end(key)
        return self._own[key]

    def counts(self, key: int, boxes: Boxes) -> tuple[Boxes, Boxes, Boxes]:
        """What lies within rectangles, (m, 4): left, bottom, right, top in units of the map.

        Returns:
            For each: points of a topic, points of all, and the shares of other coarse topics that
            it covers, summed.
        """
        at = _Corners((boxes - np.tile(self._low, 2)) / self._cell)
        own, all_, covered = (at.sums(t) for t in (self._table(key), self._all, self._covered))
        others = np.maximum(0.0, covered - own / max(1, self.papers(key)))
        return own, all_, others

    @property
    def shown(self) -> int:
        """How many points are counted."""
        return int(self._all[-1, -1])

    def anchor_of(self, key: int) -> tuple[float, float]:
        """The same as :meth:`anchor`, found once."""
        if key not in self._anchors:
            self._anchors[key] = self.anchor(key)
        return self._anchors[key]

    def anchor(self, key: int) -> tuple[float, float]:
        """The densest place of a topic's points where most are its own: one of its points."""
        rows = self._topics.get(key, np.empty(0, np.int64))
        near = rows[self._cells[rows] >= 0]
        if not len(near):
            x, y = np.median(self._xy[rows], axis=0) if len(rows) else (0.0, 0.0)
            return float(x), float(y)
        some = near[:: max(1, len(near) // 3_000)]
        reach = self._cell * _SIDE
        for share in _REACHES:
            around = np.concatenate(
                (self._xy[some] - share * reach, self._xy[some] + share * reach), axis=1
            )
            own, all_, _others = self.counts(key, around)
            score = own * own / np.maximum(all_, 1e-9)
            best = self._xy[some[int(np.argmax(score))]]
            within = (np.abs(self._xy[some] - best) <= share * reach).all(axis=1)
            some = some[within]
        return float(best[0]), float(best[1])


class _Corners:
    """Sums between cells are those of the corners around, by their nearness."""

    def __init__(self, boxes: Boxes) -> None:
        clipped = np.clip(boxes, 0, _SIDE - 1e-9)
        whole = clipped.astype(np.int64)
        part = clipped - whole
        (self._l, self._b, self._r, self._t) = whole.T
        (self._pl, self._pb, self._pr, self._pt) = part.T

    def sums(self, table: NDArray[np.floating]) -> Boxes:
        """What lies within each rectangle."""

        def to(x: NDArray[np.int64], px: Boxes, y: NDArray[np.int64], py: Boxes) -> Boxes:
            low = table[y, x] * (1 - px) + table[y, x + 1] * px
            high = table[y + 1, x] * (1 - px) + table[y + 1, x + 1] * px
            return np.asarray(low * (1 - py) + high * py)

        left, right = (self._l, self._pl), (self._r, self._pr)
        below, above = (self._b, self._pb), (self._t, self._pt)
        return to(*right, *above) - to(*left, *above) - to(*right, *below) + to(*left, *below)


def _most_of(xy: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The corners of what :func:`fitted` takes."""
    left, bottom, right, top = fitted(xy)
    return np.array([left, bottom]), np.array([right, top])


def fitted(xy: NDArray[np.floating]) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of what is worth a picture: all points but a few far strays.

    Points are strays where they lie further outside of the middle 99 per cent than a tenth of its
    extent; so that of points that lie close all are in, and a few far ones make no picture small.
    """
    places = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
    if not len(places):
        return -1.0, -1.0, 1.0, 1.0
    low, high = places.min(axis=0), places.max(axis=0)
    if len(places) >= 20:
        first, last = np.percentile(places, (0.5, 99.5), axis=0)
        room = max(float((last - first).max()) * _STRAY, 1e-9)
        low, high = np.maximum(low, first - room), np.minimum(high, last + room)
        inside = ((places >= low) & (places <= high)).all(axis=1)
        if inside.any():
            low, high = places[inside].min(axis=0), places[inside].max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def ground_of(tree: TopicTree, ids: NDArray[np.int64], xy: NDArray[np.floating]) -> Ground:
    """The ground of a map: the points of each topic that has some, at all levels.

    Args:
        tree: the topics.
        ids: the papers of the map, (n,).
        xy: their places, (n, 2).
    """
    topics: dict[int, NDArray[np.int64]] = {}
    if len(tree.ids) and len(ids):
        at = np.minimum(np.searchsorted(tree.ids, ids), len(tree.ids) - 1)
        known = tree.ids[at] == ids
        for level in range(tree.levels):
            labels = np.where(known, tree.labels(level)[at], -1)
            order = np.argsort(labels, kind="stable")
            keys = [topic.id for topic in tree.at(level)]
            starts = np.searchsorted(labels[order], keys, "left")
            stops = np.searchsorted(labels[order], keys, "right")
            for key, start, stop in zip(keys, starts, stops, strict=True):
                if stop > start:
                    topics.setdefault(key, order[start:stop])
    return Ground(xy, topics, [topic.id for topic in tree.at(0)])
