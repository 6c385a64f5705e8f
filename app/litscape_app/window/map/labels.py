"""Names on the map: coarse ones from afar, finer ones from near, never one over another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from litscape.maps.labelling import NEARER, Placer, first_term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtGui import QFont

    from litscape_app.window.map.camera import Camera
    from litscape_app.window.theme import Theme

    Box = tuple[float, float, float, float]
    Measured = Callable[["Name"], tuple[tuple[str, ...], float, float]]

_LEAST, _MOST, _TRIED = 4, 36, 160
_ROOM = 18_000
"""Square pixels of the map for each name."""
_GAP, _HALO = 5.0, 2.2
_WRAP = 22
_LARGER = 1.08
_NARROW = 480
_EDGE = 4.0
_BESIDE = 8.0
"""Pixels from the middle of a paper to its name."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name that can be shown.

    Attributes:
        key: of the topic, or minus the id of a paper.
        text: as it is written.
        x: of the map.
        y: likewise.
        spread: how far around its papers reach, units of the map.
        size: its papers.
        level: 0 for the coarsest.
        parent: key of the topic above.
    """

    key: int
    text: str
    x: float
    y: float
    spread: float = 0.0
    size: int = 1
    level: int = 0
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A name and where on the screen it stands, and the line from it to its place, if any."""

    name: Name
    lines: tuple[str, ...]
    box: tuple[float, float, float, float]
    line: tuple[float, float, float, float] | None = None


def wanted(names: Sequence[Name], zoom: float) -> list[Name]:
    """The names fit for how near the map is seen, the most important first.

    All are of one level, the coarsest where the whole map is seen; a topic that has no parts keeps
    its name when others are named by theirs.

    Args:
        names: of all levels, and of papers.
        zoom: how many times nearer than the whole map.
    """
    level = sum(zoom >= nearer for nearer in NEARER)
    parted = {name.parent for name in names}
    shown = [
        name for name in names
        if name.key < 0 or name.level == level or (name.level < level and name.key not in parted)
    ]  # fmt: skip
    return sorted(shown, key=lambda name: (-name.size, name.key))


