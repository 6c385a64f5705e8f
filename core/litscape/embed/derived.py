"""Vectors of a model that is another one with layers on top: by a matrix product, no text read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.embed.text import fingerprint, paper_text
from litscape.store.papers import texts_for_embedding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from litscape.models.card import DenseLayer, ModelCard
    from litscape.models.registry import ModelRegistry
    from litscape.paper import PaperId
    from litscape.store.database import Database
    from litscape.vectors.store import VectorStore

BACKEND = "float/derived"
_PART = 1024


@dataclass(frozen=True, eq=False)
class Head:
    """The layers that a model has above another one.

    Attributes:
        below: the card of the other model.
        layers: what each is, with its weight (outputs, inputs) and its bias (outputs,).
    """

    below: ModelCard
    layers: tuple[tuple[DenseLayer, NDArray[np.float32], NDArray[np.float32] | None], ...]

    def apply(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Unit vectors (n, d) of the upper model from those of the lower one, float32."""
        found = vectors
        for layer, weight, bias in self.layers:
            found = found @ weight.T
            if bias is not None:
                found = found + bias
            found = _ACTIVATIONS[layer.activation](found)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (found / np.maximum(lengths, 1e-12)).astype(np.float32)
        return unit


def _relu(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.maximum(values, 0)


def _same(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return values


def _tanh(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.tanh(values)


_ACTIVATIONS = {"identity": _same, "relu": _relu, "tanh": _tanh}


def head_of(card: ModelCard, registry: ModelRegistry) -> Head | None:
    """What a model has above the one that it was made on.

    Returns:
        None where it is none of these, where the other is gone, or where its vectors would not
        give the same.
    """
    if card.head_of is None:
        return None
    below = next((one for one in registry.available() if one.version == card.head_of), None)
    if below is None or (below.separator, below.paper_prefix) != (
        card.separator,
        card.paper_prefix,
    ):
        return None
    above = card.dense[len(below.dense) :]
    plain = all(not one.bias and one.activation == "identity" for one in above)
    if not above or any(one.activation not in _ACTIVATIONS for one in above):
        return None
    if not plain and len(below.dense) not in card.unit_before:
        return None  # stored vectors are of unit length, and this one wants them as they were
    return Head(below, tuple((one, *_weights(card, one)) for one in above))


def _weights(
    card: ModelCard, layer: DenseLayer
) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
    from safetensors.numpy import load_file

    tensors = load_file(card.folder / layer.folder / "model.safetensors")
    bias = tensors["linear.bias"].astype(np.float32) if layer.bias else None
    return tensors["linear.weight"].astype(np.float32), bias


def derive(
    database: Database,
    vectors: VectorStore,
    card: ModelCard,
    head: Head,
    papers: Sequence[PaperId],
) -> Iterator[int]:
    """Store vectors of papers whose text has a sound vector of the lower model.

    Yields:
        How many were stored so far.

    Raises:
        EnvironmentFault: the disk is full.
    """
    marks = vectors.marks(head.below.version).sound
    below = vectors.snapshot(head.below.version)
    rows = {paper: row for row, paper in enumerate(below.ids.tolist())}
    done = 0
    for start in range(0, len(papers), _PART):
        with database.read() as conn:
            texts = list(texts_for_embedding(conn, list(papers[start : start + _PART])))
        ready: list[tuple[PaperId, bytes]] = []
        for paper, title, abstract in texts:
            text = paper_text(card, title, abstract)
            known = marks.get(paper)
            if text is None or known is None or paper not in rows:
                continue
            if known[0] == fingerprint(head.below, text):
                ready.append((paper, fingerprint(card, text)))
        if ready:
            ids = [paper for paper, _mark in ready]
            matrix = head.apply(below.matrix[[rows[paper] for paper in ids]])
            vectors.write(card.version, ids, matrix, [mark for _p, mark in ready], BACKEND)
            done += len(ids)
            yield done
