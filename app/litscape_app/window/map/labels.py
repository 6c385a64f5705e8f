"""Names on the map: coarse ones from afar, finer ones from near, never one over another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPainterPath, QPen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtGui import QFont

    from litscape_app.window.map.camera import Camera
    from litscape_app.window.theme import Theme

    Measured = Callable[["Name"], tuple[tuple[str, ...], float, float]]

OPENED = 250.0
"""Pixels a topic takes from which on the names of its parts stand in place of its own."""
_LEAST, _MOST, _TRIED = 4, 36, 160
_ROOM = 18_000
"""Square pixels of the map for each name."""
_GAP, _HALO = 5.0, 2.2
_WRAP = 22
_LARGER = 1.08
_EDGE = 4.0
_STEPS = (
    (0, 0), (0, -1), (0, 1), (0, -2), (0, 2), (0.3, 0), (-0.3, 0), (0.3, -1), (-0.3, -1), (0.3, 1),
    (-0.3, 1), (0.5, 0), (-0.5, 0),
)  # fmt: skip
"""Where the name of a topic is tried: aside in widths of it, down in parts of its height."""
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
    """A name and where on the screen it stands."""

    name: Name
    lines: tuple[str, ...]
    box: tuple[float, float, float, float]


def wanted(names: Sequence[Name], camera: Camera) -> list[Name]:
    """The names fit for how near the map is seen, the most important first.

    A topic that takes much of the screen is named by its parts; these are named only then.
    """
    parents = {name.parent for name in names if name.parent is not None}
    opened = {
        name.key for name in names if name.key in parents and name.spread * camera.scale > OPENED
    }
    by_key = {name.key: name for name in names}

    def reached(name: Name) -> bool:
        while name.parent is not None and name.parent in by_key:
            if name.parent not in opened:
                return False
            name = by_key[name.parent]
        return True

    shown = [name for name in names if name.key not in opened and reached(name)]
    return sorted(shown, key=lambda name: (-name.size, name.key))


def place(
    names: Iterable[Name], camera: Camera, measure: Measured, taken: Sequence[QRectF] = ()
) -> list[Placed]:
    """Where names stand, each at its place or a little off it; others are left out.

    Args:
        names: the most important first.
        camera: what is seen.
        measure: tells how large they are.
        taken: what they must not cover.
    """
    boxes = [(box.x(), box.y(), box.width(), box.height()) for box in taken]
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
        lines, wide, tall = measure(name)
        for aside, top in _spots(name, down, tall):
            left = across - wide / 2 + aside * wide
            left = min(max(left, _EDGE), camera.width - wide - _EDGE)
            box = (left, min(max(top, _EDGE), camera.height - tall - _EDGE), wide, tall)
            if left >= 0 and not any(_meet(box, other) for other in boxes):
                boxes.append(box)
                placed.append(Placed(name, lines, box))
                break
    return placed


def _spots(name: Name, down: float, tall: float) -> list[tuple[float, float]]:
    """How far aside, in widths, and where the upper edge of a name may be.

    A topic's is over it or near by, a paper's below or above it.
    """
    if name.key < 0:
        return [(0, down + _BESIDE), (0, down - _BESIDE - tall)]
    return [(aside, down - tall / 2 + step * (tall + _GAP) * 0.55) for aside, step in _STEPS]


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
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
            font = self._theme.font(kind, bold=step < 2)
            if step == 0:
                font.setPointSizeF(_LARGER * font.pointSizeF())
            self._fonts[step] = font, QFontMetricsF(font)
        return self._fonts[step]

    def paint(self, painter: QPainter, placed: Placed, ratio: float) -> None:
        """Write a name where it stands."""
        left, top, *_size = placed.box
        image = self._image(placed, ratio)
        painter.drawImage(QPointF(left - _HALO - 1, top - _HALO - 1), image)

    def _image(self, placed: Placed, ratio: float) -> QImage:
        # Outlines of letters are slow to draw; a name is drawn once and then copied.
        step = _step(placed.name)
        key = (placed.name.text, step, ratio)
        if key not in self._images:
            if len(self._images) > 600:
                self._images.clear()
            self._images[key] = self._drawn(placed, step, ratio)
        return self._images[key]

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