def place(
    names: Iterable[Name],
    camera: Camera,
    measure: Measured,
    taken: Sequence[QRectF] = (),
    placer: Placer | None = None,
) -> list[Placed]:
    """Where names stand, each at its place or near it; others are left out.

    Args:
        names: the most important first.
        camera: what is seen.
        measure: tells how large they are.
        taken: what they must not cover.
        placer: knows whose points lie where.
    """
    placer = placer or Placer(None)
    boxes = [(box.x(), box.y(), box.width(), box.height()) for box in taken]
    frame = (_EDGE, _EDGE, camera.width - _EDGE, camera.height - _EDGE)
    placed: list[Placed] = []
    tried = 0
    most = min(_MOST, max(_LEAST, camera.width * camera.height // _ROOM))
    for name in names:
        across, down = camera.spot(name.x, name.y)
        if not (0 <= across <= camera.width and 0 <= down <= camera.height):
            continue
        tried += 1
        if len(placed) >= most or tried > _TRIED:
            break
        if name.key < 0:
            lines, wide, tall = measure(name)
            box = _beside(camera, (across, down), (wide, tall), boxes)
            if box is not None:
                boxes.append(box)
                placed.append(Placed(name, lines, box))
            continue
        forms = _forms(name, measure)
        sizes = tuple((wide, tall) for _name, _lines, wide, tall in forms)
        found = placer.stand(name.key, (across, down), sizes, camera.scale, frame, boxes)
        if found is not None:
            shown, lines, *_size = forms[found.shape]
            placed.append(Placed(shown, lines, found.box, found.line))
    return placed


def _forms(name: Name, measure: Measured) -> list[tuple[Name, tuple[str, ...], float, float]]:
    """A name in full and, where there is less room, by its first term."""
    short = first_term(name.text)
    forms = [name] if short is None else [name, replace(name, text=short)]
    return [(one, *measure(one)) for one in forms]


def _beside(
    camera: Camera, spot: tuple[float, float], size: tuple[float, float], boxes: Sequence[Box]
) -> Box | None:
    """Where the title of a paper stands: below or above it."""
    wide, tall = size
    for top in (spot[1] + _BESIDE, spot[1] - _BESIDE - tall):
        left = min(max(spot[0] - wide / 2, _EDGE), camera.width - wide - _EDGE)
        box = (left, min(max(top, _EDGE), camera.height - tall - _EDGE), wide, tall)
        if left >= 0 and not any(_meet(box, other) for other in boxes):
            return box
    return None


def _meet(one: Box, other: Box) -> bool:
    return (
        one[0] < other[0] + other[2] + _GAP
        and other[0] < one[0] + one[2] + _GAP
        and one[1] < other[1] + other[3] + _GAP
        and other[1] < one[1] + one[3] + _GAP
    )


class Measure:
    """The fonts of names and how large they are in them; paints them with a halo."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._fonts: dict[int, tuple[QFont, QFontMetricsF]] = {}
        self._known: dict[tuple[str, int], tuple[tuple[str, ...], float, float]] = {}
        self._images: dict[tuple[str, int, float], QImage] = {}
        self._narrow = False

    def fit(self, width: int) -> None:
        """Write smaller on a narrow map."""
        if (width < _NARROW) != self._narrow:
            self._narrow = width < _NARROW
            self.forget()

    def forget(self) -> None:
        """The look changed."""
        self._fonts.clear()
        self._known.clear()
        self._images.clear()

    def __call__(self, name: Name) -> tuple[tuple[str, ...], float, float]:
        """The lines of a name, their width and height."""
        step = _step(name)
        key = (name.text, step)
        if key not in self._known:
            _font, metrics = self._font(step)
            lines = _wrapped(name.text) if name.key >= 0 else (name.text,)
            wide = max(metrics.horizontalAdvance(line) for line in lines)
            self._known[key] = lines, wide + 2, metrics.height() * len(lines)
        return self._known[key]

    def _font(self, step: int) -> tuple[QFont, QFontMetricsF]:
        if step not in self._fonts:
            kind = ("body", "body", "small", "small")[step]
            font = self._theme.font("small" if self._narrow else kind, bold=step < 2)
            if step == 0 and not self._narrow:
                font.setPointSizeF(_LARGER * font.pointSizeF())
            self._fonts[step] = font, QFontMetricsF(font)
        return self._fonts[step]

    def paint(self, painter: QPainter, placed: Placed, ratio: float) -> None:
        """Write a name where it stands, with its line."""
        left, top, *_size = placed.box
        if placed.line is not None:
            self._paint_line(painter, placed.line)
        image = self._image(placed, ratio)
        painter.drawImage(QPointF(left - _HALO - 1, top - _HALO - 1), image)

    def _paint_line(self, painter: QPainter, line: Box) -> None:
        """A thin line with an end at the place that is named, seen on any ground."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for token, width in (("surface", 3.4), ("text", 1.2)):
            painter.setPen(QPen(self._theme.colour(token), width))
            painter.drawLine(QLineF(*line))
        painter.setBrush(self._theme.colour("text"))
        painter.setPen(QPen(self._theme.colour("surface"), 1.0))
        painter.drawEllipse(QPointF(line[2], line[3]), 2.6, 2.6)

    def knows(self, placed: Placed, ratio: float) -> bool:
        """Whether a name was written before, and is only copied."""
        return (placed.name.text, _step(placed.name), ratio) in self._images

    def _image(self, placed: Placed, ratio: float) -> QImage:
        # Outlines of letters are slow to draw; a name is drawn once and then copied.
        step = _step(placed.name)
        if not self.knows(placed, ratio):
            if len(self._images) > 600:
                self._images.clear()
            self._images[placed.name.text, step, ratio] = self._drawn(placed, step, ratio)
        return self._images[placed.name.text, step, ratio]

    def _drawn(self, placed: Placed, step: int, ratio: float) -> QImage:
        font, metrics = self._font(step)
        edge = _HALO + 1
        wide, tall = placed.box[2] + 2 * edge, placed.box[3] + 2 * edge
        image = QImage(
            round(wide * ratio), round(tall * ratio), QImage.Format.Format_ARGB32_Premultiplied
        )
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        path = QPainterPath()
        for number, line in enumerate(placed.lines):
            aside = (placed.box[2] - metrics.horizontalAdvance(line)) / 2
            down = edge + metrics.ascent() + number * metrics.height()
            path.addText(QPointF(edge + aside, down), font, line)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        halo = self._theme.colour("surface")
        halo.setAlphaF(0.86)
        pen = QPen(halo, 2 * _HALO)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
        painter.fillPath(path, self._theme.colour("text"))
        painter.end()
        return image


def _step(name: Name) -> int:
    return 3 if name.key < 0 else min(name.level, 2)


def _wrapped(text: str) -> tuple[str, ...]:
    """A long name in two lines, as even as its words allow."""
    if len(text) <= _WRAP or " " not in text:
        return (text,)
    spaces = [at for at, letter in enumerate(text) if letter == " "]
    at = min(spaces, key=lambda one: abs(one - len(text) / 2))
    return text[:at], text[at + 1 :]
