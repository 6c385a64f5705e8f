"""The whole map in a corner, with a frame around what is seen; dragging moves the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from litscape_app.window.map import raster
from litscape_app.window.map.camera import Camera
from litscape_app.window.map.painting import image_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.map.points import Points
    from litscape_app.window.theme import Theme

SIZE = QSize(156, 112)
_NEAR = 1.25
"""How much nearer than the whole map one must be, for it to be shown."""


class Minimap(QWidget):
    """Shows where one is."""

    gone_to = Signal(float, float)
    """A place of the map to have in the middle."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._theme = theme
        self.setFixedSize(SIZE)
        self.setAccessibleName("The whole map")
        self.setToolTip("What is in view; click or drag to go elsewhere")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.wanted = True
        self._camera: Camera | None = None
        self._whole: Camera | None = None
        self._image: QImage | None = None
        self.hide()

    def draw(self, points: Points, colours: Sequence[str]) -> None:
        """Draw other points or colours."""
        left, bottom, right, top = points.extent()
        wide, tall = max(right - left, 1e-6), max(top - bottom, 1e-6)
        scale = min((SIZE.width() - 12) / wide, (SIZE.height() - 12) / tall)
        self._whole = Camera(
            (left + right) / 2 - SIZE.width() / 2 / scale,
            (bottom + top) / 2 + SIZE.height() / 2 / scale,
            scale, SIZE.width(), SIZE.height(),
        )  # fmt: skip
        ratio = self.devicePixelRatioF()
        radius = float(np.clip(9 / max(len(points), 1) ** 0.3, 0.6, 2))
        values = raster.marks(self._whole, ratio, points.drawn, (radius,), raster.look_up(colours))
        self._image = image_of(values, ratio)
        self.update()

    def follow(self, camera: Camera, home: float) -> None:
        """Frame what is in view; gone while that is all of the map."""
        self._camera = camera
        self.setVisible(self.wanted and self._whole is not None and camera.scale > _NEAR * home)
        parent = self._over
        self.move(parent.width() - SIZE.width() - 10, parent.height() - SIZE.height() - 10)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The points, pale, and the frame."""
        painter = QPainter(self)
        ground = self._theme.colour("background")
        ground.setAlphaF(0.92)
        painter.setPen(QPen(self._theme.colour("line"), 1))
        painter.setBrush(ground)
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        if self._image is not None:
            painter.setOpacity(0.75)
            painter.drawImage(0, 0, self._image)
            painter.setOpacity(1)
        if self._camera is not None and self._whole is not None:
            left, bottom, right, top = self._camera.bounds
            (x, y), (to_x, to_y) = self._whole.spot(left, top), self._whole.spot(right, bottom)
            frame = QRectF(x, y, max(4.0, to_x - x), max(4.0, to_y - y))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.colour("accent"), 1.6))
            painter.drawRect(frame.intersected(QRectF(self.rect()).adjusted(1, 1, -2, -2)))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go there."""
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go along."""
        if event.buttons() & Qt.MouseButton.LeftButton and self._whole is not None:
            at = event.position()
            self.gone_to.emit(*self._whole.place(at.x(), at.y()))
