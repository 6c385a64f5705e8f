"""Approximate search by hnswlib, for libraries so large that exact search is felt."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.errors import EnvironmentFault
from litscape.index.rows import Rows, in_order

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.index.base import Ids, Vectors

LINKS = 16
EF_CONSTRUCTION = 200
_SEED = 20
EXACT_BELOW = 10_000
"""Up to this many allowed rows, exact search over them is both faster and exact."""
_SLACK = 1024


def available() -> bool:
    """Whether hnswlib can be imported here (it has no wheels for most systems)."""
    try:
        import hnswlib  # noqa: F401
    except ImportError:
        return False
    return True


def search_width(count: int) -> int:
    """Hnswlib's ``ef`` for ``count`` vectors: recall at a fixed width falls as a library grows."""
    return int(np.clip(count // 250, 200, 800))


class HnswIndex:
    """hnswlib's graph for candidates, whose scores are then computed anew from the vectors.

    The graph knows row numbers only, each used once, so that adding an id again after a removal
    can't meet its own removed entry (hnswlib issue 309) and no label repeats (313). Fewer results
    than asked for raise in hnswlib (189, 321): such searches are answered exactly instead.
    """

    kind = "hnsw"

    def __init__(self, dim: int, exact_below: int = EXACT_BELOW) -> None:
        """An empty index of vectors of length ``dim``.

        Args:
            dim: length of the vectors.
            exact_below: up to this many allowed vectors the graph is not asked.

        Raises:
            EnvironmentFault: hnswlib is not installed.
        """
        if not available():
            raise EnvironmentFault(
                "The approximate index needs hnswlib, which is not installed; "
                "install litscape[hnsw], or set the index to exact."
            )
        self._exact_below = exact_below
        self._lock = threading.Lock()
        self._rows = Rows(np.empty(0, dtype=np.int64), np.empty((0, dim), dtype=np.float32))
        self._graph = _new_graph(dim, _SLACK)

    @property
    def count(self) -> int:
        """How many ids can be found."""
        return self._rows.count

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return self._rows.dim

    @property
    def removed_share(self) -> float:
        """Share of the graph that is removed rows; above about 0.3 a new build pays."""
        return 1 - self._rows.count / self._rows.used if self._rows.used else 0.0

    def build(self, ids: Ids, matrix: Vectors) -> None:
        """Replace everything; about 60 s of one core for 100,000 vectors of 384."""
        rows = Rows(ids, matrix)
        graph = _new_graph(rows.dim, rows.used + _SLACK)
        _insert(graph, rows, np.arange(rows.used, dtype=np.int64))
        with self._lock:
            self._rows, self._graph = rows, graph

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Add vectors (m, d); an id that is there already gets its new vector."""
        with self._lock:
            self._drop(ids)
            new = self._rows.append(ids, vectors)
            if self._rows.used > self._graph.get_max_elements():
                self._graph.resize_index(self._rows.used + self._rows.used // 2 + _SLACK)
            _insert(self._graph, self._rows, new)

    def remove(self, ids: Ids) -> None:
        """Make ids unfindable; unknown ones are passed over."""
        with self._lock:
            self._drop(ids)

    def search(self, query: Vectors, k: int, allowed: Ids | None = None) -> tuple[Ids, Vectors]:
        """The ``k`` nearest; see :class:`litscape.index.base.VectorIndex`."""
        queries = np.atleast_2d(np.asarray(query, dtype=np.float32))
        with self._lock:
            rows = None if allowed is None else self._rows.rows_of(allowed)
            ids, scores = self._search(queries, k, rows)
        return (ids, scores) if np.ndim(query) == 2 else (ids[0], scores[0])

    def write_graph(self, path: Path) -> Ids:
        """Write the graph to ``path`` and return the ids of its labels, -1 where removed."""
        with self._lock:
            self._graph.save_index(str(path))
            labels = np.arange(self._rows.used, dtype=np.int64)
            return np.where(self._rows.alive(labels), self._rows.ids_of(labels), -1)

    def read_graph(self, path: Path, labels: Ids, matrix: Vectors) -> None:
        """Take a graph from ``path``: label i is paper ``labels[i]`` (-1: removed), vector i.

        The caller has checked that the file is whole and belongs to these vectors: hnswlib itself
        checks nothing and may read beyond its memory.

        Raises:
            ValueError: the graph does not hold as many rows as there are labels.
        """
        import hnswlib

        graph = hnswlib.Index(space="ip", dim=int(matrix.shape[1]))
        graph.load_index(str(path), max_elements=len(labels) + _SLACK)
        if graph.get_current_count() != len(labels):
            raise ValueError(f"{graph.get_current_count()} rows in {path}, not {len(labels)}")
        rows = Rows(labels, matrix, labels >= 0)
        with self._lock:
            self._rows, self._graph = rows, graph

    def _search(self, queries: Vectors, k: int, rows: Ids | None) -> tuple[Ids, Vectors]:
        available_rows = self._rows.count if rows is None else len(rows)
        k = min(k, available_rows)
        share = available_rows / max(self._rows.used, 1)
        # The graph is walked for k / share neighbours so that about k of them are allowed.
        width = int(1.5 * k / share) + 10 if share > 0 else 0
        if available_rows <= self._exact_below or share < 0.1 or width > self._rows.used // 10:
            return self._rows.search(queries, k, rows)
        found = self._candidates(queries, min(width, self._rows.count))
        if found is None:
            return self._rows.search(queries, k, rows)
        usable = self._rows.alive(found)
        if rows is not None:
            permitted = np.zeros(self._rows.used, dtype=bool)
            permitted[rows] = True
            usable &= permitted[found]
        if int(usable.sum(axis=1).min()) < k:
            return self._rows.search(queries, k, rows)
        scores = np.einsum("md,mcd->mc", queries, self._rows.vectors_at(found))
        scores[~usable] = -np.inf
        ids, ordered = in_order(self._rows.ids_of(found), scores)
        return ids[:, :k], ordered[:, :k]

    def _candidates(self, queries: Vectors, width: int) -> Ids | None:
        """Labels (m, width) near each query; None where the graph can't give so many."""
        self._graph.set_ef(max(search_width(self._rows.count), width + 1))
        try:
            labels, _distances = self._graph.knn_query(queries, k=width)
        except RuntimeError:
            return None
        return np.asarray(labels).astype(np.int64)

    def _drop(self, ids: Ids) -> None:
        for row in self._rows.remove(ids):
            self._graph.mark_deleted(int(row))


def _new_graph(dim: int, capacity: int) -> Any:
    import hnswlib

    graph = hnswlib.Index(space="ip", dim=dim)
    graph.init_index(capacity, M=LINKS, ef_construction=EF_CONSTRUCTION, random_seed=_SEED)
    return graph


def _insert(graph: Any, rows: Rows, which: Ids) -> None:
    if len(which):
        graph.add_items(rows.vectors_at(which), which)
