"""The nearest neighbours of every paper: one graph for layouts and clusters.

Exact up to the size at which the approximate index is quicker for the same neighbours (decision
17); kept on disk beside the search index as long as vectors and papers stay the same.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from litscape.index.hnsw import available
from litscape.jobs import null_context
from litscape.maps.records import NeighbourGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext

log = logging.getLogger(__name__)
EXACT_UP_TO = 200_000
"""Papers up to which all products are computed."""
FOR_ALL = 90
"""Neighbours that a kept graph has: what t-SNE needs, and others take the nearest of."""
_BLOCK_NUMBERS = 1 << 24
"""Products that are in memory at once: 64 MiB."""
_FORMAT = 1
_KEPT = 3
_TEXT = "Finding neighbours"


def find_neighbours(
    ids: NDArray[np.int64],
    matrix: NDArray[np.float32],
    k: int,
    ctx: JobContext | None = None,
) -> NeighbourGraph:
    """The ``k`` nearest others of each vector by cosine.

    Args:
        ids: papers (n,), ascending.
        matrix: unit vectors (n, d).
        k: neighbours wished for; n - 1 at most come back.
        ctx: hears of progress; can end the work.

    Raises:
        JobCancelledError: ``ctx`` was cancelled.
    """
    ctx = ctx or null_context()
    k = max(0, min(k, len(ids) - 1))
    if k == 0:
        empty = np.empty((len(ids), 0), dtype=np.float32)
        return NeighbourGraph(ids, empty.astype(np.int32), empty)
    if len(ids) <= EXACT_UP_TO or not available():
        rows, cosines = exact(matrix, k, ctx)
        return NeighbourGraph(ids, rows, _distances(cosines))
    rows, cosines = _by_hnsw(matrix, k, ctx)
    return NeighbourGraph(ids, rows, _distances(cosines), exact=False)


def exact(
    matrix: NDArray[np.float32], k: int, ctx: JobContext
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Rows of the ``k`` nearest others (n, k) and their cosines, best first, ties by row.

    Products come in blocks. To pick the best of a block's row, columns are dealt into groups whose
    maxima are taken first: the k best of all lie in the k groups with the best maxima, so that the
    costly selection sees a small part (over whole rows it takes as long as the products).
    """
    n = len(matrix)
    groups = n // max(1, min(16, n // (2 * k + 2)))
    rows = np.empty((n, k), dtype=np.int32)
    cosines = np.empty((n, k), dtype=np.float32)
    height = max(1, min(n, _BLOCK_NUMBERS // n))
    for start in range(0, n, height):
        ctx.progress(start, n, _TEXT)
        stop = min(n, start + height)
        products = matrix[start:stop] @ matrix.T
        products[np.arange(stop - start), np.arange(start, stop)] = -np.inf
        rows[start:stop], cosines[start:stop] = _best(products, k, groups)
    return rows, cosines


def _best(
    products: NDArray[np.float32], k: int, groups: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Columns and values of the ``k`` highest in each row (b, n) of products."""
    height, n = products.shape
    depth = n // groups
    even = groups * depth
    maxima = products[:, :even].reshape(height, depth, groups).max(axis=1)
    chosen = np.argpartition(maxima, groups - k, axis=1)[:, groups - k :]
    columns = (chosen[:, :, None] + groups * np.arange(depth)).reshape(height, -1)
    if even < n:
        rest = np.broadcast_to(np.arange(even, n), (height, n - even))
        columns = np.concatenate([columns, rest], axis=1)
    values = np.take_along_axis(products, columns, axis=1)
    best = np.argpartition(values, values.shape[1] - k, axis=1)[:, values.shape[1] - k :]
    columns = np.take_along_axis(columns, best, axis=1)
    values = np.take_along_axis(values, best, axis=1)
    order = np.lexsort((columns, -values), axis=1)
    return np.take_along_axis(columns, order, axis=1), np.take_along_axis(values, order, axis=1)


def _by_hnsw(
    matrix: NDArray[np.float32], k: int, ctx: JobContext
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    from litscape.index.hnsw import HnswIndex

    n = len(matrix)
    ctx.progress(0, n, _TEXT)
    index = HnswIndex(int(matrix.shape[1]), exact_below=0)
    index.build(np.arange(n, dtype=np.int64), matrix)
    rows = np.empty((n, k), dtype=np.int32)
    cosines = np.empty((n, k), dtype=np.float32)
    for start in range(0, n, 1024):
        ctx.progress(start, n, _TEXT)
        stop = min(n, start + 1024)
        found, scores = index.search(matrix[start:stop], k + 1)
        for i in range(stop - start):
            others = found[i] != start + i
            rows[start + i] = found[i][others][:k]
            cosines[start + i] = scores[i][others][:k]
    return rows, cosines


def _distances(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.clip(1.0 - cosines, 0.0, 2.0), dtype=np.float32)


class GraphCache:
    """Neighbour graphs as files of one folder: a cache, of which the last few are kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, revision: str, ids: NDArray[np.int64], k: int) -> NeighbourGraph | None:
        """The graph of exactly these papers and vectors with ``k`` neighbours, if it is there."""
        path = self._path(revision, ids)
        try:
            # Opened here: NumPy leaves a file that is no whole archive open.
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                if int(stored["format"]) != _FORMAT or str(stored["revision"]) != revision:
                    return None
                kept = NeighbourGraph(
                    stored["ids"], stored["indices"], stored["distances"], bool(stored["exact"])
                )
        except (
            OSError,
            ValueError,
            KeyError,
            EOFError,
            TypeError,
            BadZipFile,
            zlib.error,
        ) as error:
            log.debug("no neighbours in %s: %s", path, error)
            return None
        enough = kept.k >= min(k, len(ids) - 1)
        return kept.nearest(k) if np.array_equal(kept.ids, ids) and enough else None

    def save(self, revision: str, graph: NeighbourGraph) -> None:
        """Keep a graph; a failure is logged and passed over."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(".part", "neighbours", self._folder)
            try:
                with os.fdopen(handle, "wb") as stream:
                    np.savez(
                        stream,
                        format=np.array(_FORMAT),
                        revision=np.array(revision),
                        exact=np.array(graph.exact),
                        ids=graph.ids,
                        indices=graph.indices,
                        distances=graph.distances,
                    )
                os.replace(name, self._path(revision, graph.ids))
            finally:
                Path(name).unlink(missing_ok=True)
            self._sweep()
        except OSError as error:
            log.warning("neighbours could not be saved in %s: %s", self._folder, error)

    def _path(self, revision: str, ids: NDArray[np.int64]) -> Path:
        digest = hashlib.blake2b(revision.encode(), digest_size=8)
        digest.update(np.ascontiguousarray(ids).data)
        return self._folder / f"neighbours-{digest.hexdigest()}.npz"

    def _sweep(self) -> None:
        files = sorted(self._folder.glob("neighbours-*.npz"), key=lambda one: -one.stat().st_mtime)
        for old in files[_KEPT:]:
            old.unlink(missing_ok=True)
