"""The drawing itself: one item of marks, two of lines, names above them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QCursor,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from litscape_app.window.pages.network_page.arrows import arrows
from litscape_app.window.pages.network_page.gathering import Network, Part
from litscape_app.window.pages.network_page.labels import Labels
from litscape_app.window.widgets.basics import vertical
from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape_app.window.theme import Theme

COLOURS = {
    Part.CHOSEN: "accent",
    Part.CITED: "good",
    Part.CITING: "warn",
    Part.COCITED: "surface",
}
_FEWEST_PIXELS = 46
_SMOOTH, _SMOOTH_ARROWS = 1_500, 600
"""Links up to which they, and those with arrows, are drawn with smooth edges."""
_AXIS_ROOM, _NAMED = 28, 30
"""Pixels below the drawing; chosen papers up to which all are named."""
_LARGEST = (6.0, 18.0)
"""Pixels of the largest mark, where papers stand close and where they don't."""
_SMALLEST, _CHOSEN = 5.0, 12.0
_DIRECTIONS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class NetworkPlot(QWidget):
    """Draws a :class:`Network`; pyqtgraph must have been imported, which takes long, elsewhere."""

    picked = Signal(int)
    """Number of a paper that was clicked, or stepped to."""
    opened = Signal(int)
    """Number of a paper that was double clicked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        import pyqtgraph as pg

        self._theme = theme
        self.network: Network | None = None
        self.marked: int | None = None
        self._largest = _LARGEST[1]
        self._aside = 1.0
        self._heads: NDArray[np.float64] = np.empty((0, 2))
        self._pg = pg
        self.plot: Any = pg.PlotWidget(background=None)
        self._item = self.plot.getPlotItem()
        self.view: Any = self._item.getViewBox()
        self.far: Any = pg.PlotCurveItem(connect="pairs", skipFiniteCheck=True)
        self.near: Any = pg.PlotCurveItem(connect="pairs", skipFiniteCheck=True, antialias=True)
        self.marks: Any = pg.ScatterPlotItem(pxMode=True, hoverable=True, tip=None, antialias=True)
        self.labels = Labels(theme, self.plot.viewport())
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._moved)
        self._build()
        theme.changed.connect(self._restyle)

    def _build(self) -> None:
        self.setAccessibleName("Citations by year")
        self.setAccessibleDescription(
            "Arrow keys go from paper to paper, Enter shows the citations of one, "
            "0 shows all of the drawing."
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setFrameShape(self.plot.Shape.NoFrame)
        item = self._item
        item.hideButtons()
        item.setMenuEnabled(False)
        item.hideAxis("left")
        self.view.setMouseEnabled(x=True, y=True)
        self.axis: Any = item.getAxis("bottom")
        self.axis.enableAutoSIPrefix(False)
        for part in (self.far, self.near, self.marks):
            item.addItem(part)
        self.far.setZValue(-2)
        self.near.setZValue(-1)
        self.marks.sigClicked.connect(self._clicked)
        self.marks.sigHovered.connect(self._hovered)
        # Qt tells of one move several times; what follows from it is drawn once.
        self.view.sigRangeChanged.connect(lambda *_range: self._soon.start())
        self.view.sigResized.connect(lambda *_size: self._soon.start())
        self.plot.viewport().installEventFilter(self)
        vertical(self, self.plot, margins=(1, 1, 1, 1))
        self._restyle()

    # -- showing -------------------------------------------------------------------------------

    def show_network(self, network: Network) -> None:
        """Draw other papers, all in view."""
        self.network = network
        self.marked = None
        self._aside = network.aside
        self.fit()
        self._largest = self._largest_mark()  # known first, so that all is drawn once
        self._size = self._sizes(network)
        self._draw()

    def mark(self, number: int | None) -> None:
        """Set one paper off from the others; its links are drawn before those of others."""
        if number != self.marked:
            self.marked = number
            self._draw()
            self._soon.start()

    def number_of(self, paper: int) -> int | None:
        """The number of a paper in the drawing."""
        if self.network is None:
            return None
        found = np.flatnonzero(self.network.ids == paper)
        return int(found[0]) if len(found) else None

    def fit(self) -> None:
        """Show all of the drawing."""
        if self.network is None or not len(self.network):
            return
        places = self.network.places
        (left, low), (right, high) = places.min(axis=0), places.max(axis=0)
        wide, tall = max(right - left, 2.0), max(high - low, 3.0)
        # Names stand at the right of their marks.
        self.view.setRange(
            xRange=(left - 0.04 * wide - 0.3, right + 0.14 * wide + 0.3),
            yRange=(low - 0.06 * tall - 0.3, high + 0.06 * tall + 0.3),
            padding=0,
        )
        self._soon.start()

    def _restyle(self) -> None:
        self.plot.setBackground(self._theme.colour("surface"))
        self.axis.setPen(_pen(self._theme.colour("line"), 1))
        self.axis.setTextPen(QPen(self._theme.colour("muted")))
        self.axis.setStyle(tickFont=self._theme.font("small"), tickLength=4)
        self._draw()

    def _sizes(self, network: Network) -> NDArray[np.float64]:
        # Few different sizes: each is drawn once and then copied.
        cited = network.cited.astype(np.float64)
        sizes = np.asarray(
            np.minimum(_SMALLEST + 2.2 * np.log1p(cited), self._largest).round(), np.float64
        )
        sizes[network.parts == Part.CHOSEN] = max(
            self._largest - 2, min(_CHOSEN, self._largest + 4)
        )
        return sizes

    def _largest_mark(self) -> float:
        """Pixels of the largest mark that covers none above and below, nor in the next stack."""
        wide, tall = self.view.viewPixelSize()
        apart = min(1 / max(tall, 1e-9), self._aside / max(wide, 1e-9))
        return float(np.clip(2 * (apart // 2), *_LARGEST))

    def _fit_marks(self, network: Network) -> None:
        """Make marks as large as they can be without covering those above and below."""
        largest = self._largest_mark()
        if largest != self._largest:
            self._largest = largest
            self._size = self._sizes(network)
            self._draw()

    def _draw(self) -> None:
        network = self.network
        if network is None:
            return
        colour = self._theme.colour
        brushes = {part: QBrush(colour(name)) for part, name in COLOURS.items()}
        edge, ring = _pen(colour("surface"), 1), _pen(colour("text"), 2.5)
        hollow = _pen(colour("mark"), 1.6)
        if self._largest <= _LARGEST[0]:
            edge = _pen(colour("surface"), 0.4)
        parts = network.parts.tolist()
        pens = [hollow if part == Part.COCITED else edge for part in parts]
        if self.marked is not None:
            pens[self.marked] = ring
        # What matters most comes last, so that it lies above the others.
        order = np.arange(len(network))[::-1]
        if self.marked is not None:
            order = np.append(order[order != self.marked], self.marked)
        self.marks.setData(
            x=network.places[order, 0],
            y=network.places[order, 1],
            size=self._size[order],
            brush=[brushes[Part(parts[number])] for number in order],
            pen=[pens[number] for number in order],
            data=order,
        )
        self._near = self._is_near(network)
        far = network.links[~self._near]
        faint = colour("mark")
        faint.setAlphaF(_strength(len(far), 0.5))
        self.far.setPen(_pen(faint, 1))
        ends = network.places[far.ravel()]
        self.far.setData(ends[:, 0], ends[:, 1], antialias=len(far) <= _SMOOTH)
        strong = colour("mark" if self.marked is None else "accent")
        strong.setAlphaF(_strength(int(self._near.sum()), 1.0))
        self.near.setPen(_pen(strong, 1))

    def _is_near(self, network: Network) -> NDArray[np.bool_]:
        """Which links have an arrow: those of the marked paper, else of the chosen ones."""
        if self.marked is not None:
            near: NDArray[np.bool_] = (network.links == self.marked).any(axis=1)
        else:
            near = (network.parts[network.links] == Part.CHOSEN).any(axis=1)
        return near

    # -- what depends on the range -----------------------------------------------------------------

    def _moved(self) -> None:
        network = self.network
        if network is None or not len(network):
            return
        self._fit_marks(network)
        self._draw_near(network)
        self._name_years()
        self._name_papers(network)

    def _draw_near(self, network: Network) -> None:
        """Arrows: their heads keep their size, and end at the edge of a mark."""
        links = network.links[self._near]
        pieces, self._heads = arrows(
            network.places[links[:, 0]], network.places[links[:, 1]],
            self._size[links[:, 1]], np.array(self.view.viewPixelSize()),
        )  # fmt: skip
        self.near.setData(pieces[:, 0], pieces[:, 1], antialias=len(links) <= _SMOOTH_ARROWS)

    def _name_years(self) -> None:
        network = self.network
        if network is None:
            return
        (left, right), _heights = self.view.viewRange()
        pixels = max(self.view.width(), 1)
        step = max(1, int(np.ceil((right - left) * _FEWEST_PIXELS / pixels)))
        step = next((one for one in (1, 2, 5, 10, 20, 50, 100) if one >= step), 500)
        first, gap = int(np.ceil(left / step)) * step, network.undated
        years = [
            (float(year), str(year))
            for year in range(first, int(right) + 1, step)
            if gap is None or year > gap + 1
        ]
        if gap is not None:
            years.append((gap, "no year"))
        self.axis.setTicks([years])

    def _name_papers(self, network: Network) -> None:
        plot = self.plot
        self.labels.resize(plot.viewport().size())
        scene = self.view.mapViewToScene
        origin, one = scene(self._point(0, 0)), scene(self._point(1, 1))
        scale = np.array((one.x() - origin.x(), one.y() - origin.y()))
        spots = network.places * scale + np.array((origin.x(), origin.y()))
        width, height = plot.viewport().width(), plot.viewport().height() - _AXIS_ROOM
        inside = (spots > -40).all(axis=1) & (spots < (width + 40, height + 40)).all(axis=1)
        numbers = np.flatnonzero(inside)
        told = (numbers.tolist(), *spots[numbers].T.tolist(), self._size[numbers].tolist())
        marks = [
            (number, x, y, size, network.labels[number])
            for number, x, y, size in zip(*told, strict=True)
        ]
        heads = self._heads * scale + np.array((origin.x(), origin.y()))
        # Names of a few are written over marks; those of many would hide what is below.
        strong = np.flatnonzero(network.parts == Part.CHOSEN).tolist()
        strong = strong if len(strong) <= _NAMED else []
        if self.marked is not None:
            strong.append(self.marked)
        self.labels.place(marks, frozenset(strong), width, height, heads)
        self.labels.show()

    def _point(self, x: float, y: float) -> Any:
        return self._pg.Point(x, y)

    # -- pointer and keys -------------------------------------------------------------------------

    def _clicked(self, _item: object, points: Any, event: Any) -> None:
        if len(points):
            number = int(points[0].data())
            (self.opened if event.double() else self.picked).emit(number)

    def _hovered(self, _item: object, points: Any, _event: object) -> None:
        shape = Qt.CursorShape.PointingHandCursor if len(points) else Qt.CursorShape.ArrowCursor
        self.plot.viewport().setCursor(shape)
        if self.network is None or not len(points):
            QToolTip.hideText()
            return
        number = int(points[0].data())
        said = plain_tooltip(self.describe(number))
        QToolTip.showText(QCursor.pos() + QPoint(10, 12), said, self)

    def describe(self, number: int) -> str:
        """What the pointer is told of a paper."""
        if self.network is None:
            return ""
        times = int(self.network.cited[number])
        cited = "" if not times else f"\nCited by {times:,} in this library"
        return f"{self.network.titles[number]}{cited}"

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        """Names follow the size; a press anywhere takes the keyboard."""
        if event.type() == QEvent.Type.Resize:
            self._soon.start()
        elif event.type() == QEvent.Type.MouseButtonPress:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        return super().eventFilter(watched, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard is here: a line around it says so."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard is elsewhere."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line around a drawing that has the keyboard."""
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(_pen(self._theme.colour("accent"), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows step from paper to paper, Enter opens, + − and 0 zoom."""
        network = self.network
        key = Qt.Key(event.key())
        if network is None or not len(network):
            super().keyPressEvent(event)
        elif key in _DIRECTIONS:
            self.picked.emit(self.next_to(network, *_DIRECTIONS[key]))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.marked is not None:
            self.opened.emit(self.marked)
        elif event.text() in ("+", "-", "−"):
            factor = 0.8 if event.text() == "+" else 1.25
            self.view.scaleBy((factor, factor))
        elif event.text() == "0":
            self.fit()
        else:
            super().keyPressEvent(event)

    def next_to(self, network: Network, across: int, up: int) -> int:
        """The nearest paper in a direction; the one where one is, where there is none."""
        if self.marked is None:
            return 0
        pixel = np.array(self.view.viewPixelSize())
        away = (network.places - network.places[self.marked]) / pixel
        along = away[:, 0] * across + away[:, 1] * up
        aside = np.abs(away[:, 0] * up) + np.abs(away[:, 1] * across)
        ahead = np.flatnonzero(along > 1e-6)
        if not len(ahead):
            return self.marked
        return int(ahead[np.argmin(along[ahead] + 3 * aside[ahead])])


def _pen(colour: QColor, width: float) -> QPen:
    """A pen whose width is in pixels however far one looks in."""
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    return pen


def _strength(lines: int, most: float) -> float:
    """How opaque each of many lines is: the more there are, the less."""
    return float(min(most, max(0.12, most * np.sqrt(60 / max(lines, 1)))))
