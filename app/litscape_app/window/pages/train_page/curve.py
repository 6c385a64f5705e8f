"""How a training goes: the loss, and below it the development figure beside its baseline."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from PySide6.QtGui import QPaintEvent

    from litscape_app.window.theme import Theme

_TALL, _MARGIN, _TITLE = 240, 8, 20
_POINTS = 400


@dataclass(frozen=True, slots=True)
class Course:
    """What a run's log says of its training.

    Attributes:
        steps: that it will take; 0 where unknown.
        loss: (step, loss) of each step.
        dev: (step, nDCG@10) of the development queries.
        baseline: the same of the model before training; None before it was measured.
    """

    steps: int = 0
    loss: tuple[tuple[int, float], ...] = ()
    dev: tuple[tuple[int, float], ...] = ()
    baseline: float | None = None


def course(events: Iterable[Mapping[str, Any]]) -> Course:
    """Read the course out of a log; a step that was taken twice (after a crash) counts once."""
    steps, baseline = 0, None
    loss: dict[int, float] = {}
    dev: dict[int, float] = {}
    for event in events:
        if event.get("kind") == "step" and event.get("loss") is not None:
            loss[int(event["step"])] = float(event["loss"])
            steps = int(event.get("steps") or steps)
        elif event.get("kind") == "dev" and event.get("value") is not None:
            dev[int(event["step"])] = float(event["value"])
            baseline = event.get("baseline", baseline)
    return Course(steps, thinned(sorted(loss.items())), tuple(sorted(dev.items())), baseline)


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
            last = course.dev[-1][1]
            before = "" if course.baseline is None else f", before training {course.baseline:.3f}"
            self.setAccessibleDescription(f"nDCG@10 of the development queries {last:.3f}{before}")
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw both charts."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        half = self.height() / 2
        width = float(self.width())
        now = self.course
        upper, lower = QRectF(0, 0, width, half), QRectF(0, half, width, half)
        self._chart(painter, upper, "Loss", now.loss, "muted", None)
        title = "nDCG@10 of the development queries (dashed: before training)"
        self._chart(painter, lower, title, now.dev, "accent", now.baseline)
        painter.end()

    def _chart(
        self,
        painter: QPainter,
        room: QRectF,
        title: str,
        points: Sequence[tuple[int, float]],
        token: str,
        base: float | None,
    ) -> None:
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.colour("muted"))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, title)
        if points:
            last = f"{points[-1][1]:.3f}"
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, last)
        area = room.adjusted(0, _TITLE, 0, -_MARGIN)
        painter.setPen(self._theme.colour("line"))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        values = [value for _step, value in points] + ([] if base is None else [base])
        if not values:
            return
        low, high = min(values), max(values)
        spread = (high - low) or 1.0
        wide = max(self.course.steps, points[-1][0] if points else 1, 1)

        def at(step: float, value: float) -> QPointF:
            share = (value - low) / spread
            x = area.left() + area.width() * step / wide
            return QPointF(x, area.bottom() - 4 - (area.height() - 8) * share)

        if base is not None:
            painter.setPen(QPen(self._theme.colour("muted"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(at(0, base), at(wide, base))
        painter.setPen(QPen(self._theme.colour(token), 2))
        line = [at(step, value) for step, value in points]
        painter.drawPolyline(QPolygonF(line))
        if len(line) == 1:
            painter.drawEllipse(line[0], 2, 2)
