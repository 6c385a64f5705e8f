"""Real encoders: the bundled one over the example library, and a small one to change at will."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.exported import TINY

from litscape.embed.text import paper_text
from litscape.embed.torch_encoder import TorchEncoder
from litscape.models.bundled import bundled_card
from litscape_resources import example_library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tests.exported import Exports


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A copy of a random two-layer encoder, 24 dimensions, in sentence-transformers' layout."""
    return Path(shutil.copytree(TINY, tmp_path / "tiny-encoder"))


@pytest.fixture(scope="session")
def example_texts() -> list[str]:
    """The texts of all 480 papers of the example library."""
    lines = example_library().read_text(encoding="utf-8").splitlines()
    papers = [json.loads(line) for line in lines]
    texts = [paper_text(bundled_card(), p["title"], p["abstract"]) for p in papers]
    return [text for text in texts if text]


@pytest.fixture(scope="session")
def some_texts(example_texts: list[str]) -> list[str]:
    """Those of every third paper, from all of its subjects: encoding all takes a minute."""
    return example_texts[::3]


@pytest.fixture(scope="session")
def exact(some_texts: list[str]) -> NDArray[np.float32]:
    """Their vectors by torch in float32: the reference."""
    return TorchEncoder(bundled_card(), device="cpu", dtype="float32").encode(some_texts)


@pytest.fixture(scope="session")
def exported(exports: Exports) -> Path:
    """The bundled encoder's export."""
    return exports.of(bundled_card())
