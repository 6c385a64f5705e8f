"""Vectors with ids in growing memory, and exact search over them: what both indexes share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.index.base import Ids, Vectors

GATHER_SHARE = 0.15
"""Below this share of allowed rows, gathering them beats a full product with a mask."""
_QUERIES_AT_ONCE = 64
_SPARSE, _SPARSE_SLACK = 16, 1 << 16


class Rows:
    """Ids and vectors by row number; a removed row keeps its number and is never handed out again.

    Row numbers only grow, so that they can serve as labels elsewhere.
    """

    def __init__(self, ids: Ids, matrix: Vectors, alive: NDArray[np.bool_] | None = None) -> None:
        """Take over ``ids`` (n,) and ``matrix`` (n, d) without copying where types fit.

        Raises:
            ValueError: shapes do not fit, or a findable id stands twice.
        """
        self._ids = np.ascontiguousarray(ids, dtype=np.int64)
        self._matrix = np.ascontiguousarray(matrix, dtype=np.float32)
        if self._matrix.ndim != 2 or len(self._ids) != len(self._matrix):
            raise ValueError(f"{self._ids.shape} ids with vectors {self._matrix.shape}")
        self._alive = np.ones(len(self._ids), dtype=bool) if alive is None else alive
        self._used = len(self._ids)
        self._sort()

    @property
    def used(self) -> int:
        """Rows handed out so far, removed ones included."""
        return self._used

    @property
    def count(self) -> int:
        """Rows that can be found."""
        return len(self._sorted_ids)

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self._matrix.shape[1])

    def ids_of(self, rows: Ids) -> Ids:
        """Ids at rows, any shape."""
        return self._ids[rows]

    def alive(self, rows: Ids) -> NDArray[np.bool_]:
        """Which of the rows have not been removed, any shape."""
        return self._alive[rows]

    def append(self, ids: Ids, vectors: Vectors) -> Ids:
        """Add vectors (m, d) of ids that are not there, and return their row numbers."""
        start, end = self._used, self._used + len(ids)
        if end > len(self._ids):
            self._grow(max(end, len(self._ids) + len(self._ids) // 2 + 64))
        self._ids[start:end] = ids
        self._matrix[start:end] = vectors
        self._alive[start:end] = True
        self._used = end
        self._sort()
        return np.arange(start, end, dtype=np.int64)

    def remove(self, ids: Ids) -> Ids:
        """Make ids unfindable and return the rows they had; unknown ids are passed over."""
        rows = self.rows_of(ids)
        if len(rows):
            self._alive[rows] = False
            self._sort()
        return rows

    def rows_of(self, ids: Ids) -> Ids:
        """Rows of those of the ids that are there, ascending and each once."""
        wanted = np.asarray(ids, dtype=np.int64)
        if self._row_of is not None:
            wanted = wanted[(wanted >= 0) & (wanted < len(self._row_of))]
            rows = self._row_of[wanted]
            rows = rows[rows >= 0]
        elif self.count:
            at = np.minimum(np.searchsorted(self._sorted_ids, wanted), self.count - 1)
            rows = self._sorted_rows[at[self._sorted_ids[at] == wanted]]
        else:
            rows = np.empty(0, dtype=np.int64)
        there = np.zeros(self._used, dtype=bool)
        there[rows] = True
        return np.flatnonzero(there)

    def vectors_at(self, rows: Ids) -> Vectors:
        """Vectors at rows, any shape: (…, d)."""
        return self._matrix[rows]

    def search(self, queries: Vectors, k: int, rows: Ids | None) -> tuple[Ids, Vectors]:
        """Exact search of queries (m, d) over the given rows (all findable where None).

        Returns:
            Ids and inner products (m, k'), best first, ties by id.
        """
        available = self.count if rows is None else len(rows)
        k = min(k, available)
        found = np.empty((len(queries), k), dtype=np.int64)
        scores = np.empty((len(queries), k), dtype=np.float32)
        if k <= 0:
            return found[:, :0], scores[:, :0]
        for start in range(0, len(queries), _QUERIES_AT_ONCE):
            part = slice(start, start + _QUERIES_AT_ONCE)
            found[part], scores[part] = self._search_some(queries[part], k, rows)
        return found, scores

    def _search_some(self, queries: Vectors, k: int, rows: Ids | None) -> tuple[Ids, Vectors]:
        gather = rows is not None and len(rows) <= GATHER_SHARE * self._used
        if gather:
            candidates = rows
            scores = queries @ self._matrix[rows].T
        else:
            candidates = None
            scores = queries @ self._matrix[: self._used].T
            if rows is not None:
                hidden = np.ones(self._used, dtype=bool)
                hidden[rows] = False
                scores[:, hidden] = -np.inf
            elif self.count < self._used:
                scores[:, ~self._alive[: self._used]] = -np.inf
        best = top(scores, k)
        picked = np.take_along_axis(scores, best, axis=1)
        ids = self._ids[best if candidates is None else candidates[best]]
        return in_order(ids, picked)

    def _grow(self, capacity: int) -> None:
        ids = np.zeros(capacity, dtype=np.int64)
        matrix = np.zeros((capacity, self.dim), dtype=np.float32)
        alive = np.zeros(capacity, dtype=bool)
        ids[: self._used] = self._ids[: self._used]
        matrix[: self._used] = self._matrix[: self._used]
        alive[: self._used] = self._alive[: self._used]
        self._ids, self._matrix, self._alive = ids, matrix, alive

    def _sort(self) -> None:
        rows = np.flatnonzero(self._alive[: self._used])
        self._sorted_rows = rows[np.argsort(self._ids[rows], kind="stable")]
        self._sorted_ids = self._ids[self._sorted_rows]
        if bool((np.diff(self._sorted_ids) == 0).any()):
            raise ValueError("an id stands twice")
        self._row_of = self._table()

    def _table(self) -> Ids | None:
        """Row by id, -1 where there is none; None where the ids lie too far apart for that.

        Looking 100,000 allowed ids up in a sorted list takes longer than the search itself.
        """
        if not self.count or self._sorted_ids[0] < 0:
            return None
        last = int(self._sorted_ids[-1])
        if last > _SPARSE * self.count + _SPARSE_SLACK:
            return None
        table = np.full(last + 1, -1, dtype=np.int64)
        table[self._sorted_ids] = self._sorted_rows
        return table


def top(scores: Vectors, k: int) -> Ids:
    """Columns of the ``k`` highest scores in each row (m, n), in no order: (m, k)."""
    if k >= scores.shape[1]:
        return np.broadcast_to(np.arange(scores.shape[1]), scores.shape).copy()
    return np.argpartition(scores, scores.shape[1] - k, axis=1)[:, scores.shape[1] - k :]


def in_order(ids: Ids, scores: Vectors) -> tuple[Ids, Vectors]:
    """Sort ids and scores (m, k) within each row: highest score first, ties by id."""
    order = np.lexsort((ids, -scores), axis=1)
    return np.take_along_axis(ids, order, axis=1), np.take_along_axis(scores, order, axis=1)
