"""Layouts beside umap-learn and openTSNE with their defaults: seconds of CPU, and what they keep.

Each runs in a process of its own on one thread, warm (a small layout first, so that nothing is
compiled while it is measured). ``trust`` is trustworthiness@10 (Venna, Kaski 2006) and ``kept`` the
share of the 10 nearest neighbours that are still among the 10 nearest in the picture, both over 500
papers. The neighbour graph, which Litscape keeps and shares, is timed by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from typing import Any

import numpy as np

from corpora import CACHE
from litscape.jobs import null_context
from litscape.maps.layouts import LAYOUTS
from litscape.maps.making import draw
from litscape.maps.material import Material
from litscape.maps.neighbours import FOR_ALL, find_neighbours

VECTORS = CACHE / "large" / "vectors.npy"
SIZES = (5_000, 20_000)
LARGE = 100_000
OURS = ("pca", "umap", "tsne")
PEERS = ("umap-learn", "openTSNE")
GRAPHS = {"pca": 0, "umap": FOR_ALL, "tsne": FOR_ALL}
ANCHORS, NEAREST = 500, 10
_ONE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def vectors(size: int) -> np.ndarray:
    """Unit vectors (size, 384), real ones of the large corpus."""
    matrix = np.load(VECTORS, mmap_mode="r")
    rows = np.sort(np.random.default_rng(20).choice(len(matrix), size, replace=False))
    chosen = np.ascontiguousarray(matrix[rows], dtype=np.float32)
    return chosen / np.linalg.norm(chosen, axis=1, keepdims=True)


def kept(matrix: np.ndarray, xy: np.ndarray) -> tuple[float, float]:
    """Trustworthiness@10 and the share of the 10 nearest neighbours kept, over some papers."""
    n = len(matrix)
    anchors = np.random.default_rng(21).choice(n, min(ANCHORS, n), replace=False)
    places = np.ascontiguousarray(xy, dtype=np.float64)
    penalty = shared = 0.0
    for one in anchors.tolist():
        order = np.argsort(-(matrix @ matrix[one]), kind="stable")
        rank = np.empty(n, dtype=np.int64)
        rank[order[order != one]] = np.arange(1, n)
        squared = ((places - places[one]) ** 2).sum(axis=1)
        squared[one] = np.inf
        near = np.argpartition(squared, NEAREST)[:NEAREST]
        penalty += np.maximum(0, rank[near] - NEAREST).sum()
        shared += (rank[near] <= NEAREST).sum()
    scale = 2 / (len(anchors) * NEAREST * (2 * n - 3 * NEAREST - 1))
    return 1 - scale * penalty, shared / (len(anchors) * NEAREST)


def laid_out(name: str, matrix: np.ndarray) -> tuple[np.ndarray, float]:
    """Places (n, 2) by a layout of ours, and the seconds that its graph took."""
    material = Material(np.arange(len(matrix), dtype=np.int64), matrix, "")
    began = time.process_time()
    graph = find_neighbours(material.ids, matrix, GRAPHS[name])
    seconds = time.process_time() - began
    picture = draw(material, LAYOUTS[name], 0, graph.nearest, null_context())
    return picture.xy, seconds


def laid_out_by_peer(name: str, matrix: np.ndarray) -> np.ndarray:
    """Places (n, 2) by a peer with its defaults, on one thread."""
    if name == "umap-learn":
        import umap

        return umap.UMAP(metric="cosine", random_state=0).fit_transform(matrix)
    from openTSNE import TSNE

    return np.asarray(TSNE(metric="cosine", n_jobs=1, random_state=0).fit(matrix))


def measure(name: str, size: int) -> dict[str, Any]:
    """One layout of one size, in this process."""
    warnings.simplefilter("ignore")
    small = vectors(300)
    if name in OURS:
        laid_out(name, small)
        matrix = vectors(size)
        began = time.process_time()
        xy, graph = laid_out(name, matrix)
        seconds = time.process_time() - began - graph
    else:
        # Above 4,096 papers umap-learn takes another way, which is compiled by itself.
        laid_out_by_peer(name, vectors(4500) if name == "umap-learn" else small)
        matrix, graph = vectors(size), 0.0
        began = time.process_time()
        xy = laid_out_by_peer(name, matrix)
        seconds = time.process_time() - began
    trust, share = kept(matrix, xy)
    return {"seconds": seconds, "graph": graph, "trust": trust, "kept": share}


def measured_apart(name: str, size: int) -> dict[str, Any]:
    """The same in a process of its own."""
    command = [sys.executable, __file__, "--one", name, str(size)]
    env = os.environ | dict.fromkeys(_ONE, "1")
    ended = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(ended.stdout.strip().splitlines()[-1])
    return found


def main() -> int:
    """Print a line for each layout and size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help=f"also {LARGE:,} papers (10 minutes)")
    parser.add_argument("--size", type=int, action="append", help="only of this size; repeat")
    parser.add_argument("--layout", choices=(*OURS, *PEERS), action="append", help="only this one")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not VECTORS.exists():
        print(f"{VECTORS} is not here: python benchmarks/large_vectors.py makes it.")
        return 0
    if options.one:
        print(json.dumps(measure(options.one[0], int(options.one[1]))))
        return 0
    sizes = options.size or [*SIZES, *([LARGE] if options.large else [])]
    print("seconds of CPU on one thread, warm; graph: the neighbours, kept for the next time")
    for size in sizes:
        for name in options.layout or (*OURS, *PEERS):
            if size == LARGE and name in ("tsne", "openTSNE") and not options.layout:
                continue
            found = measured_apart(name, size)
            graph = f"+ graph {found['graph']:5.1f}" if found["graph"] > 0.005 else " " * 13
            print(
                f"{size:7,} {name:10s} {found['seconds']:6.2f} s {graph}  "
                f"trust {found['trust']:.3f}  kept {found['kept']:.3f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
