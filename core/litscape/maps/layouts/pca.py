"""Principal components: the plane in which the vectors differ most, at once and always the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.maps.layouts.base import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.maps.layouts.base import Field

_BLOCK = 8192


def principal_plane(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Places (n, 2) of vectors (n, d) along their two principal axes.

    The axes are eigenvectors of the covariance (d, d), which for many papers is far smaller than
    the vectors. An axis points where its largest coefficient is positive, so that the same vectors
    give the same picture everywhere.
    """
    n, d = matrix.shape
    if n == 0 or d == 0:
        return np.zeros((n, 2), dtype=np.float32)
    mean = matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    spread = np.zeros((d, d), dtype=np.float64)
    for start in range(0, n, _BLOCK):
        part = matrix[start : start + _BLOCK] - mean
        spread += part.T @ part
    _sizes, vectors = np.linalg.eigh(spread)
    axes = vectors[:, ::-1][:, :2]
    if axes.shape[1] < 2:
        axes = np.concatenate([axes, np.zeros((d, 1))], axis=1)
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(2)]
    axes = (axes * np.where(largest < 0, -1.0, 1.0)).astype(np.float32)
    plane: NDArray[np.float32] = matrix @ axes - mean @ axes
    return plane


def lay_out(field: Field, ctx: JobContext) -> NDArray[np.float32]:
    """The principal plane; the start of a field is not asked for."""
    ctx.check()
    return principal_plane(field.matrix)


PCA = Layout(
    "pca",
    "PCA",
    "The plane in which papers differ most: at once, but topics overlap.",
    0,
    lay_out,
)
