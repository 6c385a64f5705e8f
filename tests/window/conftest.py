"""A real window on a real library of a few papers, driven like a person would."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QObject

sys.path.insert(0, str(Path(__file__).parents[2]))

from typing import TYPE_CHECKING

from tests.window.driving import PAPERS, WAIT_MS, listed

from litscape.library import Library
from litscape.settings import AppSettings
from litscape_app.window.main_window import MainWindow
from litscape_app.window.session import Session
from litscape_app.window.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform warns of what it lacks; that is no fault of the window."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture(scope="session")
def _library_of_five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("libraries") / "Some library"
    with Library.open(place) as library:
        for paper in PAPERS:
            library.edit.add(paper)
    return place


@pytest.fixture
def folder(tmp_path: Path, _library_of_five: Path) -> Path:
    """The folder of a library of five papers, the test's own."""
    return shutil.copytree(_library_of_five, tmp_path / "Some library")


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    """The look, which belongs to the application and not to a window."""
    return Theme(qapp, "light")


@pytest.fixture
def make_window(qtbot: QtBot, theme: Theme) -> Iterator[Callable[..., MainWindow]]:
    """Makes windows and ends them."""
    windows: list[tuple[MainWindow, QObject]] = []
    theme.choose("light")

    def make(settings: AppSettings | None = None) -> MainWindow:
        owner = QObject()
        plain = AppSettings(embed_after_import=False, theme="light")
        window = MainWindow(Session(theme, settings or plain, owner))
        windows.append((window, owner))
        window.resize(1280, 800)
        window.show()
        return window

    yield make
    for window, _owner in windows:
        window.close()
        # Left to the collector, a window could end in the thread of a job, and crash there.
        shiboken6.delete(window)


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path) -> MainWindow:
    """A window that shows the five papers."""
    made = make_window()
    made.session.open(folder)
    qtbot.waitUntil(lambda: listed(made) == 5, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: made.tree.model.rowCount() > 2, timeout=WAIT_MS)
    return made


@pytest.fixture
def tiny_model(folder: Path, tmp_path: Path) -> Path:
    """The library's active model: a random encoder of two layers, quick to run."""
    source = Path(__file__).parents[1] / "data" / "tiny-encoder"
    place = Path(shutil.copytree(source, tmp_path / "tiny-encoder"))
    with Library.open(folder) as library:
        library.models.activate(library.models.add_folder(place).version)
    return place
