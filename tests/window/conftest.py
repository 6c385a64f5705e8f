"""A real window on a real library of a few papers, driven like a person would."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.exported import TINY
from tests.window.driving import PAPERS, WAIT_MS, listed
from tests.windows import copy_of, ignore_what_offscreen_lacks, library_of, windows

from litscape.library import Library
from litscape_app.window.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder."""
    ignore_what_offscreen_lacks(items, Path(__file__).parent)


@pytest.fixture(scope="session")
def _library_of_five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library_of(PAPERS, tmp_path_factory.mktemp("libraries") / "Some library")


@pytest.fixture
def folder(tmp_path: Path, _library_of_five: Path) -> Path:
    """The folder of a library of five papers, the test's own."""
    return copy_of(_library_of_five, tmp_path)


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    """The look, which belongs to the application and not to a window."""
    return Theme(qapp, "light")


@pytest.fixture
def make_window(qapp: QApplication, theme: Theme) -> Iterator[Callable[..., MainWindow]]:
    """Makes windows and ends them."""
    theme.choose("light")
    with windows(qapp, theme) as make:
        yield make


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path) -> MainWindow:
    """A window that shows the five papers."""
    made = make_window()
    made.session.open(folder)
    qtbot.waitUntil(lambda: listed(made) == 5, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: made.tree.model.rowCount() > 2, timeout=WAIT_MS)
    return made


@pytest.fixture
def tiny_model(folder: Path, tmp_path: Path, tiny_prepared: None) -> Path:
    """The library's active model: a random encoder of two layers, quick to run, exported before."""
    place = Path(shutil.copytree(TINY, tmp_path / "tiny-encoder"))
    with Library.open(folder) as library:
        library.models.activate(library.models.add_folder(place).version)
    return place
