"""The heat map of clusters against labels: cells and names open their papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from litscape_app.window.words import plain_tooltip
from litscape_resources.palettes import palette_of

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from litscape.separation.records import HeatMap
    from litscape_app.window.theme import Theme

_LEFT, _TOP = 210, 44
_NARROW_LEFT, _UPRIGHT = 160, 132
"""Room of the clusters' names in narrow windows, and of labels' names that stand upright."""
_CELL, _LEAST, _HEIGHT = 92, 34, 38
_LEVEL, _NARROW = 76, 600
"""Cells that have room for a name above them, and windows that are narrow, in pixels."""
_PALE, _HALF = 0.02, 0.5
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
NAMES = -1
"""The row of the labels' names, and the column of the clusters'."""


class HeatView(QWidget):
    """A table of counts, each cell as strong as its share of the cluster."""

    opened = Signal(str, object)
    """A title and the papers, as a tuple of ids."""
    moved = Signal(QRect)
    """Where the cell is that the keyboard went to."""
    fitted = Signal()
    """It is as large now as the room asks for."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.heat: HeatMap | None = None
        self.current = (0, 0)
        self._room = _NARROW
        self.setAccessibleName("Clusters against labels")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        theme.changed.connect(self.update)

    def show_heat(self, heat: HeatMap | None) -> None:
        """Show another table."""
        self.heat, self.current = heat, (0, 0)
        self._fit()
        self._tell()

    def take_room(self, width: int) -> None:
        """Share another width, in pixels, among the cells."""
        if width != self._room:
            self._room = width
            self._fit()

    def _fit(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.fitted.emit()
        self.update()

    def sizeHint(self) -> QSize:
        """As large as all cells."""
        if self.heat is None:
            return QSize(0, 0)
        rows, columns = len(self.heat.clusters), len(self.heat.labels)
        return QSize(self._left() + columns * self._width() + 1, self._top() + rows * _HEIGHT + 1)

    def _left(self) -> int:
        return _NARROW_LEFT if self._room < _NARROW else _LEFT

    def _width(self) -> int:
        columns = len(self.heat.labels) if self.heat is not None else 1
        return max(_LEAST, min(_CELL, (self._room - 1 - self._left()) // max(1, columns)))

    def _top(self) -> int:
        return _TOP if self._width() >= _LEVEL else _UPRIGHT

    # -- places ----------------------------------------------------------------------------------

    def place(self, row: int, column: int) -> QRect:
        """Where a cell stands; :data:`NAMES` for a name."""
        width, names, above = self._width(), self._left(), self._top()
        left = 0 if column == NAMES else names + column * width
        top = 0 if row == NAMES else above + row * _HEIGHT
        return QRect(
            left, top, names if column == NAMES else width, above if row == NAMES else _HEIGHT
        )

    def at(self, point: QPoint) -> tuple[int, int] | None:
        """The cell under a point."""
        if self.heat is None:
            return None
        width, left, top = self._width(), self._left(), self._top()
        column = NAMES if point.x() < left else (point.x() - left) // width
        row = NAMES if point.y() < top else (point.y() - top) // _HEIGHT
        if row >= len(self.heat.clusters) or column >= len(self.heat.labels):
            return None
        return None if (row, column) == (NAMES, NAMES) else (row, column)

    def papers(self, row: int, column: int) -> tuple[str, tuple[int, ...]]:
        """What a cell stands for, and its papers."""
        assert self.heat is not None
        if row == NAMES:
            return self.heat.labels[column], self.heat.column_papers(column)
        if column == NAMES:
            return self.heat.clusters[row], self.heat.row_papers[row]
        name = f"{self.heat.labels[column]} in {self.heat.clusters[row]}"
        return name, self.heat.papers[row][column]

    def told(self, row: int, column: int) -> str:
        """A cell in words."""
        assert self.heat is not None
        name, papers = self.papers(row, column)
        number = "1 paper" if len(papers) == 1 else f"{len(papers):,} papers"
        if NAMES in (row, column):
            return f"{name}: {number}"
        cluster, label = self.heat.row_papers[row], self.heat.column_papers(column)
        return (
            f"{name}: {number}, {_share(papers, cluster)} of the cluster and "
            f"{_share(papers, label)} of the label"
        )

    # -- drawing ---------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Names, cells, and a frame around the cell that has the keyboard."""
        heat = self.heat
        if heat is None:
            return
        painter = QPainter(self)
        painter.setFont(self._theme.font("small"))
        for column in range(len(heat.labels)):
            self._name(painter, NAMES, column, heat.labels[column])
        for row in range(len(heat.clusters)):
            self._name(painter, row, NAMES, heat.clusters[row])
            for column in range(len(heat.labels)):
                if self.place(row, column).intersects(event.rect()):
                    self._cell(painter, row, column)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.colour("accent"), 2))
            painter.drawRect(self.place(*self.current).adjusted(1, 1, -1, -1))

    def _name(self, painter: QPainter, row: int, column: int, text: str) -> None:
        room = self.place(row, column).adjusted(6, 2, -6, -2)
        painter.setPen(self._theme.colour("text"))
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if row == NAMES and self._top() == _UPRIGHT:
            painter.save()
            painter.translate(room.left(), room.bottom())
            painter.rotate(-90)
            # Two lines need the whole width of the narrowest cells.
            upright = QRect(0, -6, room.height(), room.width() + 12)
            painter.drawText(upright, side, _two_lines(painter, text, upright.width()))
            painter.restore()
            return
        if row == NAMES:
            side = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        painter.drawText(room, side, _two_lines(painter, text, room.width()))

    def _cell(self, painter: QPainter, row: int, column: int) -> None:
        assert self.heat is not None
        papers = self.heat.papers[row][column]
        share = len(papers) / max(1, len(self.heat.row_papers[row]))
        place = self.place(row, column).adjusted(1, 1, -1, -1)
        colour = self._colour(share)
        painter.fillRect(place, colour)
        if papers:
            dark = colour.lightnessF() < _HALF
            painter.setPen(QColor("#ffffff" if dark else "#1a1a1a"))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{len(papers):,}")

    def _colour(self, share: float) -> QColor:
        """From the surface over the ramp of the map."""
        surface = self._theme.colour("surface")
        if share < _PALE:
            return surface
        ramp = palette_of(self._theme.tokens).ramp
        step = min(len(ramp) - 1, int(share * len(ramp)))
        strength = 0.3 + 0.7 * min(1.0, share * 2)
        return _mixed(surface, QColor(ramp[step]), strength)

    # -- pointer and keys ------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A hand over what can be opened."""
        over = self.at(event.position().toPoint())
        shape = Qt.CursorShape.ArrowCursor if over is None else Qt.CursorShape.PointingHandCursor
        self.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open what is clicked."""
        cell = self.at(event.position().toPoint())
        if cell is not None and event.button() is Qt.MouseButton.LeftButton:
            self._go(cell)
            self.open(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, Enter and Space open; the names stand before the first row and column."""
        key = Qt.Key(event.key())
        if self.heat is None:
            super().keyPressEvent(event)
        elif key in _STEPS:
            down, right = _STEPS[key]
            row, column = self.current[0] + down, self.current[1] + right
            rows, columns = len(self.heat.clusters), len(self.heat.labels)
            if NAMES <= row < rows and NAMES <= column < columns and (row, column) != (-1, -1):
                self._go((row, column))
                self.moved.emit(self.place(row, column))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.open(*self.current)
        else:
            super().keyPressEvent(event)

    def open(self, row: int, column: int) -> None:
        """Tell the papers of a cell, if it has any."""
        name, papers = self.papers(row, column)
        if papers:
            self.opened.emit(name, papers)

    def _go(self, cell: tuple[int, int]) -> None:
        self.current = cell
        self._tell()
        self.update()

    def _tell(self) -> None:
        self.setAccessibleDescription(self.told(*self.current) if self.heat is not None else "")

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show it no more."""
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """A cell in words under the pointer."""
        if isinstance(event, QHelpEvent):
            cell = self.at(event.pos())
            if cell is not None:
                QToolTip.showText(event.globalPos(), plain_tooltip(self.told(*cell)), self)
                return True
        return super().event(event)


def _share(part: tuple[int, ...], whole: tuple[int, ...]) -> str:
    return f"{100 * len(part) / max(1, len(whole)):.0f} %"


def _mixed(below: QColor, above: QColor, strength: float) -> QColor:
    def mix(one: float, other: float) -> float:
        return one + (other - one) * strength

    return QColor.fromRgbF(
        mix(below.redF(), above.redF()),
        mix(below.greenF(), above.greenF()),
        mix(below.blueF(), above.blueF()),
    )


def _two_lines(painter: QPainter, text: str, width: int) -> str:
    """A name in two lines at most, each cut where it is too long."""
    metrics = painter.fontMetrics()
    lines: list[str] = []
    for word in text.split():
        if lines and metrics.horizontalAdvance(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    kept = lines[:1] + ([" ".join(lines[1:])] if len(lines) > 1 else [])
    return "\n".join(metrics.elidedText(one, Qt.TextElideMode.ElideRight, width) for one in kept)
