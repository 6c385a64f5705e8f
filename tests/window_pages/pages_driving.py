"""How tests drive the pages of the window, and the files that they feed to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from litscape.paper import Author, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow

WAIT_MS = 40_000
BIB = """@article{plover2019,
  title = {Mud and tide},
  author = {Plover, Ina and van Horn, Tom},
  year = {2019},
  journal = {Journal of Mud},
  abstract = {We studied mud.}
}
@article{heron2001,
  title = {Tides of the north},
  author = {Heron, Max},
  year = {in press}
}
@article{broken2020,
  title = {Never closed,
"""
PAPERS = (
    PaperDraft(
        citekey="metal2005",
        type="article",
        title="Metal fatigue in bridges",
        authors=(Author(family="Steel", given="Ann"),),
        year=2005,
        doi="10.1000/182",
        abstract="Bridges tire.",
        collections=(("Works", "Bridges"),),
    ),
    PaperDraft(citekey="birds1999", type="book", title="Birds of the marsh", year=1999),
    PaperDraft(citekey="zebra", type="article", title="Zebra crossings", abstract="Stripes."),
)


def click(qtbot: QtBot, button: QWidget) -> None:
    """Press a button that can be pressed now."""
    assert button.isEnabled(), "the button is disabled"
    assert button.isVisible(), "the button is hidden"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def until(qtbot: QtBot, condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)


def listed(window: MainWindow) -> int:
    """How many papers the list shows."""
    return window.table.model.rowCount()


def shown(window: MainWindow, name: str) -> bool:
    """Whether a page is the one in the middle."""
    return window.middle.currentWidget() is window.page(name)
