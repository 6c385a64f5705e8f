"""How sure a figure is: percentile bootstrap over queries, paired where two rankings meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES = 10_000
_SEED = 20
_BLOCK = 500


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over ``n`` queries with its 95 % interval."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Mean of paired differences (second minus first) with its 95 % interval.

    Attributes:
        difference: the estimate of the mean difference.
        wins: queries where the second is better.
        ties: queries where both are equal.
        losses: queries where the first is better.
        p: two-sided p of a paired randomisation (sign-flipping) test.
    """

    difference: Estimate
    wins: int
    ties: int
    losses: int
    p: float

    @property
    def certain(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.difference.low > 0 or self.difference.high < 0


def estimate(
    values: NDArray[np.float64], resamples: int = RESAMPLES, seed: int = _SEED
) -> Estimate:
    """Mean of one value a query (n,) and its interval.

    Raises:
        ValueError: there are no values.
    """
    if not len(values):
        raise ValueError("an interval needs at least one query")
    rng = np.random.default_rng(seed)
    means = np.concatenate(
        [
            values[rng.integers(len(values), size=(size, len(values)))].mean(axis=1)
            for size in _blocks(resamples)
        ]
    )
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(float(values.mean()), float(low), float(high), len(values))


def compare(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    resamples: int = RESAMPLES,
    seed: int = _SEED,
) -> Comparison:
    """What changes from ``first`` (n,) to ``second`` (n,), values of the same queries in order.

    Raises:
        ValueError: the two do not belong together, or there are no values.
    """
    if first.shape != second.shape:
        raise ValueError(f"values of {len(first)} and of {len(second)} queries are not pairs")
    differences = second - first
    rng = np.random.default_rng(seed + 1)
    observed = abs(float(differences.mean())) if len(differences) else 0.0
    extreme = 0
    for size in _blocks(resamples):
        signs = rng.integers(0, 2, size=(size, len(differences)), dtype=np.int8) * 2 - 1
        flipped = np.abs((signs * differences).mean(axis=1))
        extreme += int((flipped >= observed - 1e-12).sum())
    return Comparison(
        difference=estimate(differences, resamples, seed),
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
        p=(extreme + 1) / (resamples + 1),
    )


def _blocks(total: int) -> list[int]:
    """Sizes of parts that sum to ``total``: memory stays small whatever the number of queries."""
    full, rest = divmod(total, _BLOCK)
    return [_BLOCK] * full + ([rest] if rest else [])
