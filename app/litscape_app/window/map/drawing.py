"""One frame of the map: points, density, lines, rings and names, onto a painter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from litscape.maps.labelling import Placer
from litscape_app.window.map import labels, raster
from litscape_app.window.map.contours import contours
from litscape_app.window.map.painting import (
    Discs,
    between,
    image_of,
    paint_lines,
    paint_outline,
    paint_rings,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QImage

    from litscape_app.window.map.camera import Camera
    from litscape_app.window.map.points import Points
    from litscape_app.window.theme import Theme

DENSE = 200_000
"""Points in view above which their density is drawn in place of each of them."""
FEW = 2_500
"""Points in view up to which each is drawn with an outline."""
_SMALLEST, _LARGEST = 1.35, 7.0
_COVERED = 0.2
"""Share of the screen that the points would cover, were they spread evenly."""
_GROWTH = 0.4
_SIZES = (0.75, 1.0, 1.4, 1.9, 2.6)
"""Radii of the sizes, as parts of that of points that have but one."""

_FRESH = 4
"""Names written for the first time in one frame, each of which takes some 2 ms; others follow."""

_RINGED = 30
"""Chosen papers up to which each has a ring; of more, the others are pale."""

_NO_PAIRS = np.empty((0, 2), dtype=np.int64)
_NONE = np.empty(0, dtype=np.int64)


@dataclass
class Drawing:
    """What is to be drawn; whoever changes the points or colours calls :meth:`renew`.

    Attributes:
        theme: the look.
        points: None while there are none.
        colours: ``#rrggbb`` of the codes of points from 1 on.
        sized: whether points have different sizes.
        names: that may be shown, of topics and of papers.
        links: pairs of numbers that cite one another, (m, 2).
        near: pairs of numbers that are like one another, (m, 2).
        chosen: numbers of the chosen papers.
        pointed: number of the paper under the pointer.
        current: number of the paper that keys act from.
        outline: of the region that is being drawn, in pixels.
        rectangle: whether that is a rectangle, given by its first and last corner.
        dense: whether lines of equal density are shown.
        taken: parts of the screen that names leave free.
        home: pixels of a unit when all is in view.
    """

    theme: Theme
    points: Points | None = None
    colours: Sequence[str] = ()
    sized: bool = False
    names: Sequence[labels.Name] = ()
    links: NDArray[np.int64] = field(default_factory=lambda: _NO_PAIRS)
    near: NDArray[np.int64] = field(default_factory=lambda: _NO_PAIRS)
    chosen: NDArray[np.int64] = field(default_factory=lambda: _NONE)
    pointed: int | None = None
    current: int | None = None
    outline: list[tuple[float, float]] = field(default_factory=list)
    rectangle: bool = False
    dense: bool = False
    taken: Sequence[QRectF] = ()
    home: float = 1.0

    def __post_init__(self) -> None:
        self._discs = Discs(self.theme)
        self._measure = labels.Measure(self.theme)
        self._image: tuple[object, QImage] | None = None
        self._contours: list[NDArray[np.float64]] | None = None
        self._table = raster.look_up(())
        self.placed: list[labels.Placed] = []
        self.unwritten = False
        self.placer = Placer(None)

    def renew(self, *, places: bool = False) -> None:
        """The points have other colours or sizes, or even other places."""
        self._image = None
        self._table = raster.look_up(self.colours)
        if places:
            self._contours = None

    def restyle(self) -> None:
        """The look changed."""
        self._discs.forget()
        self._measure.forget()
        self.renew()

    def radii(self, camera: Camera) -> tuple[float, ...]:
        """Radii of the sizes of points, logical pixels: they grow slowly as one comes nearer."""
        number = 1 if self.points is None else max(1, len(self.points))
        room = _COVERED * camera.width * camera.height
        base = float(np.clip(np.sqrt(room / (np.pi * number)), _SMALLEST, 5.0))
        near = max(1.0, camera.scale / max(self.home, 1e-12)) ** _GROWTH
        base = min(_LARGEST, base * near)
        return tuple(base * part for part in _SIZES) if self.sized else (base,)

    # -- painting ------------------------------------------------------------------------------

    def paint(self, painter: QPainter, camera: Camera, ratio: float) -> None:
        """Draw all of it."""
        painter.fillRect(0, 0, camera.width, camera.height, self.theme.colour("surface"))
        points = self.points
        if points is None or not len(points):
            return
        radii = self.radii(camera)
        if self.dense:
            self._paint_contours(painter, camera, points)
        self._paint_points(painter, camera, points, radii, ratio)
        self._paint_links(painter, camera, points)
        self._paint_rings(painter, camera, points, radii)
        self._paint_names(painter, camera, ratio)
        paint_outline(painter, self.theme, self.outline, self.rectangle)

    def _paint_points(
        self, painter: QPainter, camera: Camera, points: Points, radii: tuple[float, ...],
        ratio: float,
    ) -> None:  # fmt: skip
        seen = self.seen(camera)
        if seen <= FEW:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._discs.paint(painter, camera, points, self.colours, radii, ratio)
            return
        key = (camera, ratio, radii)
        if self._image is None or self._image[0] != key:
            x, y, codes, sizes = points.drawn
            if seen > DENSE:
                values = raster.density(camera, (x, y, codes), self._table)
            else:
                columns = (x, y, codes, sizes)
                values = raster.marks(camera, ratio, columns, radii, self._table)
            self._image = key, image_of(values, ratio)
        image = self._image[1]
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, seen > DENSE)
        painter.drawImage(QRectF(0, 0, camera.width, camera.height), image)

    def seen(self, camera: Camera) -> int:
        """How many points are in view."""
        if self.points is None:
            return 0
        x, y, *_rest = self.points.drawn
        if len(x) <= FEW:
            return len(x)
        left, bottom, right, top = camera.bounds
        inside = (x > left) & (x < right) & (y > bottom) & (y < top)
        return int(np.count_nonzero(inside))

    def _paint_contours(self, painter: QPainter, camera: Camera, points: Points) -> None:
        if self._contours is None:
            x, y, codes, _sizes = points.drawn
            full = codes > 1
            self._contours = contours(x[full], y[full]) if full.any() else []
        colour = self.theme.colour("mark")
        for number, ends in enumerate(self._contours):
            colour.setAlphaF(0.35 + 0.15 * number)
            paint_lines(painter, camera, ends, QPen(colour, 1.1))

    def _paint_links(self, painter: QPainter, camera: Camera, points: Points) -> None:
        colour = self.theme.colour("text")
        # Of thousands each is hardly seen: what many share is, and the papers below them.
        colour.setAlphaF(max(0.015, 0.4 * min(1.0, (30 / max(len(self.links), 1)) ** 0.65)))
        paint_lines(painter, camera, between(points, self.links), QPen(colour, 1.0))
        paint_lines(
            painter, camera, between(points, self.near), QPen(self.theme.colour("accent"), 1.4)
        )

    def _paint_rings(
        self, painter: QPainter, camera: Camera, points: Points, radii: tuple[float, ...]
    ) -> None:
        def radius(numbers: NDArray[np.int64]) -> float:
            return max(radii[min(int(size), len(radii) - 1)] for size in points.sizes[numbers])

        text, surface = self.theme.colour("text"), self.theme.colour("surface")
        if 0 < len(self.chosen) <= _RINGED:
            around, thin = radius(self.chosen) + 2, 1.8
            paint_rings(painter, camera, points, self.chosen, around, QPen(surface, thin + 2))
            paint_rings(painter, camera, points, self.chosen, around, QPen(text, thin))
        for number, token in ((self.current, "accent"), (self.pointed, "text")):
            if number is not None and number < len(points):
                one = np.array([number])
                pen = QPen(QColor(self.theme.colour(token)), 2.2)
                paint_rings(painter, camera, points, one, radius(one) + 3.5, pen)

    def _paint_names(self, painter: QPainter, camera: Camera, ratio: float) -> None:
        shown = labels.wanted(self.names, camera.scale / max(self.home, 1e-12))
        self._measure.fit(camera.width)
        self.placed = labels.place(shown, camera, self._measure, self.taken, self.placer)
        fresh = 0
        for one in self.placed:
            fresh += not self._measure.knows(one, ratio)
            if fresh <= _FRESH or self._measure.knows(one, ratio):
                self._measure.paint(painter, one, ratio)
        self.unwritten = fresh > _FRESH

    def name_at(self, at: QPointF) -> labels.Name | None:
        """The name that stands at a pixel."""
        for one in self.placed:
            if QRectF(*one.box).contains(at):
                return one.name
        return None
