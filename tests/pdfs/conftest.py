"""PDFs with a text layer, made by Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QPageSize, QPdfWriter, QTextDocument

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

MakePdf = "Callable[..., Path]"
PROSE = "<p>" + "Some words on water and mud. " * 40 + "</p>"


@pytest.fixture
def make_pdf(qapp: QApplication, tmp_path: Path) -> Callable[..., Path]:
    """Write a PDF of some HTML: ``make_pdf("name.pdf", html)``."""

    def make(name: str, html: str) -> Path:
        path = tmp_path / name
        writer = QPdfWriter(str(path))
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        document = QTextDocument()
        document.setHtml(html)
        scale = writer.resolution() / 72
        document.setPageSize(QSizeF(writer.width() / scale, writer.height() / scale))
        document.print_(writer)
        del writer
        return path

    return make
