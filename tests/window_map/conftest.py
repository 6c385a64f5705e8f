"""A real window on a real library with a map of 80 papers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.window_map import mapped_library
from tests.windows import copy_of, ignore_what_offscreen_lacks, listed, windows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder."""
    ignore_what_offscreen_lacks(items, Path(__file__).parent)


@pytest.fixture(scope="session")
def _mapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mapped_library.make(tmp_path_factory.mktemp("libraries") / "Mapped")


@pytest.fixture
def folder(tmp_path: Path, _mapped: Path) -> Path:
    """The folder of a mapped library, the test's own."""
    return copy_of(_mapped, tmp_path)


@pytest.fixture
def make_window(qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    """Makes windows and ends them."""
    with windows(qapp) as make:
        yield make


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path) -> MainWindow:
    """A window on the mapped library."""
    made = make_window()
    made.session.open(folder)
    qtbot.waitUntil(lambda: listed(made) == mapped_library.PAPERS, timeout=mapped_library.WAIT_MS)
    return made
