"""The years of what is listed, as bars; a stretch of them is chosen by pointer or keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from litscape_app.window.facets.bins import bins_of, first_name, within
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from litscape.facets import FacetValue
    from litscape_app.window.facets.bins import Bin
    from litscape_app.window.theme import Theme

Span = tuple[int | None, int | None]
_LEAST_BAR, _MOST_BAR, _HEIGHT, _SIDE, _GRIP = 4, 24, 92, 8, 5
_NAMES = 130
"""Room for the first, the chosen and the last year."""
_STEPS = {
    Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -10_000, Qt.Key.Key_End: 10_000,
}  # fmt: skip
_PICKS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_CLEARS = (Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class YearHistogram(QWidget):
    """Bars of years; drag over them to choose a stretch, drag its ends to change it.

    Arrow keys go from bar to bar, with Shift they choose; Enter chooses one bar, Escape none.
    """

    chosen = Signal(object)
    """The first and last year chosen, or None."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._values: Sequence[FacetValue] = ()
        self.bins: list[Bin] = []
        self.span: tuple[int, int] | None = None
        self._drag: tuple[int, int] | None = None
        self._pressed = False
        self._cursor = -1
        self._anchor = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Years")
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As high as it needs to be."""
        return QSize(180, _HEIGHT)

    def show_years(self, values: Sequence[FacetValue], span: Span | None) -> None:
        """Show the papers of each year and the chosen years, open where None."""
        self._values = values
        self._span = span
        self._lay_out()

    def _lay_out(self) -> None:
        self.bins = bins_of(self._values, max(1, (self.width() - 2 * _SIDE) // _LEAST_BAR))
        span = getattr(self, "_span", None)
        self.span = within(self.bins, *span) if span is not None else None
        self._cursor = min(self._cursor, len(self.bins) - 1)
        self._describe()
        self.update()

    def _describe(self) -> None:
        parts = []
        if 0 <= self._cursor < len(self.bins):
            one = self.bins[self._cursor]
            parts.append(f"{one.name}: {count(one.papers, 'paper')}")
        if self.span is not None:
            parts.append(f"chosen {self._years(self.span)}")
        self.setAccessibleDescription("; ".join(parts))

    def _years(self, span: tuple[int, int]) -> str:
        first, last = self.bins[span[0]].first, self.bins[span[1]].last
        return str(first) if first == last else f"{first}–{last}"

    # -- drawing -----------------------------------------------------------------------------

    def _bars(self) -> QRectF:
        bottom = QFontMetrics(self._theme.font("small")).height() + 6
        wide = min(self.width() - 2 * _SIDE, _MOST_BAR * max(1, len(self.bins)))
        return QRectF(_SIDE, 6, wide, self.height() - bottom - 6)

    def _bar(self, place: int) -> QRectF:
        area, high = self._bars(), max(one.papers for one in self.bins)
        step = area.width() / len(self.bins)
        tall = area.height() * self.bins[place].papers / high if high else 0
        tall = max(tall, 1.0) if self.bins[place].papers else 0
        gap = 1 if step > 3 else 0
        return QRectF(area.x() + place * step, area.bottom() - tall, max(1.0, step - gap), tall)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars, the chosen stretch and the first and last year."""
        painter = QPainter(self)
        if not self.bins:
            painter.end()
            return
        area = self._bars()
        span = self._drag or self.span
        step = area.width() / len(self.bins)
        if span is not None:
            left, right = area.x() + span[0] * step, area.x() + (span[1] + 1) * step
            ground = QRectF(left, area.y() - 4, right - left, area.height() + 4)
            painter.fillRect(ground, self._theme.colour("selection"))
        for place in range(len(self.bins)):
            within_it = span is None or span[0] <= place <= span[1]
            token = "accent" if span is not None and within_it else "mark"
            colour = self._theme.colour(token)
            colour.setAlphaF(1.0 if within_it else 0.45)
            painter.fillRect(self._bar(place), colour)
        painter.setPen(self._theme.colour("line"))
        painter.drawLine(QPointF(area.x(), area.bottom()), QPointF(area.right(), area.bottom()))
        if span is not None:
            self._draw_grips(painter, area, span, step)
        if self.hasFocus():
            self._draw_focus(painter, area)
        self._draw_names(painter, area, span)
        painter.end()

    def _draw_grips(
        self, painter: QPainter, area: QRectF, span: tuple[int, int], step: float
    ) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("accent"))
        for edge in (span[0], span[1] + 1):
            x = area.x() + edge * step
            painter.drawRect(QRectF(x - 0.5, area.y() - 4, 1, area.height() + 4))
            painter.drawRoundedRect(QRectF(x - 2, area.center().y() - 8, 4, 16), 2, 2)

    def _draw_focus(self, painter: QPainter, area: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self._theme.colour("accent"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 0.5, -1.5, -0.5), 4, 4)
        if 0 <= self._cursor < len(self.bins):
            bar = self._bar(self._cursor)
            frame = QRectF(bar.x() - 1, area.y() - 3, bar.width() + 2, area.height() + 3)
            painter.setPen(self._theme.colour("text"))
            painter.drawRect(frame)

    def _draw_names(self, painter: QPainter, area: QRectF, span: tuple[int, int] | None) -> None:
        font = self._theme.font("small")
        painter.setFont(font)
        line = QRect(_SIDE, int(area.bottom()) + 2, int(max(area.width(), _NAMES)), self.height())
        painter.setPen(self._theme.colour("muted"))
        top = Qt.AlignmentFlag.AlignTop
        narrow = area.width() < _NAMES
        whole = self._years((0, len(self.bins) - 1))
        first = whole if narrow else first_name(self.bins)
        painter.drawText(line, top | Qt.AlignmentFlag.AlignLeft, first)
        if not narrow:
            painter.drawText(line, top | Qt.AlignmentFlag.AlignRight, str(self.bins[-1].last))
        if span is not None and (not narrow or self._years(span) != whole):
            painter.setPen(self._theme.colour("accent"))
            side = Qt.AlignmentFlag.AlignRight if narrow else Qt.AlignmentFlag.AlignHCenter
            painter.drawText(line, top | side, self._years(span))

    # -- pointer -----------------------------------------------------------------------------

    def _place(self, x: float) -> int:
        area = self._bars()
        return min(max(int((x - area.x()) * len(self.bins) / area.width()), 0), len(self.bins) - 1)

    def _grip(self, x: float) -> int:
        """Which end of the chosen stretch is near, 0 or 1; -1: none."""
        if self.span is None:
            return -1
        area = self._bars()
        step = area.width() / len(self.bins)
        ends = (area.x() + self.span[0] * step, area.x() + (self.span[1] + 1) * step)
        near = [abs(x - end) for end in ends]
        return near.index(min(near)) if min(near) <= _GRIP else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to choose, or to move an end of what is chosen."""
        if event.button() != Qt.MouseButton.LeftButton or not self.bins:
            return
        x = event.position().x()
        grip = self._grip(x)
        place = self._place(x)
        self._anchor = place if grip < 0 or self.span is None else self.span[1 - grip]
        self._pressed = True
        self._drag = (place, place) if grip < 0 else self.span
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Widen the stretch; say what is under the pointer."""
        if not self.bins:
            return
        x = event.position().x()
        place = self._place(x)
        if self._pressed:
            self._drag = (min(self._anchor, place), max(self._anchor, place))
            self.update()
        else:
            shape = Qt.CursorShape
            self.setCursor(shape.SplitHCursor if self._grip(x) >= 0 else shape.PointingHandCursor)
        one = self.bins[place]
        said = f"{one.name}: {count(one.papers, 'paper')}"
        if self._drag is not None and self._drag[0] != self._drag[1]:
            inside = sum(bin_.papers for bin_ in self.bins[self._drag[0] : self._drag[1] + 1])
            said = f"{self._years(self._drag)}: {count(inside, 'paper')}"
        QToolTip.showText(event.globalPosition().toPoint(), said, self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the stretch; one bar that is chosen already is let go."""
        if not self._pressed:
            return
        span, self._drag, self._pressed = self._drag, None, False
        self._cursor = self._place(event.position().x())  # the keys go on from there
        self._choose(None if span == self.span and span and span[0] == span[1] else span)

    def _choose(self, span: tuple[int, int] | None) -> None:
        self.update()
        if span == self.span:
            return
        if span is None:
            self.chosen.emit(None)
        else:
            self.chosen.emit((self.bins[span[0]].first, self.bins[span[1]].last))

    # -- keys --------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from bar to bar, choose and let go."""
        key = Qt.Key(event.key())
        if key in _CLEARS and (self.span or self._drag):
            self._drag, self._pressed = None, False
            self._choose(None)
        elif key in _PICKS and 0 <= self._cursor < len(self.bins):
            here = (self._cursor, self._cursor)
            self._choose(None if self.span == here else here)
        elif key in _STEPS and self.bins:
            self._step(_STEPS[key], bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def _step(self, by: int, choosing: bool) -> None:
        if self._cursor < 0:
            self._cursor = len(self.bins) - 1 if by < 0 else 0
            by = by if choosing else 0
        if choosing:
            ends = self.span or (self._cursor, self._cursor)
            moving = self._cursor in ends
            self._anchor = ends[0] + ends[1] - self._cursor if moving else self._cursor
        self._cursor = min(max(self._cursor + by, 0), len(self.bins) - 1)
        if choosing:
            self._choose((min(self._anchor, self._cursor), max(self._anchor, self._cursor)))
        self._describe()
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keys are."""
        if self._cursor < 0 and self.bins:
            self._cursor = self.span[0] if self.span else len(self.bins) - 1
        self._describe()
        super().focusInEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Bins fit the width."""
        super().resizeEvent(event)
        self._lay_out()
