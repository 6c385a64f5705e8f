"""A real window on libraries that a tiny model can be trained on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.window_train.trainable import make
from tests.windows import copy_of, ignore_what_offscreen_lacks, windows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication

    from litscape_app.window.main_window import MainWindow


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder."""
    ignore_what_offscreen_lacks(items, Path(__file__).parent)


@pytest.fixture(scope="session")
def _trainable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("libraries"))


@pytest.fixture
def folder(tmp_path: Path, _trainable: Path) -> Path:
    """The folder of a library with vectors of two tiny models, the test's own."""
    return copy_of(_trainable, tmp_path)


@pytest.fixture
def make_window(qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    """Makes windows and ends them."""
    with windows(qapp) as make:
        yield make
