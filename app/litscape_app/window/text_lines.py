"""Breaking a text into the few lines that fit; drawn again and again, so kept."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QTextLayout,
    QTextOption,
)

_LONGEST = 600
"""No cell shows more characters than this; breaking a whole abstract would be waste."""


@lru_cache(maxsize=8192)
def break_lines(text: str, font_key: str, width: int, most: int) -> tuple[str, ...]:
    """``text`` in at most ``most`` lines of ``width`` pixels, the last one cut with an ellipsis.

    ``font_key`` is :meth:`QFont.toString` of the font drawn with.
    """
    text = " ".join(text[:_LONGEST].split())
    font = QFont()
    font.fromString(font_key)
    metrics = QFontMetricsF(font)
    if width <= 0 or not text:
        return ()
    if most == 1 or metrics.horizontalAdvance(text) <= width:
        return (metrics.elidedText(text, Qt.TextElideMode.ElideRight, width),)
    layout = QTextLayout(text, font)
    layout.setTextOption(_wrapping())
    layout.beginLayout()
    lines: list[str] = []
    start = 0
    while len(lines) < most - 1:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        start = line.textStart() + line.textLength()
        words = text[line.textStart() : start].rstrip()
        # A word wider than the line is cut with an ellipsis, not broken.
        lines.append(metrics.elidedText(words, Qt.TextElideMode.ElideRight, width))
    layout.endLayout()
    rest = text[start:].strip()
    if rest:
        lines.append(metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width))
    return tuple(lines)


def draw_lines(
    painter: QPainter, rect: QRect, top: int, text: str, font: QFont, colour: QColor, most: int
) -> int:
    """Draw ``text`` in at most ``most`` lines of a rectangle from ``top`` on; where they end."""
    painter.setFont(font)
    painter.setPen(colour)
    spacing = QFontMetrics(font).lineSpacing()
    flags = draw_flags(text)
    for line in break_lines(text, font.toString(), rect.width(), most):
        painter.drawText(QRect(rect.x(), top, rect.width(), spacing), flags, line)
        top += spacing
    return top


def _wrapping() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    return option


@lru_cache(maxsize=8192)
def is_right_to_left(text: str) -> bool:
    """Whether the first letter with a direction runs from right to left."""
    for character in text[:200]:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


def draw_flags(text: str, to_right: bool = False) -> int:
    """How a line of ``text`` is set: from its own side, with the ellipsis at its own end."""
    middle = Qt.AlignmentFlag.AlignVCenter.value
    if is_right_to_left(text):
        # Left means leading here, which is the right side for such a text.
        leading = Qt.AlignmentFlag.AlignLeft.value
        return middle | leading | Qt.TextFlag.TextForceRightToLeft.value
    side = Qt.AlignmentFlag.AlignRight if to_right else Qt.AlignmentFlag.AlignLeft
    return middle | side.value
