"""The index over the active model's vectors: made when first needed, kept up with the vectors."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from litscape.index import ExactIndex, HnswIndex, choose, files
from litscape.jobs import null_context

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape.index import IndexChoice, VectorIndex
    from litscape.index.base import Ids, Vectors
    from litscape.jobs import JobContext
    from litscape.models.card import ModelCard
    from litscape.models.registry import ModelRegistry
    from litscape.vectors.store import VectorSnapshot, VectorStore

MAX_INLINE = 2000
"""A graph takes up to so many changed vectors within a search; more wait for ``prepare``."""
REBUILD_ABOVE = 0.3
"""A graph with more than this share of removed rows is built anew."""
_PART = 5000
_NO_VECTORS = (
    "No paper has a vector of the model {version} yet: compute similarity to search by meaning."
)
_DAMAGED = (
    "The vectors of the model {version} in {folder} are damaged or missing: compute similarity "
    "again; nothing else is lost."
)

IndexState = Literal["none", "ready", "to build"]


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """What ``info`` tells of the index.

    Attributes:
        kind: the index that is wished for: ``exact`` or ``hnsw``.
        state: ``none`` without vectors; ``to build`` while exact search stands in for a graph.
        count: vectors that can be found.
        model: the model version they come from.
        note: what the reader should know, such as a missing hnswlib.
    """

    kind: str
    state: IndexState
    count: int
    model: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """An index and the vectors it serves."""

    card: ModelCard
    snapshot: VectorSnapshot
    index: VectorIndex
    choice: IndexChoice

    def rows_of(self, papers: Ids) -> tuple[Ids, Vectors]:
        """Those of the papers that have a vector, and the vectors (m, d), in the order asked."""
        order = np.argsort(self.snapshot.ids, kind="stable")
        ordered = self.snapshot.ids[order]
        at = np.minimum(np.searchsorted(ordered, papers), len(ordered) - 1)
        there = ordered[at] == papers
        return papers[there], self.snapshot.matrix[order[at[there]]]

    def cosines(self, papers: Ids, vector: Vectors) -> NDArray[np.float64]:
        """The cosine of each paper's vector with a unit vector (d,): (n,); NaN without one."""
        found = np.full(len(papers), np.nan)
        known, rows = self.rows_of(papers)
        found[np.isin(papers, known)] = rows @ vector
        return found


