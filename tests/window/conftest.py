"""A real window on a real library of a few papers, driven like a person would."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

sys.path.insert(0, str(Path(__file__).parent))

from driving import PAPERS, WAIT_MS, listed

from litscape.library import Library
from litscape.settings import AppSettings
from litscape_app.window.main_window import MainWindow
from litscape_app.window.session import Session
from litscape_app.window.theme import Theme


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform warns that it has no size hints; that is no fault of the window."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a library of five papers."""
    place = tmp_path / "Some library"
    with Library.open(place) as library:
        for paper in PAPERS:
            library.edit.add(paper)
    return place


@pytest.fixture
def make_window(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    """Makes windows and ends them."""
    windows: list[MainWindow] = []

    def make(settings: AppSettings | None = None) -> MainWindow:
        settings = settings or AppSettings(embed_after_import=False, theme="light")
        owner = QObject()
        session = Session(Theme(qapp, settings.theme), settings, owner)
        window = MainWindow(session)
        window.owner = owner  # type: ignore[attr-defined]
        windows.append(window)
        window.resize(1280, 800)
        window.show()
        return window

    yield make
    for window in windows:
        window.close()
        qtbot.addWidget(window)


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path) -> MainWindow:
    """A window that shows the five papers."""
    made = make_window()
    made.session.open(folder)
    qtbot.waitUntil(lambda: listed(made) == 5, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: made.tree.model.rowCount() > 2, timeout=WAIT_MS)
    return made
