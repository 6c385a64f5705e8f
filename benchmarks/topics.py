"""Topics: seconds of CPU beside other ways to part a graph, and how well reviews are found again.

Clusters: on the neighbour graph of vectors of the large corpus; the graph, which Litscape keeps and
shares with maps, is not in it. Names: of all topics of all levels, from titles and abstracts.
Quality: the 16 review topics of ``sysrev`` against topics of the same vectors, beside BERTopic's
way with its defaults (UMAP to 5 dimensions, HDBSCAN), put together from umap-learn and
scikit-learn, and BERTopic itself where it is installed. Papers that a way leaves out count as a
topic of their own, and are left out of the second figure.

``python benchmarks/topics.py [--sizes 5000 20000 100000] [--quality-only] [--papers N]``
"""

from __future__ import annotations

import argparse
import importlib.util
import time
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from corpora import CACHE, load, records
from litscape.jobs import null_context
from litscape.library import Library
from litscape.maps.material import gather
from litscape.maps.neighbours import find_neighbours
from litscape.topics import density, leiden
from litscape.topics.parting import name_nodes, nodes_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape.maps.records import NeighbourGraph

VECTORS = CACHE / "large" / "vectors.npy"
SYSREV = CACHE / "sysrev"
SIZES = (5_000, 20_000, 100_000)
SLOW = 20_000
"""Papers from which on networkx is left out: its time grows faster than the graph."""
SEEDS = 5
_LEAST = 10


def seconds(run: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of CPU that a call takes, and what it gives."""
    began = time.process_time()
    found = run()
    return time.process_time() - began, found


def by_igraph(links: Any) -> list[int]:
    """Leiden by igraph, with the graph's own making."""
    import random

    import igraph

    random.seed(0)
    pairs = links.tocoo()
    half = pairs.row < pairs.col
    edges = np.stack([pairs.row[half], pairs.col[half]], axis=1)
    graph = igraph.Graph(n=links.shape[0], edges=edges, directed=False)
    found = graph.community_leiden("modularity", weights=pairs.data[half], n_iterations=2)
    labels: list[int] = found.membership
    return labels


def by_networkx(links: Any) -> list[int]:
    """Louvain by networkx, with the graph's own making."""
    import networkx

    graph = networkx.from_scipy_sparse_array(links)
    labels = [0] * links.shape[0]
    for number, part in enumerate(networkx.community.louvain_communities(graph, seed=0)):
        for node in part:
            labels[node] = number
    return labels


def by_leidenalg(links: Any) -> list[int]:
    """Leiden by leidenalg, with the graph's own making."""
    import igraph
    import leidenalg  # type: ignore[import-not-found]

    pairs = links.tocoo()
    half = pairs.row < pairs.col
    edges = np.stack([pairs.row[half], pairs.col[half]], axis=1)
    graph = igraph.Graph(n=links.shape[0], edges=edges, directed=False)
    found = leidenalg.find_partition(
        graph, leidenalg.ModularityVertexPartition, weights=pairs.data[half].tolist(), seed=0
    )
    labels: list[int] = found.membership
    return labels


def modularity(links: Any, labels: NDArray[np.int64]) -> float:
    """Newman's modularity of a weighted graph."""
    total = float(links.sum())
    pairs = links.tocoo()
    inside = float(pairs.data[labels[pairs.row] == labels[pairs.col]].sum())
    degree = np.bincount(labels, weights=np.asarray(links.sum(axis=1)).ravel())
    return inside / total - float(((degree / total) ** 2).sum())


PEERS = {"igraph": by_igraph, "leidenalg": by_leidenalg, "networkx": by_networkx}


def clusters(size: int) -> None:
    """Print the seconds of each way at one size."""
    matrix = np.load(VECTORS, mmap_mode="r")
    rows = np.sort(np.random.default_rng(20).choice(len(matrix), size, replace=False))
    chosen = np.ascontiguousarray(matrix[rows], dtype=np.float32)
    chosen /= np.linalg.norm(chosen, axis=1, keepdims=True)
    k = leiden.neighbours_for(size)
    took, graph = seconds(lambda: find_neighbours(np.arange(size), chosen, k))
    print(f"{size:,} papers; the graph (k = {k}): {took:.2f} s")
    weighing, links = seconds(lambda: leiden.weighted(graph))
    took, labels = seconds(lambda: leiden.communities(links, 1.0, 0))
    told = f"{len(set(labels.tolist()))} parts, modularity {modularity(links, labels):.4f}"
    print(f"  graspologic-native (ours)  {took:6.2f} s  {told}; weights {weighing:.2f} s")
    for name, run in PEERS.items():
        if importlib.util.find_spec(name) is None or (name == "networkx" and size > SLOW):
            print(f"  {name:<26} left out")
            continue
        took, other = seconds(partial(run, links))
        parts = np.array(other, np.int64)
        told = f"{len(set(other))} parts, modularity {modularity(links, parts):.4f}"
        print(f"  {name:<26} {took:6.2f} s  {told}")
    took, found = seconds(lambda: leiden.levels(graph, 0, null_context()))
    counts = " / ".join(str(int(level.max()) + 1) for level in found)
    print(f"  all levels, weights too    {took:6.2f} s  {counts} topics")
    _names(graph, rows, found)


def _names(graph: NeighbourGraph, rows: NDArray[np.int64], found: list[NDArray[np.int64]]) -> None:
    """Print the seconds that names take, of the corpus's papers in the same order."""
    folder = CACHE / "large" / "library"
    load("large", folder)
    with Library.open(folder) as library:
        nodes = nodes_of(rows + 1, found)
        took, names = seconds(lambda: name_nodes(library.database, nodes, null_context()))
    print(f"  names of {len(nodes):,} topics      {took:6.2f} s  such as “{names[0].name}”")


def told(name: str, labels: NDArray[np.int64], truth: NDArray[np.int64], took: float) -> None:
    """Print how well topics and reviews agree."""
    from sklearn.metrics import (
        adjusted_mutual_info_score,
        adjusted_rand_score,
        homogeneity_completeness_v_measure,
    )

    inside = labels >= 0
    parts = len(set(labels[inside].tolist()))
    h, c, v = homogeneity_completeness_v_measure(truth, labels)
    _h, _c, only = homogeneity_completeness_v_measure(truth[inside], labels[inside])
    ami = adjusted_mutual_info_score(truth, labels)
    ari = adjusted_rand_score(truth, labels)
    print(
        f"  {name:<34} {parts:4} topics, {np.mean(~inside):4.0%} left out, H {h:.3f} C {c:.3f} "
        f"V {v:.3f} (without those left out {only:.3f}) AMI {ami:.3f} ARI {ari:.3f}, {took:.1f} s",
        flush=True,
    )


def like_bertopic(matrix: NDArray[np.float32], seed: int) -> NDArray[np.int64]:
    """The defaults of BERTopic: UMAP to 5 dimensions by cosine, HDBSCAN of at least 10 papers."""
    import umap
    from sklearn.cluster import HDBSCAN

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        places = umap.UMAP(
            n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=seed
        ).fit_transform(matrix)
    found = HDBSCAN(min_cluster_size=_LEAST, cluster_selection_method="eom", copy=True)
    labels: NDArray[np.int64] = found.fit_predict(places.astype(np.float64)).astype(np.int64)
    return labels


def by_bertopic(matrix: NDArray[np.float32], texts: list[str], seed: int) -> NDArray[np.int64]:
    """BERTopic itself, with its defaults but for the seed."""
    import umap
    from bertopic import BERTopic  # type: ignore[import-not-found]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reducer = umap.UMAP(
            n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=seed
        )
        found, _shares = BERTopic(umap_model=reducer).fit_transform(texts, embeddings=matrix)
    return np.array(found, np.int64)


