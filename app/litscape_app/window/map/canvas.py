"""The map as a widget: pyqtgraph keeps what is in view, one item paints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from litscape_app.window.map.camera import Camera
from litscape_app.window.map.drawing import Drawing
from litscape_app.window.map.hand import Hand
from litscape_app.window.widgets.basics import vertical

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from litscape_app.window.map.points import Points
    from litscape_app.window.theme import Theme

_ROOM = 16.0
"""Pixels left free around the map when all is in view."""
_NEAREST, _FURTHEST = 3_000.0, 0.35
_STEP, _PAN = 1.3, 0.15


class _Item(QGraphicsItem):
    """Hands the painting of the whole view to a function, in the view's pixels."""

    def __init__(self, paint: Callable[[QPainter], None]) -> None:
        super().__init__()
        self._paint = paint
        self.rect = QRectF()

    def boundingRect(self) -> QRectF:
        """All of the view."""
        return self.rect

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        """Draw one frame."""
        self._paint(painter)


class MapCanvas(QWidget):
    """Shows a :class:`Drawing`; pyqtgraph must have been imported, which takes long, elsewhere."""

    pointed = Signal(object)
    """Number of the paper under the pointer, or None."""
    picked = Signal(int, object)
    """Number of a paper that was clicked or stepped to, and the modifiers; -1 for the ground."""
    opened = Signal(int)
    """Number of a paper that was double clicked, or Enter pressed on."""
    enclosed = Signal(object, str)
    """Numbers of the papers in a region that was drawn, and ``only``, ``more`` or ``less``."""
    named = Signal(int, object)
    """Key of a name that was clicked, and the modifiers."""
    menu_wanted = Signal(QPoint)
    """A place on screen for the menu of the chosen papers."""
    all_wanted = Signal()
    """Choose everything that is shown."""
    none_wanted = Signal()
    """Choose nothing, or leave where nothing is chosen."""
    moved = Signal(object)
    """The :class:`Camera`, once what is in view has settled."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        import pyqtgraph as pg

        self._theme = theme
        self._pg = pg
        self.drawing = Drawing(theme)
        self.graphics: Any = pg.GraphicsView(background=None)
        self.view: Any = pg.ViewBox(lockAspect=True, enableMenu=False, enableMouse=False)
        self.graphics.setCentralItem(self.view)
        self.item = _Item(self._paint)
        self.item.setParentItem(self.view)
        self.hand = Hand(self)
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(120)
        self._settled.timeout.connect(lambda: self.moved.emit(self.camera))
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(0)
        self._rest.timeout.connect(self.redraw)
        self.fitted = True
        self._build()
        theme.changed.connect(self._restyle)

    def _build(self) -> None:
        self.setAccessibleName("Map of papers")
        self.setAccessibleDescription(
            "Arrow keys go to the next paper in a direction, with Ctrl they move the map; plus and "
            "minus zoom, 0 shows all; Enter opens the paper, Ctrl+A chooses all that are shown."
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        graphics = self.graphics
        graphics.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        graphics.setFrameShape(graphics.Shape.NoFrame)
        graphics.setAntialiasing(False)
        graphics.setAccessibleName("Papers")
        viewport = graphics.viewport()
        viewport.setMouseTracking(True)
        viewport.grabGesture(Qt.GestureType.PinchGesture)
        viewport.installEventFilter(self)
        self.view.sigRangeChanged.connect(lambda *_range: self._ranged())
        self.view.sigResized.connect(lambda *_size: self._resized())
        vertical(self, graphics, margins=(1, 1, 1, 1))

    # -- what is in view -----------------------------------------------------------------------

    @property
    def camera(self) -> Camera:
        """What is in view now."""
        (left, right), (_bottom, top) = self.view.viewRange()
        width, height = max(1.0, self.view.width()), max(1.0, self.view.height())
        scale = width / max(right - left, 1e-12)
        return Camera(left, top, scale, round(width), round(height))

    def show_points(self, points: Points | None, *, keep: bool = False) -> None:
        """Draw other points, all in view unless what is in view is to be kept."""
        self.drawing.points = points
        self.drawing.pointed = self.drawing.current = None
        self.drawing.renew(places=True)
        if keep:
            self.measure()
        else:
            self.fit()
        self.redraw()

    def measure(self) -> None:
        """Know what it would take to have all in view."""
        points = self.drawing.points
        if points is not None:
            self.drawing.home = self._home_scale(points)

    def _home_scale(self, points: Points) -> float:
        """Pixels of a unit of the map when all but a few far strays are in view."""
        left, bottom, right, top = points.extent()
        wide, tall = max(right - left, 1e-6), max(top - bottom, 1e-6)
        if wide < 1e-5 and tall < 1e-5:
            wide = tall = 1.0
        room = [max(1.0, side - 2 * _ROOM) for side in (self.view.width(), self.view.height())]
        return float(min(room[0] / wide, room[1] / tall))

    def fit(self) -> None:
        """Show all of the map."""
        points = self.drawing.points
        if points is None:
            return
        left, bottom, right, top = points.extent()
        scale = self._home_scale(points)
        x, y = (left + right) / 2, (bottom + top) / 2
        wide, tall = self.view.width() / scale / 2, self.view.height() / scale / 2
        self.view.setRange(xRange=(x - wide, x + wide), yRange=(y - tall, y + tall), padding=0)
        self.measure()
        self.fitted = True

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Come nearer by a factor, or go away, with the place at a pixel kept where it is."""
        camera = self.camera
        wanted = camera.scale * factor
        low, high = self.drawing.home * _FURTHEST, self.drawing.home * _NEAREST
        factor = min(max(wanted, min(low, camera.scale)), max(high, camera.scale)) / camera.scale
        spot = (at.x(), at.y()) if at is not None else (camera.width / 2, camera.height / 2)
        centre = self._pg.Point(*camera.place(*spot))
        self.view.scaleBy((1 / factor, 1 / factor), center=centre)
        self.fitted = False
        points, camera = self.drawing.points, self.camera
        if factor > 1 and points is not None and not len(points.within(*camera.bounds)):
            nearest = points.middle(camera)  # nobody comes near to see no paper
            if nearest is not None:
                self.bring(nearest)

    def pan(self, across: float, down: float) -> None:
        """Move the map by pixels."""
        scale = self.camera.scale
        self.view.translateBy(x=-across / scale, y=down / scale)
        self.fitted = False

    def look_at(self, left: float, bottom: float, right: float, top: float) -> None:
        """Bring a part of the map into view, with some room around it."""
        wide, tall = max(right - left, 1e-6), max(top - bottom, 1e-6)
        self.view.setRange(
            xRange=(left - 0.2 * wide, right + 0.2 * wide),
            yRange=(bottom - 0.2 * tall, top + 0.2 * tall), padding=0,
        )  # fmt: skip
        self.fitted = False

    def bring(self, number: int) -> None:
        """Move the map so that a paper is in view, if it is not."""
        points, camera = self.drawing.points, self.camera
        if points is None:
            return
        x, y = float(points.x[number]), float(points.y[number])
        across, down = camera.spot(x, y)
        if not (12 < across < camera.width - 12 and 12 < down < camera.height - 12):
            self.pan(camera.width / 2 - across, camera.height / 2 - down)

    def redraw(self) -> None:
        """Draw a new frame soon."""
        self.item.update()

    def _ranged(self) -> None:
        self.redraw()
        self._settled.start()

    def _resized(self) -> None:
        self.item.prepareGeometryChange()
        self.item.rect = QRectF(0, 0, self.view.width(), self.view.height())
        if self.fitted:
            self.fit()
        else:
            self.measure()
        self._ranged()

    def _paint(self, painter: QPainter) -> None:
        device = painter.device()
        ratio = device.devicePixelRatioF() if device is not None else 1.0
        self.drawing.paint(painter, self.camera, ratio)
        if self.drawing.unwritten:
            self._rest.start()

    def _restyle(self) -> None:
        self.drawing.restyle()
        self.redraw()

    # -- pointer and keys ----------------------------------------------------------------------

    def eventFilter(self, _watched: Any, event: QEvent) -> bool:
        """All that the pointer does is the hand's."""
        return self.hand.take(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What lies over the map has to move."""
        super().resizeEvent(event)
        self._settled.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys go from paper to paper and move the map."""
        if not self.hand.key(event):
            super().keyPressEvent(event)

    def pan_by_key(self, across: int, up: int) -> None:
        """Move what is in view in a direction."""
        camera = self.camera
        self.pan(-across * _PAN * camera.width, up * _PAN * camera.height)

    def zoom_by_key(self, nearer: bool) -> None:
        """Come nearer, or go away, by a step."""
        self.zoom(_STEP if nearer else 1 / _STEP)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard is here: a line around the map says so."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard is elsewhere."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line around a map that has the keyboard."""
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(QPen(self._theme.colour("accent"), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            painter.end()
