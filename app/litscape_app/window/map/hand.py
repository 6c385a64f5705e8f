"""What pointer and keys do to the map: move it, zoom, choose, draw around papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from litscape_app.window.map.canvas import MapCanvas

MOVE, RECTANGLE, LASSO = "move", "rectangle", "lasso"
_REACH = 9.0
"""Pixels from a paper within which it is meant."""
_STARTS, _SPARSE = 4.0, 2.5
"""Pixels from which a press is a drag, and between the corners of a lasso."""
_DIRECTIONS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
_SHIFT, _ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
_CTRL = Qt.KeyboardModifier.ControlModifier


class Hand:
    """Reads events of a canvas; ``tool`` says what dragging does."""

    def __init__(self, canvas: MapCanvas) -> None:
        self._canvas = canvas
        self.tool = MOVE
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._drawing = self._moving = False

    def choose(self, tool: str) -> None:
        """Drag to move the map, or to draw a rectangle or lasso."""
        self.tool = tool
        self._cursor()

    def _cursor(self, *, over: bool = False) -> None:
        shape = Qt.CursorShape.ArrowCursor if self.tool == MOVE else Qt.CursorShape.CrossCursor
        if self._moving:
            shape = Qt.CursorShape.ClosedHandCursor
        elif over:
            shape = Qt.CursorShape.PointingHandCursor
        self._canvas.graphics.viewport().setCursor(shape)

    # -- the pointer -----------------------------------------------------------------------------

    def take(self, event: QEvent) -> bool:
        """Deal with an event of the viewport; whether that was done."""
        kind = event.type()
        if isinstance(event, QWheelEvent):
            self._wheel(event)
        elif isinstance(event, QContextMenuEvent):
            self._canvas.menu_wanted.emit(event.globalPos())
        elif isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self._canvas.zoom(1 + event.value(), event.position())
        elif isinstance(event, QGestureEvent):
            self._pinch(event)
        elif kind == QEvent.Type.Leave:
            self._point(None)
            return False
        elif isinstance(event, QMouseEvent):
            return self._mouse(event)
        else:
            return False
        return True

    def _mouse(self, event: QMouseEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            self._press(event)
        elif kind == QEvent.Type.MouseMove:
            self._move(event)
        elif kind == QEvent.Type.MouseButtonRelease:
            self._release(event)
        elif kind == QEvent.Type.MouseButtonDblClick:
            number = self._at(event.position())
            if number is not None:
                self._canvas.opened.emit(number)
        else:
            return False
        return True

    def _wheel(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        if turned:
            self._canvas.zoom(1.0015**turned, event.position())

    def _pinch(self, event: QGestureEvent) -> None:
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if isinstance(pinch, QPinchGesture):
            at = self._canvas.graphics.viewport().mapFromGlobal(pinch.centerPoint().toPoint())
            self._canvas.zoom(pinch.scaleFactor(), QPointF(at))
            event.accept(pinch)

    def _press(self, event: QMouseEvent) -> None:
        self._canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        button = event.button()
        if button == Qt.MouseButton.RightButton:
            return
        self._pressed = self._last = event.position()
        self._moving = self._drawing = False
        draws = self.tool != MOVE or bool(event.modifiers() & (_SHIFT | _ALT))
        self._draws = draws and button == Qt.MouseButton.LeftButton

    def _move(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed is None:
            self._point(at)
            return
        canvas = self._canvas
        if not (self._moving or self._drawing):
            if (at - self._pressed).manhattanLength() < _STARTS:
                return
            self._point(None)
            self._moving, self._drawing = not self._draws, self._draws
            if self._drawing:
                canvas.drawing.rectangle = self.tool == RECTANGLE
                canvas.drawing.outline = [(self._pressed.x(), self._pressed.y())]
            self._cursor()
        if self._moving:
            canvas.pan(at.x() - self._last.x(), at.y() - self._last.y())
            self._last = at
        elif (at - self._last).manhattanLength() >= _SPARSE:
            outline = canvas.drawing.outline
            del outline[1 if canvas.drawing.rectangle else len(outline) :]
            outline.append((at.x(), at.y()))
            self._last = at
            canvas.redraw()

    def _release(self, event: QMouseEvent) -> None:
        canvas, pressed = self._canvas, self._pressed
        moved, drawn = self._moving, self._drawing
        self._pressed, self._moving, self._drawing = None, False, False
        self._cursor()
        if drawn:
            self._enclose(event.modifiers())
        elif pressed is not None and not moved and event.button() == Qt.MouseButton.LeftButton:
            name = canvas.drawing.name_at(event.position())
            number = self._at(event.position())
            if number is None and name is not None:
                canvas.named.emit(name.key, event.modifiers())
            else:
                canvas.picked.emit(-1 if number is None else number, event.modifiers())

    def _enclose(self, modifiers: Qt.KeyboardModifier) -> None:
        canvas = self._canvas
        drawing, camera = canvas.drawing, canvas.camera
        outline, drawing.outline = drawing.outline, []
        canvas.redraw()
        if drawing.points is None:
            return
        places = np.array([camera.place(*spot) for spot in outline])
        if drawing.rectangle:
            (left, bottom), (right, top) = places.min(axis=0), places.max(axis=0)
            numbers = drawing.points.within(left, bottom, right, top)
        else:
            numbers = drawing.points.enclosed(places)
        how = "less" if modifiers & _ALT else "more" if modifiers & _SHIFT else "only"
        canvas.enclosed.emit(numbers, how)

    def _at(self, at: QPointF) -> int | None:
        """The paper at a pixel."""
        canvas = self._canvas
        points, camera = canvas.drawing.points, canvas.camera
        if points is None:
            return None
        reach = max(_REACH, canvas.drawing.radii(camera)[-1] + 2)
        return points.nearest(camera, (at.x(), at.y()), reach)

    def _point(self, at: QPointF | None) -> None:
        """Tell which paper is under the pointer, if that changed."""
        canvas = self._canvas
        number = self._at(at) if at is not None else None
        name = canvas.drawing.name_at(at) if at is not None and number is None else None
        self._cursor(over=number is not None or name is not None)
        if number != canvas.drawing.pointed:
            canvas.drawing.pointed = number
            canvas.redraw()
            canvas.pointed.emit(number)

    # -- keys ------------------------------------------------------------------------------------

    def key(self, event: QKeyEvent) -> bool:
        """Deal with a key; whether it means something here."""
        canvas, key = self._canvas, Qt.Key(event.key())
        points = canvas.drawing.points
        if points is None or not len(points):
            return False
        modifiers = event.modifiers()
        if key in _DIRECTIONS:
            if modifiers & _CTRL:
                canvas.pan_by_key(*_DIRECTIONS[key])
            else:
                self._step(*_DIRECTIONS[key], modifiers)
        elif event.text() in ("+", "=", "-", "−"):
            canvas.zoom_by_key(event.text() in "+=")
        elif event.text() == "0" and not modifiers & _CTRL:
            canvas.fit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and canvas.drawing.current is not None:
            canvas.opened.emit(canvas.drawing.current)
        elif key == Qt.Key.Key_A and modifiers & _CTRL:
            canvas.all_wanted.emit()
        elif key == Qt.Key.Key_Escape:
            canvas.none_wanted.emit()
        else:
            return self._menu_key(key, modifiers)
        return True

    def _menu_key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        wanted = key == Qt.Key.Key_Menu or (key == Qt.Key.Key_F10 and bool(modifiers & _SHIFT))
        if wanted:
            canvas = self._canvas
            canvas.menu_wanted.emit(canvas.mapToGlobal(canvas.rect().center()))
        return wanted

    def _step(self, across: int, up: int, modifiers: Qt.KeyboardModifier) -> None:
        """Go to the next paper in a direction; to the middle one where none is current."""
        canvas = self._canvas
        points, current = canvas.drawing.points, canvas.drawing.current
        if points is None:
            return
        start = points.middle(canvas.camera) if current is None else current
        if start is None:
            return
        number = start if current is None else points.next_to(start, across, up)
        if number is not None:
            canvas.bring(number)
            canvas.picked.emit(number, modifiers & _SHIFT)
