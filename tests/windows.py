"""What tests of the window share: its look, windows that are ended, the wait for what happens."""

from __future__ import annotations

import gc
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QObject

from litscape.library import Library
from litscape.settings import AppSettings
from litscape_app.window.main_window import MainWindow
from litscape_app.window.session import Session
from litscape_app.window.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PySide6.QtWidgets import QApplication

    from litscape.paper import PaperDraft


def ignore_what_offscreen_lacks(items: Sequence[pytest.Item], folder: Path) -> None:
    """The offscreen platform warns of what it lacks; that is no fault of the window."""
    for item in items:
        if folder in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


def library_of(papers: Sequence[PaperDraft], place: Path) -> Path:
    """Make a library of some papers, to be copied by tests."""
    with Library.open(place) as library:
        for paper in papers:
            library.edit.add(paper)
    return place


def copy_of(library: Path, folder: Path) -> Path:
    """A library that is the test's own."""
    return Path(shutil.copytree(library, folder / library.name))


@contextmanager
def windows(app: QApplication, theme: Theme | None = None) -> Iterator[Callable[..., MainWindow]]:
    """A maker of windows, which end with the block.

    Args:
        app: the application.
        theme: the look of all of them; by default each window has one of its own, which ends with
            it: left over parts of windows would be dressed anew with every look that comes.
    """
    made: list[tuple[MainWindow, QObject]] = []

    def make(settings: AppSettings | None = None) -> MainWindow:
        settings = settings or AppSettings(embed_after_import=False, theme="light")
        owner = QObject()
        look = theme or Theme(app, settings.theme)
        window = MainWindow(Session(look, settings, owner))
        made.append((window, owner))
        window.resize(1280, 800)
        window.show()
        return window

    # As in the program: left to the collector, a part of a window could end in the thread of a job,
    # and crash there.
    gc.disable()
    try:
        yield make
        for window, _owner in made:
            look = window.session.theme
            window.end()
            shiboken6.delete(window)
            if theme is None:
                shiboken6.delete(look)
        made.clear()
        gc.collect(1)
    finally:
        gc.enable()


def listed(window: MainWindow) -> int:
    """How many papers the list shows."""
    return window.table.model.rowCount()
