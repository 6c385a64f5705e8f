"""Real encoders: the bundled one over the example library, and a small one to change at will."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape.embed.onnx_export import export
from litscape.embed.text import paper_text
from litscape.embed.torch_encoder import TorchEncoder
from litscape.models.bundled import bundled_card
from litscape.models.folder import read_folder
from litscape_resources import example_library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"


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
def exact(example_texts: list[str]) -> NDArray[np.float32]:
    """Their vectors by torch in float32: the reference."""
    return TorchEncoder(bundled_card(), device="cpu", dtype="float32").encode(example_texts)


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled encoder's export, made once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITSCAPE_HOME", str(tmp_path_factory.mktemp("export")))
        return export(bundled_card())


@pytest.fixture(scope="session")
def tiny_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with the small encoder's export, made once."""
    home = tmp_path_factory.mktemp("tiny-export")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITSCAPE_HOME", str(home))
        export(read_folder(TINY))
    return home / "cache"


@pytest.fixture
def tiny_export(tiny_cache: Path, home: Path) -> Path:
    """The small encoder's export in this test's home."""
    return Path(shutil.copytree(tiny_cache, home / "cache", dirs_exist_ok=True))
