"""A map as an SVG picture, of what every program reads: circles, rectangles and text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np

from litscape.exporters.written import written_whole
from litscape_resources import DARK, LIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

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
_STEPS = (
    (0.0, 0.0), (0.0, -1.5), (0.0, 1.5), (0.5, 0.0), (-0.5, 0.0), (0.0, -2.6), (0.0, 2.6),
    (0.6, -1.5), (-0.6, -1.5), (0.6, 1.5), (-0.6, 1.5), (1.0, 0.0), (-1.0, 0.0),
)  # fmt: skip
"""Where a name is tried: aside by parts of half its width, up and down by heights of a letter."""


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
    frame = _Frame(style, sheet.xy)
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
    yield "</svg>\n"


def clean(text: str) -> str:
    """Text that XML can hold."""
    return escape(" ".join(_NO_SIGNS.sub("", text).split()))


class _Frame:
    """What goes where, in pixels.

    Attributes:
        letter: height of the text.
        scale: pixels of the unit square's side.
        legend: where the legend begins.
    """

    def __init__(self, style: Style, xy: NDArray[np.float32]) -> None:
        self.letter = max(9.0, min(style.width, style.height) / 75)
        self.head = 3.6 * self.letter
        self.margin = 1.4 * self.letter
        self.legend_width = min(21 * self.letter, 0.34 * style.width)
        self.legend = style.width - self.legend_width
        self.bottom = style.height - self.margin
        low, high = xy.min(axis=0).astype(float), xy.max(axis=0).astype(float)
        width = max(10.0, self.legend - 3 * self.margin)
        height = max(10.0, style.height - self.head - 3 * self.margin)
        extent = np.maximum(high - low, 1e-6)
        self.scale = float(min(width / extent[0], height / extent[1], 4 * max(width, height)))
        middle = (low + high) / 2
        self._left = 1.5 * self.margin + width / 2 - middle[0] * self.scale
        self._top = self.head + 1.5 * self.margin + height / 2 - (1 - middle[1]) * self.scale

    def places(self, xy: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where points of the unit square stand, (n,) and (n,); y is upwards there."""
        wide = xy.astype(np.float64)
        return self._left + wide[:, 0] * self.scale, self._top + (1 - wide[:, 1]) * self.scale


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
    """Names of coarse topics, the largest first, none over another; left out where all is full."""
    size = frame.letter * 1.1
    taken: list[_Box] = []
    coarse = [one for one in sheet.names if one.level == 0]
    if not coarse:
        return
    places = frame.places(np.array([(one.x, one.y) for one in coarse], dtype=np.float32))
    for one, x, y in zip(coarse, *(side.tolist() for side in places), strict=True):
        stands = _free_place(one.text, (x, y), frame, taken)
        if stands is None:
            continue
        lines, box = stands
        taken.append(box)
        middle = (box[0] + box[2]) / 2
        for extra in (
            f'stroke="{tokens.surface}" stroke-width="{size / 4:.1f}" stroke-linejoin="round" '
            f'fill="{tokens.surface}"',
            f'fill="{tokens.text}"',
        ):
            for number, line in enumerate(lines):
                down = box[1] + size * (1 + _LINE * number)
                yield _text(middle, down, size, clean(line), f'text-anchor="middle" {extra}')


def _free_place(
    text: str, at: tuple[float, float], frame: _Frame, taken: Sequence[_Box]
) -> tuple[list[str], _Box] | None:
    """The lines of a name and where they stand: at its place, else near it; None where all is full.

    A long name is in two lines first, a short one in one; the other is tried after all places.
    """
    size = frame.letter * 1.1
    whole = " ".join(_NO_SIGNS.sub("", text).split())
    folded = _folded(whole)
    shapes = [[whole]] if len(folded) == 1 else [[whole], folded]
    for lines in shapes if len(whole) <= _LONG else shapes[::-1]:
        half = max(map(len, lines)) * size * _LETTER / 2
        tall = size * (0.3 + 1 + _LINE * (len(lines) - 1))
        for across, down in _STEPS:
            x = min(max(at[0] + across * half, half + frame.margin), frame.legend - half)
            top = at[1] - tall / 2 + down * size
            top = min(max(top, frame.head), frame.bottom - tall)
            box = (x - half, top, x + half, top + tall)
            if not any(_meet(box, other) for other in taken):
                return lines, box
    return None


def _folded(text: str) -> list[str]:
    """Text in two lines, as even as its words allow."""
    spaces = [at for at, letter in enumerate(text) if letter == " "]
    if not spaces:
        return [text]
    at = min(spaces, key=lambda one: abs(one - len(text) / 2))
    return [text[:at], text[at + 1 :]]


def _meet(one: _Box, other: _Box) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]


def _head(sheet: Sheet, tokens: Tokens, frame: _Frame) -> Iterator[str]:
    size = frame.letter
    room = frame.legend + frame.legend_width - 2 * frame.margin
    title = _cut(sheet.title, room, size * 1.5)
    yield _text(frame.margin, frame.margin + 1.2 * size, size * 1.5, title, _fill(tokens.text))
    about = _cut(sheet.about, room, size)
    yield _text(frame.margin, frame.margin + 2.8 * size, size, about, _fill(tokens.muted))


def _legend(sheet: Sheet, style: Style, tokens: Tokens, frame: _Frame) -> Iterator[str]:
    from litscape.maps.colouring import BY

    size, step = frame.letter, 1.7 * frame.letter
    left, right = frame.legend, style.width - frame.margin
    y = frame.head + 2 * size
    yield _text(left, y, size, clean(BY[sheet.colours.by]), _fill(tokens.muted))
    room = right - left - 5.5 * size
    entries = [one for one in enumerate(sheet.colours.entries) if one[1].papers]
    left_over = len(entries)
    for number, entry in entries:
        lines = _two_lines(entry.label, room, size)
        if y + step * (1 + len(lines)) > frame.bottom and left_over > 1:
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
        yield _text(right, y, size, f"{entry.papers:,}", extra)
        for place, line in enumerate(lines):
            y += 1.25 * size if place else 0
            yield _text(left + 1.6 * size, y, size, line, _fill(tokens.text))


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
