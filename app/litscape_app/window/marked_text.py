"""Lines of text in which found words are set on a ground of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from litscape_app.window.text_lines import is_right_to_left

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Span = tuple[int, int]


def spans_by_line(text: str, lines: Sequence[str], spans: Sequence[Span]) -> list[list[Span]]:
    """Spans of a text as spans of the lines that it was broken into, the last perhaps cut."""
    found: list[list[Span]] = []
    at = 0
    for line in lines:
        words = line.removesuffix("…").rstrip() if line not in text[at:] else line
        start = text.find(words, at)
        if start < 0:
            found.append([])
            continue
        at = start + len(words)
        found.append(
            [(max(a, start) - start, min(b, at) - start) for a, b in spans if a < at and b > start]
        )
    return found


def draw_marked(
    painter: QPainter,
    rect: QRect,
    text: str,
    spans: Iterable[Span],
    font: QFont,
    colour: QColor,
    ground: QColor,
    words: QColor,
) -> None:
    """Draw one line of text, its spans in ``words`` on ``ground`` and the rest in ``colour``."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    if is_right_to_left(text):
        option.setTextDirection(Qt.LayoutDirection.RightToLeft)
    layout.setTextOption(option)
    layout.setFormats([_format(text, span, ground, words) for span in spans])
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(rect.width())
    layout.endLayout()
    painter.setPen(colour)
    top = rect.y() + (rect.height() - line.height()) / 2
    layout.draw(painter, QPointF(rect.x(), top))


def _format(text: str, span: Span, ground: QColor, words: QColor) -> QTextLayout.FormatRange:
    style = QTextCharFormat()
    style.setBackground(QBrush(ground))
    style.setForeground(QBrush(words))
    found = QTextLayout.FormatRange()
    found.start = _units(text[: span[0]])
    found.length = _units(text[span[0] : span[1]])
    found.format = style
    return found


def _units(text: str) -> int:
    """How many places Qt counts for a text: two for a sign beyond the first plane."""
    return len(text) + sum(one > "\uffff" for one in text)
