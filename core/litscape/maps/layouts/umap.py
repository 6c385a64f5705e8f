"""UMAP by umap-learn, from the library's neighbour graph.

McInnes, Healy, Melville: UMAP, arXiv:1802.03426. The parts of ``umap.UMAP.fit`` are called one by
one, so that the graph need not be searched for again and the places, which are moved where they
stand, can be shown while the work goes on.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from litscape.maps.layouts.base import Layout, Rounds
from litscape.maps.steps import ROUNDS, Part

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.maps.layouts.base import Field
    from litscape.maps.records import NeighbourGraph

NEIGHBOURS = 15
"""As umap-learn counts them: the paper itself is the first."""
EPOCHS = 200
MIN_DIST, SPREAD = 0.1, 1.0
NEGATIVES = 5.0
_SPAN = 10.0
_NOISE = 1e-4


def lay_out(field: Field, ctx: JobContext) -> NDArray[np.float32]:
    """Places by UMAP, one thread, the same for the same seed."""
    graph = field.neighbours(NEIGHBOURS - 1)
    ctx.progress(0, 20, "Getting UMAP ready")
    from numba import set_num_threads

    set_num_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)  # of Keras, which is not needed
        from umap.layouts import optimize_layout_euclidean
        from umap.umap_ import find_ab_params, make_epochs_per_sample
    random = np.random.RandomState(field.seed)
    ctx.progress(1, 20, "Weighing neighbours")
    edges = _edges(field, graph, random).tocoo()
    edges.sum_duplicates()
    edges.data[edges.data < edges.data.max() / EPOCHS] = 0.0
    edges.eliminate_zeros()
    ctx.check()
    xy = _spread_out(field.start, random)
    a, b = find_ab_params(SPREAD, MIN_DIST)
    rounds = Rounds(Part(ctx, ROUNDS), field, "UMAP", EPOCHS)
    placed: NDArray[np.float32] = optimize_layout_euclidean(
        xy,
        xy,
        edges.row,
        edges.col,
        EPOCHS,
        len(field),
        make_epochs_per_sample(edges.data, EPOCHS),
        a,
        b,
        random.randint(np.iinfo(np.int32).min + 1, np.iinfo(np.int32).max - 1, 3).astype(np.int64),
        negative_sample_rate=NEGATIVES,
        tqdm_kwds=_told_by_epoch(lambda epoch: rounds.done(epoch, xy)),
        move_other=True,
    )
    return placed


def _edges(field: Field, graph: NeighbourGraph, random: np.random.RandomState) -> Any:
    """The fuzzy simplicial set as a SciPy matrix (n, n)."""
    from umap.umap_ import fuzzy_simplicial_set

    own = np.arange(len(graph), dtype=np.int32)[:, None]
    edges, _sigmas, _rhos = fuzzy_simplicial_set(
        field.matrix,
        graph.k + 1,
        random,
        "cosine",
        knn_indices=np.concatenate([own, graph.indices], axis=1),
        knn_dists=np.concatenate([np.zeros_like(own, np.float32), graph.distances], axis=1),
    )
    return edges


def _spread_out(start: NDArray[np.float32], random: np.random.RandomState) -> NDArray[np.float32]:
    """The start at the size that UMAP expects, no two papers at the same place."""
    size = float(np.abs(start).max()) or 1.0
    noise = random.normal(scale=_NOISE * _SPAN, size=start.shape)
    return np.ascontiguousarray(start * (_SPAN / size) + noise, dtype=np.float32)


def _told_by_epoch(tell: Callable[[int], None]) -> dict[str, Any]:
    """Options that make tqdm, which counts UMAP's epochs, a place to hear of them and to stop."""

    class Listener:
        def write(self, text: str) -> None:
            number = text.strip()
            if number.isdigit():
                tell(int(number))

        def flush(self) -> None:
            """Nothing is held back."""

    return {
        "file": Listener(),
        "disable": False,
        "bar_format": "{n}",
        "mininterval": 0,
        "miniters": 1,
        "leave": False,
    }


UMAP = Layout(
    "umap",
    "UMAP",
    "Topics as islands: quick, and good for finding one's way.",
    8,
    lay_out,
)
