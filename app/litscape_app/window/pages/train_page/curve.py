"""How a training goes: the loss, and below it the development figure beside its baseline."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from PySide6.QtGui import QPaintEvent

    from litscape_app.window.theme import Theme

_TALL, _MARGIN = 300, 8
_BESIDE = 10
"""Between the numbers of an axis and the first step, where a mark may stand."""
_POINTS, _DOTTED = 400, 60
_DEV = "nDCG@10 of the development queries"
_BEFORE, _LAYER = "before training", "with the layer it began with"
_NOTHING = "Nothing was measured yet."


@dataclass(frozen=True, slots=True)
class Course:
    """What a run's log says of its training.

    Attributes:
        steps: that it will take; 0 where unknown.
        loss: (step, loss) of each step.
        dev: (step, nDCG@10) of the development queries.
        baseline: the same of the model before training; None before it was measured.
        kept: step and figure of the weights that are kept; step 0 is the model before training.
        over: whether training is over, so that nothing better can come.
        before: what the baseline and step 0 are, in words.
    """

    steps: int = 0
    loss: tuple[tuple[int, float], ...] = ()
    dev: tuple[tuple[int, float], ...] = ()
    baseline: float | None = None
    kept: tuple[int, float] | None = None
    over: bool = False
    before: str = _BEFORE


def course(events: Iterable[Mapping[str, Any]]) -> Course:
    """Read the course out of a log; a step that was taken twice (after a crash) counts once."""
    steps, baseline, before = 0, None, _BEFORE
    kept: tuple[int, float] | None = None
    loss: dict[int, float] = {}
    dev: dict[int, float] = {}
    for event in events:
        if event.get("kind") == "start":
            before = _LAYER
        if event.get("kind") == "step" and event.get("loss") is not None:
            loss[int(event["step"])] = float(event["loss"])
            steps = int(event.get("steps") or steps)
        elif event.get("kind") == "dev" and event.get("value") is not None:
            dev[int(event["step"])] = float(event["value"])
            baseline = event.get("baseline", baseline)
            if event.get("best") is not None:
                kept = int(event.get("best_step") or 0), float(event["best"])
    looks = tuple(sorted(dev.items()))
    return Course(steps, thinned(sorted(loss.items())), looks, baseline, kept, before=before)


def ended(course: Course, best: float | None) -> Course:
    """When training is over; a ``best`` that is the baseline: a gain may have been chance."""
    kept = course.kept
    if best is not None and course.baseline is not None and best == course.baseline:
        kept = (0, best)
    return replace(course, kept=kept, over=True)


def kept_in_words(course: Course) -> str:
    """The figure of the weights that are kept, and from which step they are."""
    if course.kept is None:
        return ""
    step, value = course.kept
    word = "kept" if course.over else "best so far"
    place = f"step {step:,}" if step else course.before
    return f"{word}: {value:.3f}, {place}"


def thinned(points: Sequence[tuple[int, float]]) -> tuple[tuple[int, float], ...]:
    """At most some hundred points, each the mean of its neighbours: more can't be seen."""
    size = math.ceil(len(points) / _POINTS)
    if size <= 1:
        return tuple(points)
    found = []
    for begin in range(0, len(points), size):
        some = points[begin : begin + size]
        found.append((some[-1][0], sum(value for _step, value in some) / len(some)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Chart:
    """What one chart shows: a title, what is said at its right, points, and two marks."""

    title: str
    said: str
    points: tuple[tuple[int, float], ...]
    token: str = "muted"
    base: float | None = None
    kept: tuple[int, float] | None = None


@dataclass(frozen=True, slots=True)
class Scale:
    """Where a step and a value lie in a chart."""

    area: QRectF
    low: float
    spread: float
    wide: int

    def at(self, step: float, value: float) -> QPointF:
        """The place of a point."""
        x = self.area.left() + self.area.width() * step / self.wide
        share = (value - self.low) / self.spread if self.spread else 0.5
        return QPointF(x, self.area.bottom() - 4 - (self.area.height() - 8) * share)


class CurvePanel(QWidget):
    """Two small charts over the same steps."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.course = Course()
        self.setMinimumHeight(_TALL)
        self.setAccessibleName("Course of the training")

    def sizeHint(self) -> QSize:
        """Wide and not too tall."""
        return QSize(480, _TALL)

    def show_course(self, course: Course) -> None:
        """Draw another course."""
        if course == self.course:
            return
        self.course = course
        if course.dev:
            base = "" if course.baseline is None else f", {course.before} {course.baseline:.3f}"
            self.setAccessibleDescription(f"{_DEV}: {kept_in_words(course)}{base}")
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw both charts."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font("small"))
        now, half, width = self.course, self.height() / 2, float(self.width())
        last = f"last {now.loss[-1][1]:.3f}" if now.loss else ""
        loss = Chart("Loss", last, now.loss)
        dev = Chart(_DEV, kept_in_words(now), now.dev, "accent", now.baseline, now.kept)
        self._chart(painter, QRectF(0, 0, width, half), loss)
        self._chart(painter, QRectF(0, half, width, half), dev)
        painter.end()

    def _chart(self, painter: QPainter, room: QRectF, chart: Chart) -> None:
        line = painter.fontMetrics().height()
        left, top = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignTop
        painter.setPen(self._theme.colour("muted"))
        painter.drawText(room, left | top, chart.title)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | top, chart.said)
        values = [value for _step, value in chart.points]
        values += [] if chart.base is None else [chart.base]
        beside = painter.fontMetrics().horizontalAdvance("0.0000") + _BESIDE
        area = room.adjusted(beside, line + 8, -6, -line - _MARGIN)
        if not values:
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, _NOTHING)
            return
        low, high = min(values), max(values)
        wide = max(self.course.steps, chart.points[-1][0] if chart.points else 1, 1)
        scale = Scale(area, low, high - low, wide)
        self._axes(painter, scale, high)
        self._lines(painter, scale, chart)

    def _axes(self, painter: QPainter, scale: Scale, high: float) -> None:
        """Numbers beside the lowest, middle and highest value, and below the steps."""
        line = painter.fontMetrics().height()
        area = scale.area
        middle = (scale.low + high) / 2
        for value in dict.fromkeys((scale.low, middle, high)):
            y = scale.at(0, value).y()
            painter.setPen(self._theme.colour("line"))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._theme.colour("muted"))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            beside = QRectF(0, y - line / 2, area.left() - _BESIDE, line)
            painter.drawText(beside, right, f"{value:.3f}")
        below = QRectF(area.left(), area.bottom() + 2, area.width(), line)
        for text, side in (
            ("0", Qt.AlignmentFlag.AlignLeft),
            ("step", Qt.AlignmentFlag.AlignHCenter),
            (f"{scale.wide:,}", Qt.AlignmentFlag.AlignRight),
        ):
            painter.drawText(below, side | Qt.AlignmentFlag.AlignTop, text)

    def _lines(self, painter: QPainter, scale: Scale, chart: Chart) -> None:
        if chart.base is not None:
            start, end = scale.at(0, chart.base), scale.at(scale.wide, chart.base)
            painter.setPen(QPen(self._theme.colour("text"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(start, end)
            above = scale.low + scale.spread * 0.6 > chart.base
            line = painter.fontMetrics().height()
            place = QRectF(start.x(), start.y() - line - 1 if above else start.y() + 1,
                           scale.area.width(), line)  # fmt: skip
            painter.drawText(place, Qt.AlignmentFlag.AlignRight, self.course.before)
        painter.setPen(QPen(self._theme.colour(chart.token), 2))
        line_of = [scale.at(step, value) for step, value in chart.points]
        painter.drawPolyline(QPolygonF(line_of))
        for point in line_of if len(line_of) <= _DOTTED else ():
            painter.drawEllipse(point, 1.5, 1.5)
        if chart.kept is not None:
            painter.setBrush(self._theme.colour(chart.token))
            painter.drawEllipse(scale.at(*chart.kept), 5, 5)
            painter.setBrush(Qt.BrushStyle.NoBrush)
