"""A small real model, its export made once, and an engine that always ends."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape.engine import Engine, WorkerOptions
from litscape.models.folder import read_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.models import ModelCard

TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with the small model's export, made by an engine."""
    home = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch, Engine() as engine:
        patch.setenv("LITSCAPE_HOME", str(home))
        engine.export(read_folder(TINY))
    return home / "cache"


@pytest.fixture
def card(home: Path) -> ModelCard:
    """The small model, not yet exported in this test's home."""
    return read_folder(TINY)


@pytest.fixture
def prepared(made: Path, home: Path) -> ModelCard:
    """The small model with its export in place."""
    shutil.copytree(made, home / "cache", dirs_exist_ok=True)
    return read_folder(TINY)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(WorkerOptions(device="cpu", threads=2)) as opened:
        yield opened
