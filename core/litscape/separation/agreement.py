"""How clusters agree with labels over seeds, with intervals, and what another model changes.

The interval of a figure covers the draw of papers and the seeds: for each seed papers are drawn
with replacement, and the spread of the figure around its mean over these draws is laid around the
value of the seed. A figure of drawn papers can't be taken as it is: a paper that is drawn twice
agrees with itself, which makes mutual information too large.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.evaluation.bootstrap import Comparison, Estimate, estimate
from litscape.separation.clusters import NONE
from litscape.separation.measures import MEASURES, agreement, tables
from litscape.separation.records import Clustering

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from litscape.separation.clusters import Ground, Method
    from litscape.separation.labels import Labelled

RESAMPLES = 1000
_DRAW = 21
_AT_ONCE = 50


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The clusters of one method and their figures, seed by seed.

    Attributes:
        method: what made them.
        clusters: of each seed, (s, n); :data:`NONE` for a paper without one.
        values: by measure the value of each seed, (s,).
        spread: by measure the figures of drawn papers around their mean, (s, b).
    """

    method: Method
    clusters: NDArray[np.int64]
    values: Mapping[str, NDArray[np.float64]]
    spread: Mapping[str, NDArray[np.float64]]


def run_method(
    method: Method,
    ground: Ground,
    labelled: Labelled,
    seeds: int,
    step: Callable[[str], None],
) -> Runs:
    """Make clusters from each seed and measure them.

    Args:
        method: how.
        ground: of what.
        labelled: the labels that clusters are held against.
        seeds: how many starts.
        step: told what begins; may end the work.
    """
    step(f"{method.title}: start 1 of {seeds}" if method.draws else method.title)
    make = method.start(ground)
    made = [make(0)]
    values: dict[str, list[float]] = {name: [] for name in MEASURES}
    spread: dict[str, list[NDArray[np.float64]]] = {name: [] for name in MEASURES}
    for seed in range(seeds):
        if seed and method.draws:
            step(f"{method.title}: start {seed + 1} of {seeds}")
            made.append(make(seed))
        codes = made[-1]
        own, drawn = _measured(labelled.drawn(seed), codes, seed, seeds)
        for name in MEASURES:
            values[name].append(own[name])
            spread[name].append(drawn[name])
    return Runs(
        method,
        np.stack(made),
        {name: np.array(found) for name, found in values.items()},
        {name: np.stack(found) for name, found in spread.items()},
    )


def _measured(
    labels: NDArray[np.int64], codes: NDArray[np.int64], seed: int, seeds: int
) -> tuple[Mapping[str, float], Mapping[str, NDArray[np.float64]]]:
    """The figures of one seed by scikit-learn, and their spread over drawn papers."""
    from sklearn import metrics
    from sklearn.metrics.cluster import expected_mutual_information

    clusters = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    h, c, v = metrics.homogeneity_completeness_v_measure(labels, clusters)
    own = {
        "homogeneity": float(h),
        "completeness": float(c),
        "v": float(v),
        "ami": float(metrics.adjusted_mutual_info_score(labels, clusters)),
        "ari": float(metrics.adjusted_rand_score(labels, clusters)),
    }
    n = len(labels)
    table = metrics.cluster.contingency_matrix(labels, clusters, sparse=True).astype(np.int64)
    expected = float(expected_mutual_information(table, n))
    rng = np.random.default_rng((_DRAW, seed))
    parts = []
    left = -(-RESAMPLES // seeds)
    while left > 0:
        rows = rng.integers(n, size=(min(_AT_ONCE, left), n))
        parts.append(agreement(tables(labels, clusters, rows), expected))
        left -= len(rows)
    drawn = {name: np.concatenate([part[name] for part in parts]) for name in MEASURES}
    return own, {name: values - values.mean() for name, values in drawn.items()}


def figures(runs: Runs, first: Runs | None) -> Clustering:
    """The figures of a method over its seeds, and what they change over another model's."""
    n = runs.clusters.shape[1]
    noise = None
    if runs.method.leaves_out:
        noise = estimate((runs.clusters[0] == NONE).astype(np.float64), RESAMPLES)
    sizes = [len(np.unique(codes[codes != NONE])) for codes in runs.clusters]
    over = {}
    if first is not None:
        over = {name: _change(runs, first, name, n) for name in MEASURES}
    return Clustering(
        method=runs.method.name,
        title=runs.method.title,
        clusters=int(np.median(sizes)),
        estimates={
            name: _estimate(runs.values[name], runs.spread[name], n, bounded=True)
            for name in MEASURES
        },
        seeds={name: tuple(runs.values[name].tolist()) for name in MEASURES},
        noise=noise,
        over=over,
        note=runs.method.note,
    )


def _estimate(
    values: NDArray[np.float64], spread: NDArray[np.float64], n: int, *, bounded: bool
) -> Estimate:
    pooled = values[:, None] + spread
    low, high = np.percentile(pooled, [2.5, 97.5])
    return Estimate(float(values.mean()), float(low), float(min(high, 1.0) if bounded else high), n)


def _change(runs: Runs, first: Runs, name: str, n: int) -> Comparison:
    """The same papers were drawn for both: what is common to them cancels out."""
    values = runs.values[name] - first.values[name]
    spread = runs.spread[name] - first.spread[name]
    pooled = values[:, None] + spread
    tail = min((pooled <= 0).sum(), (pooled >= 0).sum())
    return Comparison(
        difference=_estimate(values, spread, n, bounded=False),
        wins=int((values > 0).sum()),
        ties=int((values == 0).sum()),
        losses=int((values < 0).sum()),
        p=min(1.0, float(2 * (tail + 1) / (pooled.size + 1))),
    )
