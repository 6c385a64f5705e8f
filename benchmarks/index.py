"""Exact search and HNSW side by side at 100,000 x 384: recall@10, milliseconds, build time.

Vectors are the real ones of the large corpus where they are there, else made up in clusters
(harder and duller than real ones: read the ratios, not the figures).
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from corpora import CACHE
from litscape.index import ExactIndex, HnswIndex, VectorIndex
from litscape.index.hnsw import available

COUNT, DIM, QUERIES = 100_000, 384, 200


def data() -> tuple[np.ndarray, np.ndarray, str]:
    """Vectors (COUNT, DIM), queries (QUERIES, DIM) from the same source, and its name."""
    real = CACHE / "large" / "vectors.npy"
    rng = np.random.default_rng(20)
    if real.exists():
        matrix = np.load(real)
        chosen = rng.permutation(len(matrix))
        return matrix[chosen[:COUNT]], matrix[chosen[COUNT : COUNT + QUERIES]], "real vectors"
    centres = rng.standard_normal((2000, DIM), dtype=np.float32)
    rows = centres[rng.integers(0, len(centres), COUNT + QUERIES)]
    rows += rng.standard_normal(rows.shape, dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows[:COUNT], rows[COUNT:], "made-up vectors in 2,000 clusters"


def timed(
    index: VectorIndex, queries: np.ndarray, allowed: np.ndarray | None = None
) -> tuple[np.ndarray, float]:
    """What each query finds (m, 10), and the median milliseconds of one query."""
    found, times = [], []
    for query in queries:
        began = time.perf_counter()
        found.append(index.search(query, 10, allowed)[0])
        times.append(time.perf_counter() - began)
    return np.array(found), 1000 * float(np.median(times))


def recall(found: np.ndarray, truth: np.ndarray) -> float:
    return float(
        np.mean(
            [len({*a} & {*b}) / len(b) for a, b in zip(found.tolist(), truth.tolist(), strict=True)]
        )
    )


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    matrix, queries, source = data()
    ids = np.arange(1, COUNT + 1)
    print(f"{COUNT:,} x {DIM}, {source}, {QUERIES} queries, one at a time, k = 10")
    indexes: list[VectorIndex] = [ExactIndex(DIM)]
    if available():
        indexes.append(HnswIndex(DIM))
    else:
        print("hnsw: hnswlib is not installed")
    rng = np.random.default_rng(21)
    subsets = {
        share: rng.choice(ids, int(share * COUNT), replace=False) for share in (0.01, 0.1, 0.5, 0.9)
    }
    truth: dict[object, np.ndarray] = {}
    for index in indexes:
        began, cpu = time.perf_counter(), time.process_time()
        index.build(ids, matrix)
        print(
            f"{index.kind}: built in {time.perf_counter() - began:.1f} s "
            f"({time.process_time() - cpu:.1f} s of CPU)"
        )
        for share, allowed in ((None, None), *subsets.items()):
            found, ms = timed(index, queries, allowed)
            truth.setdefault(share, found)
            which = "all" if share is None else f"{share:.0%} allowed"
            share_found = recall(found, truth[share])
            print(f"{index.kind:6s} {which:12s} recall@10 {share_found:.4f}  {ms:7.2f} ms")


if __name__ == "__main__":
    main()
