"""Names beside the marks of papers, as many as fit without covering each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.theme import Theme

_GAP = 4.0
_CELL = 3
_TRIED = 1000
"""Papers whose names are tried; there is never room for more."""
_GROUND = 0.78
"""How much of the lines below a name is covered."""


Mark = tuple[int, float, float, float, str]
"""A paper's number, where its mark lies and how large it is in pixels, its name."""


class Room:
    """What is taken of a rectangle, in cells of a few pixels."""

    def __init__(self, width: float, height: float) -> None:
        self._cells = np.zeros((int(height / _CELL) + 2, int(width / _CELL) + 2), dtype=np.bool_)

    def _part(self, rect: QRectF) -> tuple[slice, slice]:
        top, left = max(0, int(rect.top() / _CELL)), max(0, int(rect.left() / _CELL))
        return (
            slice(top, max(0, int(rect.bottom() / _CELL) + 1)),
            slice(left, max(0, int(rect.right() / _CELL) + 1)),
        )

    def free(self, rect: QRectF) -> bool:
        """Whether nothing lies there yet."""
        return not self._cells[self._part(rect)].any()

    def take(self, rect: QRectF) -> None:
        """Nothing else may lie there."""
        self._cells[self._part(rect)] = True


class Labels(QWidget):
    """Lies over the drawing and lets the pointer through."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.shown: list[tuple[QRectF, str, int]] = []
        self._strong: frozenset[int] = frozenset()
        self._widths: dict[tuple[str, bool], float] = {}
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
    ) -> None:
        """Choose what is shown.

        Args:
            marks: what matters most first.
            strong: numbers of papers that are named before all others, in bold, over marks too.
            width: of the room.
            height: of the room.
        """
        bold = self._theme.font("small", bold=True)
        plain, heavy = QFontMetricsF(self._theme.font("small")), QFontMetricsF(bold)
        self._strong = strong
        marks = sorted(marks, key=lambda one: one[0] not in strong)
        taken = Room(width, height)
        self.shown = []
        for number, x, y, size, name in marks[:_TRIED]:
            if number in strong:
                self._try(taken, heavy, (number, x, y, size, name), width, height)
        for _number, x, y, size, _name in marks:
            taken.take(QRectF(x - size / 2, y - size / 2, size, size))
        for number, x, y, size, name in marks[:_TRIED]:
            if number not in strong:
                self._try(taken, plain, (number, x, y, size, name), width, height)
        self.update()

    def _try(
        self, taken: Room, metrics: QFontMetricsF, mark: Mark, width: float, height: float
    ) -> None:
        """Show a name at one side of its mark or the other, where it covers nothing."""
        number, x, y, size, name = mark
        wide = self._width(metrics, name, number in self._strong)
        tall = metrics.height()
        for left in (x + size / 2 + _GAP, x - size / 2 - _GAP - wide):
            rect = QRectF(left, y - tall / 2, wide, tall)
            inside = rect.left() >= 0 and rect.right() <= width and rect.top() >= 0
            if name and inside and rect.bottom() <= height and taken.free(rect):
                taken.take(rect)
                self.shown.append((rect, name, number))
                return

    def _width(self, metrics: QFontMetricsF, name: str, strong: bool) -> float:
        if (name, strong) not in self._widths:
            self._widths[name, strong] = metrics.horizontalAdvance(name)
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
