"""t-SNE by openTSNE, from the library's neighbour graph.

van der Maaten, Hinton: Visualizing Data using t-SNE, JMLR 9 (2008); the interpolated gradient of
Linderman et al., Nature Methods 16 (2019), where there are enough papers for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.maps.layouts.base import Layout, Rounds
from litscape.maps.steps import ROUNDS, Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.maps.layouts.base import Field

PERPLEXITY = 30
NEIGHBOURS = 3 * PERPLEXITY
EARLY, LATE = 250, 500
EXAGGERATION, MOMENTUM = 12, 0.8
INTERPOLATED_FROM = 3000
"""Papers from which interpolating repulsion is quicker than Barnes and Hut's tree."""
CELL = 2.0
"""Side of the cells that repulsion is interpolated by; openTSNE's 1 takes twice as long and
keeps as many neighbours (decision 17)."""
_START_SPREAD = 1e-4
_EVERY = 5


def lay_out(field: Field, ctx: JobContext) -> NDArray[np.float32]:
    """Places by t-SNE, one thread, the same for the same seed."""
    graph = field.neighbours(NEIGHBOURS)
    ctx.progress(0, 20, "Getting t-SNE ready")
    from openTSNE import TSNEEmbedding
    from openTSNE.affinity import PerplexityBasedNN
    from openTSNE.nearest_neighbors import PrecomputedNeighbors

    ctx.progress(1, 20, "Weighing neighbours")
    # Of unit vectors, whose squared distance is twice the cosine distance.
    distances = np.sqrt(2.0 * graph.distances.astype(np.float64))
    affinities = PerplexityBasedNN(
        perplexity=min(PERPLEXITY, graph.k / 3),
        knn_index=PrecomputedNeighbors(graph.indices, distances),
        n_jobs=1,
        random_state=field.seed,
    )
    picture = TSNEEmbedding(
        _start(field),
        affinities,
        n_jobs=1,
        random_state=field.seed,
        negative_gradient_method="bh" if len(field) < INTERPOLATED_FROM else "fft",
        ints_in_interval=CELL,
    )
    rounds = Rounds(Part(ctx, ROUNDS), field, "t-SNE", EARLY + LATE)
    done = 0

    def told(step: int, _error: float, xy: NDArray[np.float64]) -> bool:
        rounds.done(done + step, xy)
        return False

    for steps, exaggeration in ((EARLY, EXAGGERATION), (LATE, 1)):
        picture = picture.optimize(
            n_iter=steps,
            exaggeration=exaggeration,
            momentum=MOMENTUM,
            learning_rate="auto",
            callbacks=told,
            callbacks_every_iters=_EVERY,
        )
        done += steps
    return np.asarray(picture, dtype=np.float32)


def _start(field: Field) -> NDArray[np.float64]:
    """The start so small that attraction acts first (Kobak, Berens, Nature Comm. 10, 2019)."""
    random = np.random.RandomState(field.seed)
    spread = float(field.start[:, 0].std()) or 1.0
    start = field.start.astype(np.float64) * (_START_SPREAD / spread)
    # No two papers at the same place: nothing would part them.
    return start + random.normal(scale=_START_SPREAD / 100, size=start.shape)


TSNE = Layout(
    "tsne",
    "t-SNE",
    "Keeps most neighbours, so it is the one to judge separation by; takes longer.",
    10,
    lay_out,
)
