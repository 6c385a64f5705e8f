"""A small real model, its export made once, and an engine that always ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.exported import TINY

from litscape.engine import Engine, WorkerOptions
from litscape.models.folder import read_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape.models import ModelCard


@pytest.fixture
def card(home: Path) -> ModelCard:
    """The small model, not yet exported in this test's home."""
    return read_folder(TINY)


@pytest.fixture
def prepared(tiny_prepared: None) -> ModelCard:
    """The small model with its export in place."""
    return read_folder(TINY)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(WorkerOptions(device="cpu", threads=2)) as opened:
        yield opened
