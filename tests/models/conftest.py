"""A small real model folder to change at will."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A copy of a random two-layer encoder, 24 dimensions, in sentence-transformers' layout."""
    return Path(shutil.copytree(TINY, tmp_path / "tiny-encoder"))
