"""A map as an SVG picture, of what every program reads: circles, rectangles and text."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np

from litscape.exporters.written import written_whole
from litscape.maps.colouring import BY
from litscape.maps.ground import fitted
from litscape.maps.labelling import Placer, first_term
from litscape_resources import DARK, LIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape.maps.colouring import Entry
    from litscape.maps.outputs.sheet import Sheet
    from litscape.maps.outputs.style import Style
    from litscape_resources.tokens import Tokens

    _Box = tuple[float, float, float, float]

_NO_SIGNS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff"
    "\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""What XML can't hold, and what turns the direction of writing."""
_LETTER = 0.53
"""Width of a letter, of its height, about."""

_LONG = 22
"""Letters from which on a name is in two lines rather than one."""
_LINE = 1.2


def write(sheet: Sheet, path: Path, style: Style) -> None:
    """Write the picture.

    Raises:
        EnvironmentFault: the file can't be written.
    """
    with written_whole(path) as stream:
        for part in parts(sheet, style):
            stream.write(part)


def parts(sheet: Sheet, style: Style) -> Iterator[str]:
    """The picture, piece by piece."""
    tokens = DARK if style.dark else LIGHT
    lines = sum(1 + (len(one.label) > _LONG) for _number, one in _legend_entries(sheet))
    frame = _Frame(style, sheet.xy, 2 + lines)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{style.width}" height="{style.height}" '
        f'viewBox="0 0 {style.width} {style.height}" font-family="sans-serif">\n'
        f"<title>{clean(sheet.title)}</title>\n<desc>{clean(sheet.about)}</desc>\n"
        f'<rect width="{style.width}" height="{style.height}" fill="{tokens.surface}"/>\n'
    )
    yield from _points(sheet, style, frame)
    yield from _names(sheet, tokens, frame)
    yield from _head(sheet, tokens, frame)
    yield from _legend(sheet, style, tokens, frame)
    yield from _caption(sheet, style, tokens, frame)
    yield "</svg>\n"


def clean(text: str) -> str:
    """Text that XML can hold."""
    return escape(" ".join(_NO_SIGNS.sub("", text).split()))


