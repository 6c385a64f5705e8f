"""Whatever backend makes a vector agrees with torch in float32, on every paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.embed.devices import native_bf16
from litscape.embed.onnx_encoder import OnnxEncoder
from litscape.embed.torch_encoder import TorchEncoder
from litscape.models.bundled import bundled_card

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def agree(found: NDArray[np.float32], exact: NDArray[np.float32]) -> None:
    """Cosine of at least 0.999 on every paper, and 98 % of the ten nearest in common."""
    assert found.dtype == np.float32
    assert found.shape == exact.shape
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert float(np.sum(found * exact, axis=1).min()) >= 0.999
    shared = [
        len(set(ours) & set(theirs)) / 10
        for ours, theirs in zip(nearest(found), nearest(exact), strict=True)
    ]
    assert float(np.mean(shared)) >= 0.98


def nearest(vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -np.inf)
    return np.argsort(-scores, axis=1)[:, :10]


def test_all_papers_are_there(example_texts: list[str], some_texts: list[str]) -> None:
    assert (len(example_texts), len(some_texts)) == (480, 160)


def test_the_fastest_format_of_this_machine(
    some_texts: list[str], exact: NDArray[np.float32]
) -> None:
    encoder = TorchEncoder(bundled_card())
    if native_bf16():
        assert "float32" not in encoder.backend
    agree(encoder.encode(some_texts), exact)
    assert encoder.notes == []


def test_onnx(some_texts: list[str], exact: NDArray[np.float32], exported: Path) -> None:
    agree(OnnxEncoder(bundled_card(), exported).encode(some_texts, "paper"), exact)


def test_batches_do_not_change_vectors(some_texts: list[str], exact: NDArray[np.float32]) -> None:
    encoder = TorchEncoder(bundled_card(), device="cpu", dtype="float32")
    encoder.budget = 1
    assert np.allclose(encoder.encode(some_texts[:20]), exact[:20], atol=1e-5)


def test_sentence_transformers_agrees(some_texts: list[str], exact: NDArray[np.float32]) -> None:
    library = pytest.importorskip("sentence_transformers")
    reference = library.SentenceTransformer(str(bundled_card().folder), device="cpu")
    assert np.allclose(reference.encode(some_texts[:32]), exact[:32], atol=1e-5)