class SemanticIndex:
    """The vectors of the active model, ready to be searched from any thread."""

    def __init__(
        self,
        vectors: VectorStore,
        registry: ModelRegistry,
        folder: Path,
        setting: str = "auto",
    ) -> None:
        """Nothing is read yet.

        Args:
            vectors: the library's vectors.
            registry: which model version is active.
            folder: where graphs are cached, one folder a model version.
            setting: ``auto``, ``exact`` or ``hnsw``.
        """
        self._vectors = vectors
        self._registry = registry
        self._folder = folder
        self._setting = setting
        self._lock = threading.Lock()
        self._loaded: Loaded | None = None

    def current(self) -> Loaded | None:
        """The index over the vectors as they are now; None where the active model has none."""
        with self._lock:
            card = self._registry.active()
            snapshot = self._vectors.snapshot(card.version)
            if not len(snapshot.ids):
                return None
            loaded = self._loaded
            if loaded is None or loaded.card.version != card.version:
                loaded = self._first(card, snapshot)
            elif loaded.snapshot.revision != snapshot.revision:
                loaded = self._refreshed(loaded, snapshot)
            self._loaded = loaded
            return loaded

    def prepare(self, ctx: JobContext | None = None) -> IndexInfo:
        """Build and save the graph where one is wished for and not there; minutes when large."""
        ctx = ctx or null_context()
        loaded = self.current()
        if loaded is None or loaded.choice.kind == "exact":
            return self.info()
        graph = loaded.index
        if isinstance(graph, HnswIndex) and graph.removed_share <= REBUILD_ABOVE:
            folder = self._folder / loaded.card.version
            content = files.content_hash(loaded.snapshot.ids, loaded.snapshot.matrix)
            if files.saved_content(folder) != content:
                files.save(graph, folder, loaded.card.version, content)
            return self.info()
        snapshot = loaded.snapshot
        graph = HnswIndex(int(snapshot.matrix.shape[1]))
        for start in range(0, len(snapshot.ids), _PART):
            ctx.progress(start, len(snapshot.ids), "Building the search index")
            part = slice(start, start + _PART)
            graph.add(snapshot.ids[part], snapshot.matrix[part])
        content = files.content_hash(snapshot.ids, snapshot.matrix)
        files.save(graph, self._folder / loaded.card.version, loaded.card.version, content)
        with self._lock:
            self._loaded = replace(loaded, index=graph)
        return self.info()

    def info(self) -> IndexInfo:
        """What kind of index serves, and how it stands."""
        loaded = self.current()
        if loaded is None:
            card = self._registry.active()
            choice = choose(0, card.dim, self._setting)
            return IndexInfo(choice.kind, "none", 0, card.version, choice.note)
        state: IndexState = "ready" if loaded.index.kind == loaded.choice.kind else "to build"
        return IndexInfo(
            loaded.choice.kind, state, loaded.index.count, loaded.card.version, loaded.choice.note
        )

    def lacking(self) -> str:
        """Why there is no vector to search by, and what to do."""
        version = self._registry.active().version
        sentence = _DAMAGED if self._vectors.lost(version) else _NO_VECTORS
        return sentence.format(version=version, folder=self._vectors.folder / version)

    def lost(self) -> int:
        """How many papers had a vector of the active model that is damaged now."""
        return self._vectors.lost(self._registry.active().version)

    def _first(self, card: ModelCard, snapshot: VectorSnapshot) -> Loaded:
        choice = choose(len(snapshot.ids), int(snapshot.matrix.shape[1]), self._setting)
        graph = None
        if choice.kind == "hnsw":
            folder = self._folder / card.version
            graph = files.load(folder, card.version, snapshot.ids, snapshot.matrix)
        return Loaded(card, snapshot, graph or _exact(snapshot), choice)

    def _refreshed(self, loaded: Loaded, snapshot: VectorSnapshot) -> Loaded:
        """The same for changed vectors: a graph takes few changes in, exact search any number."""
        choice = choose(len(snapshot.ids), int(snapshot.matrix.shape[1]), self._setting)
        index = loaded.index
        if choice.kind == "hnsw" and isinstance(index, HnswIndex):
            gone, rows = changes(loaded.snapshot, snapshot)
            if len(gone) + len(rows) <= MAX_INLINE:
                index.remove(gone)
                index.add(snapshot.ids[rows], snapshot.matrix[rows])
                return Loaded(loaded.card, snapshot, index, choice)
        return Loaded(loaded.card, snapshot, _exact(snapshot), choice)


def changes(old: VectorSnapshot, new: VectorSnapshot) -> tuple[Ids, Ids]:
    """Ids that ``new`` lacks, and the rows of ``new`` that are not in ``old`` as they are."""
    gone = np.setdiff1d(old.ids, new.ids)
    order = np.argsort(old.ids, kind="stable")
    ordered = old.ids[order]
    at = np.minimum(np.searchsorted(ordered, new.ids), max(len(ordered) - 1, 0))
    fresh = np.ones(len(new.ids), dtype=bool)
    if len(ordered):
        known = np.flatnonzero(ordered[at] == new.ids)
        for start in range(0, len(known), _PART):
            rows = known[start : start + _PART]
            fresh[rows] = (old.matrix[order[at[rows]]] != new.matrix[rows]).any(axis=1)
    return gone, np.flatnonzero(fresh)


def _exact(snapshot: VectorSnapshot) -> ExactIndex:
    index = ExactIndex(int(snapshot.matrix.shape[1]))
    index.build(snapshot.ids, snapshot.matrix)
    return index
