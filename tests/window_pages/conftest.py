"""A real window on a real library of three papers, and a service that answers look-ups."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QObject

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.window_pages.pages_driving import PAPERS, WAIT_MS, Service, listed

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
def _library_of_three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("libraries") / "Three papers"
    with Library.open(place) as library:
        for paper in PAPERS:
            library.edit.add(paper)
    return place


@pytest.fixture
def folder(tmp_path: Path, _library_of_three: Path) -> Path:
    """The folder of a library of three papers, the test's own."""
    return Path(shutil.copytree(_library_of_three, tmp_path / "Three papers"))


@pytest.fixture
def make_window(qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
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
        theme = window.session.theme
        window.close()
        # Left over windows would be dressed anew with every theme that comes.
        shiboken6.delete(window)
        shiboken6.delete(theme)


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path) -> MainWindow:
    """A window that shows the three papers."""
    made = make_window()
    made.session.open(folder)
    qtbot.waitUntil(lambda: listed(made) == 3, timeout=WAIT_MS)
    return made


@pytest.fixture
def service() -> Iterator[Service]:
    """The service that look-ups are sent to."""
    one = Service()
    yield one
    one.close()
