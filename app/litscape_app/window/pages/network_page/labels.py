"""Names beside the marks of papers, as many as fit without covering each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from litscape_app.window.pages.network_page.arrows import HEAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from litscape_app.window.theme import Theme

_GAP = 4.0
_CELL = 3
_TRIED = 1000
"""Papers whose names are tried; there is never room for more."""
_STEPS = (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6)
"""Lines above or below its mark at which the name of a chosen paper may stand."""
_NEAR = 5
"""Of these, those at which it covers no arrow and no other chosen paper."""
_GROUND = 0.78
"""How much of the lines below a name is covered."""


Mark = tuple[int, float, float, float, str]
"""A paper's number, where its mark lies and how large it is in pixels, its name."""
Box = tuple[float, float, float, float]
"""Left, top, width and height in pixels."""


class Room:
    """What is taken of a rectangle, in cells of a few pixels."""

    def __init__(self, width: float, height: float) -> None:
        self._high, self._wide = int(height / _CELL) + 2, int(width / _CELL) + 2
        # Bytes are looked through faster than an array; thousands of names are tried.
        self._cells = bytearray(self._high * self._wide)

    def _rows(self, box: Box) -> Iterator[tuple[int, int]]:
        """Where the cells of a box begin and end, row by row."""
        left, top, wide, tall = box
        first = min(max(0, int(left / _CELL)), self._wide)
        last = min(max(0, int((left + wide) / _CELL) + 1), self._wide)
        for row in range(
            max(0, int(top / _CELL)), min(max(0, int((top + tall) / _CELL) + 1), self._high)
        ):
            yield row * self._wide + first, row * self._wide + last

    def free(self, box: Box) -> bool:
        """Whether nothing lies there yet."""
        return all(self._cells.find(1, first, last) < 0 for first, last in self._rows(box))

    def take(self, box: Box) -> None:
        """Nothing else may lie there."""
        for first, last in self._rows(box):
            self._cells[first:last] = b"\1" * (last - first)

    def take_marks(self, marks: Sequence[Mark]) -> None:
        """Nothing may lie on marks: all of them at once, for there are thousands."""
        if marks:
            self.take_spots(np.array([mark[1:4] for mark in marks]))

    def take_spots(self, told: NDArray[np.float64]) -> None:
        """Nothing may lie on some squares: (n, 3), the middle of each and how wide it is."""
        if not len(told):
            return
        half = told[:, 2] / 2
        first = np.floor((told[:, :2] - half[:, None]) / _CELL).astype(np.int64)
        last = np.floor((told[:, :2] + half[:, None]) / _CELL).astype(np.int64)
        cells = np.frombuffer(self._cells, dtype=np.uint8).reshape(self._high, self._wide)
        across, down = (last - first).max(axis=0).tolist()
        for right in range(across + 1):
            for below in range(down + 1):
                x, y = first[:, 0] + right, first[:, 1] + below
                there = (x <= last[:, 0]) & (y <= last[:, 1]) & (x >= 0) & (y >= 0)
                there &= (x < self._wide) & (y < self._high)
                cells[y[there], x[there]] = 1


class Labels(QWidget):
    """Lies over the drawing and lets the pointer through."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.shown: list[tuple[QRectF, str, int]] = []
        self._strong: frozenset[int] = frozenset()
        self._widths: dict[tuple[str, bool], float] = {}
        self._metrics: list[QFontMetricsF] = []
        theme.changed.connect(self._forget)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def _forget(self) -> None:
        """Fonts may be others now."""
        self._widths.clear()

    def place(
        self,
        marks: Sequence[Mark],
        strong: frozenset[int],
        width: float,
        height: float,
        heads: NDArray[np.float64],
    ) -> None:
        """Choose what is shown.

        Args:
            marks: what matters most first.
            strong: numbers of papers that are named before all others, in bold, over marks too.
            width: of the room.
            height: of the room.
            heads: (n, 2), the middles of heads of arrows, which names leave free where they can.
        """
        self._strong = strong
        # Plain ones, then bold ones.
        fonts = [self._theme.font("small", bold=bold) for bold in (False, True)]
        self._metrics = [QFontMetricsF(font) for font in fonts]
        names, pointed, taken = (Room(width, height) for _room in range(3))
        told = np.column_stack((heads, np.full(len(heads), HEAD)))
        pointed.take_spots(told)
        self.shown = []
        first = [mark for mark in marks if mark[0] in strong]
        pointed.take_marks(first)
        for mark in first[:_TRIED]:
            near = self._boxes(mark, width, height, _STEPS[:_NEAR])
            if not self._show(mark, near, names, pointed):
                self._show(mark, self._boxes(mark, width, height, _STEPS), names)
        for rect, _name, _number in self.shown:
            taken.take((rect.x(), rect.y(), rect.width(), rect.height()))
        taken.take_marks(marks)
        taken.take_spots(told)
        for mark in [one for one in marks if one[0] not in strong][:_TRIED]:
            self._show(mark, self._boxes(mark, width, height, _STEPS[:1]), taken)
        self.update()

    def _boxes(
        self, mark: Mark, width: float, height: float, steps: Sequence[int]
    ) -> Iterator[Box]:
        """Where a name may stand: at one side of its mark or the other, or some lines away."""
        number, x, y, size, name = mark
        strong = number in self._strong
        wide, tall = self._width(name, strong), self._metrics[strong].height()
        for step in steps if name else ():
            top = y + (step - 0.5) * tall
            for left in (x + size / 2 + _GAP, x - size / 2 - _GAP - wide):
                if left >= 0 and left + wide <= width and top >= 0 and top + tall <= height:
                    yield left, top, wide, tall

    def _show(self, mark: Mark, boxes: Iterable[Box], room: Room, *others: Room) -> bool:
        """Show a name at the first place where it covers nothing."""
        for box in boxes:
            if room.free(box) and all(other.free(box) for other in others):
                room.take(box)
                self.shown.append((QRectF(*box), mark[4], mark[0]))
                return True
        return False

    def _width(self, name: str, strong: bool) -> float:
        if (name, strong) not in self._widths:
            self._widths[name, strong] = self._metrics[strong].horizontalAdvance(name)
        return self._widths[name, strong]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Write the names."""
        painter = QPainter(self)
        ground = self._theme.colour("surface")
        ground.setAlphaF(_GROUND)
        for rect, name, number in self.shown:
            strong = number in self._strong
            painter.setFont(self._theme.font("small", bold=strong))
            painter.fillRect(rect, ground)
            painter.setPen(self._theme.colour("text" if strong else "muted"))
            painter.drawText(rect, Qt.TextFlag.TextDontClip.value, name)
        painter.end()
