"""What crosses the borders of maps: which papers, the places they got, and their neighbours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALL_PAPERS = "All papers"


@dataclass(frozen=True, slots=True)
class MapScope:
    """Which papers a map or its topics are of.

    Attributes:
        title: as a person reads it: ``All papers``, ``Collection Ponds``, ``Search: bert``.
        ids: the papers; None for the whole library as it is at the time.
    """

    title: str = ALL_PAPERS
    ids: tuple[int, ...] | None = None


WHOLE_LIBRARY = MapScope()


@dataclass(frozen=True, slots=True)
class MapInfo:
    """One stored map, without its places.

    Attributes:
        key: its number.
        version: the model version whose vectors it shows.
        layout: ``pca``, ``umap`` or ``tsne``.
        seed: of everything random in it.
        title: of its scope.
        whole: whether it is of the whole library.
        papers: how many have a place.
        placed: how many of these were laid in later.
        made_at: when (UTC, ISO 8601).
        started_from: key of the map whose places it began with, if any.
    """

    key: int
    version: str
    layout: str
    seed: int
    title: str
    whole: bool
    papers: int
    placed: int
    made_at: str
    started_from: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MapLayout:
    """One stored picture: a place for each paper that can have one.

    Attributes:
        key: its number in the library.
        version: the model version whose vectors it shows.
        layout: ``pca``, ``umap`` or ``tsne``.
        seed: of everything random in it.
        scope: which papers it is of.
        made_at: when (UTC, ISO 8601).
        ids: papers with a place that are in the library, int64 (n,).
        xy: their places, float32 (n, 2), always finite.
        placed: which of them were laid in later without moving others, bool (n,).
        missing: how many live papers of the scope have no place.
        sentence: what a person should know about it; empty where there is nothing.
        started_from: key of the map whose places it began with, if any.
    """

    key: int
    version: str
    layout: str
    seed: int
    scope: MapScope
    made_at: str
    ids: NDArray[np.int64]
    xy: NDArray[np.float32]
    placed: NDArray[np.bool_]
    missing: int = 0
    sentence: str = ""
    started_from: int | None = None

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class PartialMap:
    """A picture while it is refined: what ``ctx.partial`` hands over.

    Attributes:
        ids: papers, int64 (n,).
        xy: their places so far, float32 (n, 2).
        step: rounds done; 0 for the first picture, by PCA.
        steps: rounds in all.
    """

    ids: NDArray[np.int64]
    xy: NDArray[np.float32]
    step: int
    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourGraph:
    """The nearest neighbours of each paper by cosine, itself left out.

    Attributes:
        ids: papers, int64 (n,), ascending.
        indices: rows of ``ids``, nearest first, int32 (n, k); k is smaller than what was asked
            for where there are too few papers.
        distances: cosine distances 1 - cos, float32 (n, k).
        exact: whether the neighbours are surely the nearest.
    """

    ids: NDArray[np.int64]
    indices: NDArray[np.int32]
    distances: NDArray[np.float32]
    exact: bool = True

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def k(self) -> int:
        """Neighbours of each paper."""
        return int(self.indices.shape[1])

    def nearest(self, k: int) -> NeighbourGraph:
        """The same graph with only the ``k`` nearest of each."""
        return NeighbourGraph(
            self.ids, self.indices[:, :k], self.distances[:, :k], exact=self.exact
        )


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """Two maps laid over each other, for the papers that both have.

    Attributes:
        ids: these papers, int64 (n,), ascending.
        before_xy: their places in the first map, centred, scaled to a mean square of 1 (n, 2).
        after_xy: those in the second, turned, mirrored and scaled to lie over the first (n, 2).
        moved: how far each paper lies from where it was, float32 (n,), in the same unit.
        movers: the papers that moved, the farthest first, int64 (n,).
        disparity: what is left of the squared distance, 0 (the same picture) to 1.
    """

    ids: NDArray[np.int64]
    before_xy: NDArray[np.float32]
    after_xy: NDArray[np.float32]
    moved: NDArray[np.float32]
    movers: NDArray[np.int64]
    disparity: float = field(default=0.0)

    def __len__(self) -> int:
        return len(self.ids)
