"""The pages that take the middle of the window, by name; a new page is one line and one maker."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from litscape_app.window.main_window import MainWindow

Maker = Callable[["MainWindow"], "QWidget"]
"""Makes a page; imports its module then, so that a start does not wait for it."""


def _keys(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.keys import KeysPage

    return KeysPage(window.session.theme)


def _import(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.import_page.page import ImportPage

    return ImportPage(window)


def _report(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.report_page.page import ReportPage

    return ReportPage(window)


def _add(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.add_paper.page import AddPage

    return AddPage(window)


PAGES: dict[str, Maker] = {
    "import": _import,
    "report": _report,
    "add": _add,
    "keys": _keys,
}
