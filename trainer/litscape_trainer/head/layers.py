"""A head while it is trained: the identity and what is added to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.head.records import HeadLayer

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray


class ResidualHead:
    """``x + A x`` (linear) or ``x + B relu(A x)``; A, or B, is zero at first.

    Args:
        width: of the vectors.
        hidden: of the layer between; 0: linear.
        seed: of A where it is not zero.
    """

    def __init__(self, width: int, hidden: int, seed: int) -> None:
        import torch

        self._width, self._hidden = width, hidden
        if hidden:
            drawn = torch.Generator().manual_seed(seed)
            first = torch.randn(hidden, width, generator=drawn) / np.sqrt(width)
            self._inner = torch.nn.Parameter(first)
        self._outer = torch.nn.Parameter(torch.zeros(width, hidden or width))

    def parameters(self) -> list[torch.nn.Parameter]:
        """What learns."""
        return [self._inner, self._outer] if self._hidden else [self._outer]

    def __call__(self, vectors: torch.Tensor) -> torch.Tensor:
        """Vectors (n, d) to (n, d), not scaled."""
        import torch

        inner = torch.relu(vectors @ self._inner.T) if self._hidden else vectors
        return vectors + inner @ self._outer.T

    def layers(self) -> tuple[HeadLayer, ...]:
        """The same as plain dense layers, which have no residual path of their own.

        The hidden layer carries x as relu(x) and relu(-x) beside what was learnt, and the next
        one puts them together again, exactly.
        """
        one: NDArray[np.float32] = np.eye(self._width, dtype=np.float32)
        outer: NDArray[np.float32] = self._outer.detach().numpy().copy()
        if not self._hidden:
            return (HeadLayer(one + outer),)
        inner: NDArray[np.float32] = self._inner.detach().numpy()
        return (
            HeadLayer(np.concatenate((one, -one, inner)), activation="relu"),
            HeadLayer(np.concatenate((one, -one, outer), axis=1)),
        )
