"""What is painted over the points: lines of density, links, rings, the outline that is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap, QPolygonF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape_app.window.map.camera import Camera
    from litscape_app.window.map.points import Points
    from litscape_app.window.theme import Theme

_SMOOTH_LINES = 700
"""Lines up to which they are drawn with smooth edges, which takes ten times as long."""
_RINGS = 400


def image_of(values: NDArray[np.uint32], ratio: float) -> QImage:
    """Premultiplied values (height, width) as an image that owns them."""
    values = np.ascontiguousarray(values)
    height, width = values.shape
    image = QImage(
        values.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied
    ).copy()
    image.setDevicePixelRatio(ratio)
    return image


class Discs:
    """Single points with an outline of their own, for when few are seen."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._known: dict[tuple[str, float, float, bool], QPixmap] = {}

    def forget(self) -> None:
        """The look changed."""
        self._known.clear()

    def paint(
        self, painter: QPainter, camera: Camera, points: Points, colours: Sequence[str],
        radii: Sequence[float], ratio: float,
    ) -> None:  # fmt: skip
        """Draw all points that are seen, pale ones below."""
        x, y, codes, sizes = points.drawn
        across, down = camera.screen(x, y)
        edge = max(radii) + 2
        seen = (across > -edge) & (across < camera.width + edge)
        seen &= (down > -edge) & (down < camera.height + edge)
        told = (part[seen].tolist() for part in (across, down, codes, sizes))
        draw, drawn = painter.drawPixmap, self._disc
        for at_x, at_y, code, size in zip(*told, strict=True):
            radius = radii[min(size, len(radii) - 1)]
            disc = drawn(colours[code - 1], radius, ratio, code == 1)
            half = disc.width() / ratio / 2
            draw(QPointF(at_x - half, at_y - half), disc)

    def _disc(self, colour: str, radius: float, ratio: float, pale: bool) -> QPixmap:
        radius = round(radius * 4) / 4
        key = (colour, radius, ratio, pale)
        if key not in self._known:
            if len(self._known) > 400:
                self._known.clear()
            side = int(np.ceil(2 * radius * ratio)) + 4
            disc = QPixmap(side, side)
            disc.setDevicePixelRatio(ratio)
            disc.fill(Qt.GlobalColor.transparent)
            painter = QPainter(disc)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            edge = self._theme.colour("surface")
            painter.setPen(QPen(edge, 0.9) if radius > 2 else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour))
            painter.drawEllipse(QPointF(side / ratio / 2, side / ratio / 2), radius, radius)
            painter.end()
            self._known[key] = disc
        return self._known[key]


def paint_lines(painter: QPainter, camera: Camera, ends: NDArray[np.floating], pen: QPen) -> None:
    """Draw lines between places of the map, (m, 4): x and y of both ends."""
    if not len(ends):
        return
    ax, ay = camera.screen(ends[:, 0], ends[:, 1])
    bx, by = camera.screen(ends[:, 2], ends[:, 3])
    seen = (np.maximum(ax, bx) > 0) & (np.minimum(ax, bx) < camera.width)
    seen &= (np.maximum(ay, by) > 0) & (np.minimum(ay, by) < camera.height)
    told = zip(*(part[seen].tolist() for part in (ax, ay, bx, by)), strict=True)
    lines = [QLineF(*line) for line in told]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(lines) <= _SMOOTH_LINES)
    painter.setPen(pen)
    painter.drawLines(lines)


def between(points: Points, pairs: NDArray[np.int64]) -> NDArray[np.float32]:
    """Lines between points, (m, 4), for pairs of their numbers, (m, 2)."""
    one, other = pairs[:, 0], pairs[:, 1]
    return np.column_stack((points.x[one], points.y[one], points.x[other], points.y[other]))


def paint_rings(
    painter: QPainter, camera: Camera, points: Points, numbers: NDArray[np.int64],
    radius: float, pen: QPen,
) -> None:  # fmt: skip
    """Draw a ring around each of some points, unless they are very many."""
    if not len(numbers) or len(numbers) > _RINGS:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    across, down = camera.screen(points.x[numbers], points.y[numbers])
    for at_x, at_y in zip(across.tolist(), down.tolist(), strict=True):
        painter.drawEllipse(QPointF(at_x, at_y), radius, radius)


def paint_outline(
    painter: QPainter, theme: Theme, outline: Sequence[tuple[float, float]], rectangle: bool
) -> None:
    """Draw the rectangle or lasso that is being drawn, in pixels."""
    if len(outline) < 2:
        return
    ground = theme.colour("accent")
    painter.setPen(QPen(ground, 1.4, Qt.PenStyle.DashLine))
    ground.setAlphaF(0.09)
    painter.setBrush(ground)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if rectangle:
        painter.drawRect(QRectF(QPointF(*outline[0]), QPointF(*outline[-1])).normalized())
    else:
        painter.drawPolygon(QPolygonF([QPointF(*spot) for spot in outline]))