class _Frame:
    """What goes where, in pixels.

    Attributes:
        letter: height of the text.
        width: of the picture.
        scale: pixels of the unit square's side.
        legend: where the legend begins.
        columns: of the legend.
        column: width of each.
        bottom: where the caption begins.
        map: left, top, right and bottom of what points and names may take.
    """

    def __init__(self, style: Style, xy: NDArray[np.float32], lines: int) -> None:
        """Share the picture between the map and a legend of so many lines."""
        self.letter, self.width = max(9.0, min(style.width, style.height) / 75), style.width
        self.head = 3.6 * self.letter
        self.margin = 1.4 * self.letter
        self.column = min(21 * self.letter, 0.34 * style.width)
        foot = 1.6 * self.letter if style.caption else 0.0
        self.bottom = style.height - self.margin - foot
        left, low, right, high = fitted(xy)
        wide, tall = max(right - left, 1e-6), max(high - low, 1e-6)
        height = max(10.0, self.bottom - self.head - self.margin)
        # A broad picture has room for more of the legend beside a map that is as high as it can be.
        room = style.width - 4 * self.margin - height * wide / tall
        asked = math.ceil(lines * 1.7 * self.letter / max(height, 1.0))
        self.columns = max(1, min(asked, int(room // self.column)))
        self.legend = style.width - self.columns * self.column
        width = max(10.0, self.legend - 3 * self.margin)
        self.scale = float(min(width / wide, height / tall, 4 * max(width, height)))
        beside = min(width, 1.8 * max(wide * self.scale, height))
        if self.columns > 1:  # the legend stands by the map
            self.legend = beside + 3 * self.margin
        else:
            beside = width
        self._left = 1.5 * self.margin + beside / 2 - (left + right) / 2 * self.scale
        self._top = self.head + 0.5 * self.margin + height / 2 - (1 - (low + high) / 2) * self.scale
        edge = 0.5 * self.margin
        self.map = (edge, self.head, self.legend - edge, self.bottom)

    def places(self, xy: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where points of the unit square stand, (n,) and (n,); far strays at the edge.

        In the square y is upwards.
        """
        places = xy.astype(np.float64)
        left, top, right, bottom = self.map
        x = self._left + places[:, 0] * self.scale
        y = self._top + (1 - places[:, 1]) * self.scale
        return np.clip(x, left, right), np.clip(y, top, bottom)


def _points(sheet: Sheet, style: Style, frame: _Frame) -> Iterator[str]:
    radius = max(0.6, min(frame.letter * 0.4, 0.38 * frame.scale / max(1, len(sheet.ids)) ** 0.5))
    x, y = frame.places(sheet.xy)
    # What has no value lies below what has one.
    order = sorted(
        range(len(sheet.colours.entries)), key=lambda one: sheet.colours.entries[one].number >= 0
    )
    for entry in order:
        rows = np.flatnonzero(sheet.colours.of == entry)
        if not len(rows):
            continue
        yield f'<g fill="{sheet.colour(entry, dark=style.dark)}" fill-opacity="0.8">\n'
        for row in rows.tolist():
            yield f'<circle cx="{x[row]:.1f}" cy="{y[row]:.1f}" r="{radius:.2f}"/>\n'
        yield "</g>\n"


def _names(sheet: Sheet, tokens: Tokens, frame: _Frame) -> Iterator[str]:
    """Names of coarse topics, the largest first, by their own points; none over another."""
    size = frame.letter * 1.1
    taken: list[_Box] = []
    placer = Placer(sheet.ground)
    coarse = [one for one in sheet.names if one.level == 0]
    if not coarse:
        return
    places = frame.places(np.array([(one.x, one.y) for one in coarse], dtype=np.float32))
    for one, x, y in zip(coarse, *(side.tolist() for side in places), strict=True):
        shapes = _shapes(one.text)
        sizes = tuple(
            (max(map(len, lines)) * size * _LETTER, size * (1.3 + _LINE * (len(lines) - 1)))
            for lines in shapes
        )
        stands = placer.stand(one.topic, (x, y), sizes, frame.scale, frame.map, taken, size)
        if stands is None:
            continue
        if stands.line is not None:
            yield from _pointer(stands.line, tokens, size)
        left, top, wide, _tall = stands.box
        for extra in (
            f'stroke="{tokens.surface}" stroke-width="{size / 4:.1f}" stroke-linejoin="round" '
            f'fill="{tokens.surface}"',
            f'fill="{tokens.text}"',
        ):
            for number, line in enumerate(shapes[stands.shape]):
                down = top + size * (1 + _LINE * number)
                anchor = f'text-anchor="middle" {extra}'
                yield _text(left + wide / 2, down, size, clean(line), anchor)


def _pointer(line: _Box, tokens: Tokens, size: float) -> Iterator[str]:
    """A thin line from a name to its place, with a dot there."""
    x1, y1, x2, y2 = line
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    for colour, width in ((tokens.surface, 0.24), (tokens.text, 0.08)):
        yield f'<line {ends} stroke="{colour}" stroke-width="{width * size:.2f}"/>\n'
    yield (
        f'<rect x="{x2 - size / 6:.1f}" y="{y2 - size / 6:.1f}" width="{size / 3:.1f}" '
        f'height="{size / 3:.1f}" rx="{size / 6:.1f}" fill="{tokens.text}" '
        f'stroke="{tokens.surface}" stroke-width="{size / 14:.1f}"/>\n'
    )


def _shapes(text: str) -> list[list[str]]:
    """A name in one line or two, the better first: a long one is folded; last its first term."""
    whole = " ".join(_NO_SIGNS.sub("", text).split())
    folded = _folded(whole)
    shapes = [[whole]] if len(folded) == 1 else [[whole], folded]
    short = first_term(whole)
    return (shapes if len(whole) <= _LONG else shapes[::-1]) + ([[short]] if short else [])


def _folded(text: str) -> list[str]:
    """Text in two lines, as even as its words allow."""
    spaces = [at for at, letter in enumerate(text) if letter == " "]
    if not spaces:
        return [text]
    at = min(spaces, key=lambda one: abs(one - len(text) / 2))
    return [text[:at], text[at + 1 :]]


def _head(sheet: Sheet, tokens: Tokens, frame: _Frame) -> Iterator[str]:
    size = frame.letter
    room = frame.width - 2 * frame.margin
    title = _cut(sheet.title, room, size * 1.5)
    yield _text(frame.margin, frame.margin + 1.2 * size, size * 1.5, title, _fill(tokens.text))
    about = _cut(sheet.about, room, size)
    yield _text(frame.margin, frame.margin + 2.8 * size, size, about, _fill(tokens.muted))


def _legend(sheet: Sheet, style: Style, tokens: Tokens, frame: _Frame) -> Iterator[str]:
    size, step = frame.letter, 1.7 * frame.letter
    left, top = frame.legend, frame.head + 2 * frame.letter
    yield _text(left, top, size, clean(BY[sheet.colours.by]), _fill(tokens.muted))
    room = frame.column - frame.margin - 5.5 * size
    y, column = top, 1
    entries = _legend_entries(sheet)
    left_over = len(entries)
    for number, entry in entries:
        lines = _two_lines(entry.label, room, size)
        full = y + step * (1 + len(lines)) > frame.bottom
        if full and column < frame.columns:
            column, y, left, full = column + 1, top, left + frame.column, False
        if full and left_over > 1:
            more = f"and {left_over:,} more"
            yield _text(left + 1.6 * size, y + step, size, more, _fill(tokens.muted))
            return
        y += step
        left_over -= 1
        colour = sheet.colour(number, dark=style.dark)
        yield (
            f'<circle cx="{left + size / 2:.1f}" cy="{y - size / 3:.1f}" r="{size / 2.4:.1f}" '
            f'fill="{colour}"/>\n'
        )
        extra = f'text-anchor="end" {_fill(tokens.muted)}'
        yield _text(left + frame.column - frame.margin, y, size, f"{entry.papers:,}", extra)
        for place, line in enumerate(lines):
            y += 1.25 * size if place else 0
            yield _text(left + 1.6 * size, y, size, line, _fill(tokens.text))


def _legend_entries(sheet: Sheet) -> list[tuple[int, Entry]]:
    return [one for one in enumerate(sheet.colours.entries) if one[1].papers]


def _caption(sheet: Sheet, style: Style, tokens: Tokens, frame: _Frame) -> Iterator[str]:
    """What the picture is and is not, small at its foot."""
    if style.caption and sheet.caption:
        size = 0.82 * frame.letter
        room = style.width - 2 * frame.margin
        size = min(size, room / (len(sheet.caption) * _LETTER * 0.92))
        y = style.height - 0.9 * frame.margin
        yield _text(frame.margin, y, size, clean(sheet.caption), _fill(tokens.muted))


def _fill(colour: str) -> str:
    return f'fill="{colour}"'


def _cut(text: str, room: float, size: float) -> str:
    """Text that takes no more room, about."""
    whole = " ".join(_NO_SIGNS.sub("", text).split())
    most = max(4, int(room / (size * _LETTER)))
    return clean(whole if len(whole) <= most else f"{whole[: most - 1].rstrip()}…")


def _two_lines(text: str, room: float, size: float) -> list[str]:
    """Text in one line, or in two, the second cut where it has to be."""
    most = max(4, int(room / (size * _LETTER)))
    first, words = "", text.split()
    while words and len(first) + len(words[0]) < most:
        first = f"{first} {words.pop(0)}".strip()
    rest = " ".join(words)
    return [_cut(part, room, size) for part in (first, rest) if part]


def _text(x: float, y: float, size: float, text: str, extra: str) -> str:
    """``text`` is XML already."""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" {extra}>{text}</text>\n'
