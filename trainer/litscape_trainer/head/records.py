"""A head on stored vectors: what it is trained from, and what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from litscape_trainer.loop.records import go_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from litscape.models.card import ModelCard
    from litscape_trainer.examples.records import ExampleSet, KnownPositives
    from litscape_trainer.loop.records import Wish
    from litscape_trainer.recipes.recipe import TrainingRecipe

    Apply = Callable[[NDArray[np.float32]], NDArray[np.float32]]
    """Stored vectors (n, d) to unit vectors (n, d) by the head as it is at that moment."""
Activation = Literal["identity", "relu"]
_ROWS = 8192


@dataclass(frozen=True, slots=True)
class HeadJob:
    """One training of a head.

    Attributes:
        recipe: how to train; ``hidden`` is the width of the hidden layer, 0: a linear head.
        card: the model that made the vectors.
        ids: papers, int64 (n,).
        vectors: their stored unit vectors, float32 (n, d), in the order of ``ids``.
        examples: the examples of an epoch, counted from 0; papers without a vector are passed over.
        known: which papers must not be negatives of each other.
        dev: what to choose by, of each query (q,), given what applies the head to vectors; None:
            the last head.
        pool: papers that may stand as negatives, int64 (m,), none that is held out; None: those
            of the examples.
        threads: of torch; None leaves its own choice.
        wish: asked after every step: ``stop`` ends and keeps the best so far. A head keeps no
            checkpoints, so ``pause`` is for whoever may break it off and begin it anew.
    """

    recipe: TrainingRecipe
    card: ModelCard
    ids: NDArray[np.int64]
    vectors: NDArray[np.float32]
    examples: Callable[[int], ExampleSet]
    known: KnownPositives
    dev: Callable[[Apply], NDArray[np.float64]] | None = None
    pool: NDArray[np.int64] | None = None
    threads: int | None = None
    wish: Callable[[], Wish] = go_on


@dataclass(frozen=True, slots=True)
class HeadLayer:
    """One Dense module: ``activation(weight @ x + bias)``; weight (outputs, inputs), float32."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32] | None = None
    activation: Activation = "identity"


@dataclass(frozen=True, slots=True)
class TrainedHead:
    """A trained head; :func:`litscape_trainer.head.save.save_head` makes a model folder of it.

    Attributes:
        layers: applied in order to unit vectors; the result is scaled to unit length.
        step, best_step, best, baseline, dev: as in ``TrainedModel``.
        seconds: of wall clock.
        notes: what a person should know.
    """

    layers: tuple[HeadLayer, ...]
    step: int
    best_step: int
    best: float | None
    baseline: float | None
    dev: tuple[tuple[int, float], ...]
    seconds: float
    notes: tuple[str, ...] = ()

    def apply(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Unit vectors (n, d) of stored unit vectors (n, d), float32: the library re-embedded."""
        out = np.empty((len(vectors), self.layers[-1].weight.shape[0]), dtype=np.float32)
        for start in range(0, len(vectors), _ROWS):
            part = vectors[start : start + _ROWS]
            for layer in self.layers:
                part = part @ layer.weight.T
                if layer.bias is not None:
                    part = part + layer.bias
                if layer.activation == "relu":
                    part = np.maximum(part, 0)
            norms = np.linalg.norm(part, axis=1, keepdims=True)
            out[start : start + _ROWS] = part / np.maximum(norms, 1e-12)
        return out
