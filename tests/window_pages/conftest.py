"""A real window on a real library of three papers, and a service that answers look-ups."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.window_pages.pages_driving import PAPERS, WAIT_MS, Service, listed
from tests.windows import copy_of, ignore_what_offscreen_lacks, library_of, windows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder."""
    ignore_what_offscreen_lacks(items, Path(__file__).parent)


@pytest.fixture(scope="session")
def _library_of_three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library_of(PAPERS, tmp_path_factory.mktemp("libraries") / "Three papers")


@pytest.fixture
def folder(tmp_path: Path, _library_of_three: Path) -> Path:
    """The folder of a library of three papers, the test's own."""
    return copy_of(_library_of_three, tmp_path)


@pytest.fixture
def make_window(qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    """Makes windows and ends them."""
    with windows(qapp) as make:
        yield make


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