def quality(folder: Path, most: int | None) -> None:
    """Print how well topics of ``sysrev`` agree with its reviews."""
    labels = [record["labels"] for record in records("sysrev")]
    with Library.open(folder) as library:
        snapshot = library.vectors()
        if not len(snapshot):
            print(f"no vectors: run `litscape --library {folder} embed` once")
            return
        material = gather(snapshot, None)
        ids, matrix = material.ids[:most], material.matrix[:most]
        rows = list(library.papers.many(ids.tolist()))
        texts = [f"{row.title or ''}. {row.abstract or ''}" for row in rows]
        own = [labels[int(paper) - 1] for paper in ids]
        single = np.array([len(one) == 1 for one in own])
        _names_of, truth = np.unique([one[0] for one in own], return_inverse=True)
        print(
            f"sysrev: {len(ids):,} papers, {int((~single).sum()):,} in several reviews: the first"
        )
        graph = find_neighbours(ids, matrix, leiden.neighbours_for(len(ids)))
        for seed in range(SEEDS):
            took, found = seconds(partial(leiden.levels, graph, seed, null_context()))
            told(f"Litscape, seed {seed}, level 0", found[0], truth, took)
        told("Litscape, level 1", found[1], truth, took)
        took, found = seconds(lambda: density.levels(matrix, 0, null_context()))
        told("Litscape, hdbscan, level 0", found[0], truth, took)
        told("Litscape, hdbscan, level 1", found[1], truth, took)
        for seed in range(3):
            took, other = seconds(partial(like_bertopic, matrix, seed))
            told(f"BERTopic's way, seed {seed}", other, truth, took)
        if importlib.util.find_spec("bertopic") is None:
            print("  BERTopic itself is not installed")
        else:
            took, other = seconds(lambda: by_bertopic(matrix, texts, 0))
            told("BERTopic", other, truth, took)


def main() -> None:
    """Print everything that there is data for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--quality-only", action="store_true")
    parser.add_argument("--papers", type=int, help="of sysrev, at most so many")
    args = parser.parse_args()
    if not args.quality_only:
        if VECTORS.exists():
            for size in args.sizes:
                clusters(size)
        else:
            print("no vectors of the large corpus: run benchmarks/large_vectors.py once")
    load("sysrev", SYSREV)
    quality(SYSREV, args.papers)


if __name__ == "__main__":
    main()
