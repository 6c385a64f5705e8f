"""Draws an SVG as PNG or PDF: ``python -m litscape_app.pictures.child IN OUT WIDTH HEIGHT``."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgRenderer

_DOTS = 96
"""Pixels an inch: what a picture of so many pixels is on paper."""


def main(arguments: list[str]) -> int:
    """Draw; the exit status is 0 where it was written."""
    source, target, width, height = arguments
    app = QGuiApplication([])
    renderer = QSvgRenderer(source)
    if not renderer.isValid():
        sys.stderr.write("the picture is damaged\n")
        return 1
    size = (int(width), int(height))
    drawn = _pdf if target.endswith(".pdf") else _png
    good = drawn(renderer, target, *size)
    del renderer, app
    return 0 if good else 1


def _png(renderer: QSvgRenderer, target: str, width: int, height: int) -> bool:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    if image.isNull():
        sys.stderr.write(f"there is no memory for {width} × {height} pixels\n")
        return False
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, width, height))
    painter.end()
    return image.save(target)


def _pdf(renderer: QSvgRenderer, target: str, width: int, height: int) -> bool:
    writer = QPdfWriter(target)
    writer.setTitle("Map of papers")
    writer.setCreator("Litscape")
    inches = QSizeF(width / _DOTS, height / _DOTS)
    writer.setPageSize(QPageSize(inches, QPageSize.Unit.Inch))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    if not painter.isActive():
        return False
    renderer.render(painter, QRectF(0, 0, writer.width(), writer.height()))
    return painter.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
