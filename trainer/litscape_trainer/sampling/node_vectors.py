"""Vectors of the papers of a citation graph, and their neighbours by rank.

node2vec (Grover and Leskovec 2016) with p = q = 1, which is DeepWalk (Perozzi et al. 2014): random
walks over links in both directions are read as sentences by skip-gram. Equal graphs and seeds give
equal vectors: one worker, and the graph's own numbers as words. Loads gensim: for a process of its
own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.jobs import null_context
from litscape_trainer.sampling.drawing import dice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from litscape.graph.csr import Rows
    from litscape.jobs import JobContext

DIMENSIONS = 128
WINDOW = 10
WALKS = 10
"""Walks that begin at each paper."""
LENGTH = 80
"""Papers of a walk."""
STEPS = 3_000_000
"""Steps of all walks at most: larger graphs get fewer and shorter walks."""
_CELLS = 20_000_000
"""Cosines that are worked out in one go: bounds the memory."""


@dataclass(frozen=True, eq=False)
class NodeVectors:
    """Where the papers of a graph lie.

    Attributes:
        nodes: (n,) int32 places of the papers that have a link, ascending.
        vectors: (n, d) float32 of unit length.
    """

    nodes: NDArray[np.int32]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Ranked:
    """Neighbours of some papers by rank, nearest first.

    Attributes:
        anchors: (a,) places.
        near: (a, k) places: ranks 1 … k.
        band: (a, w) places: the last w ranks up to ``last``.
        last: the rank of the last one.
        least: (a,) float32: its cosine.
    """

    anchors: NDArray[np.int32]
    near: NDArray[np.int32]
    band: NDArray[np.int32]
    last: int
    least: NDArray[np.float32]


def node_vectors(near: Rows, seed: int, ctx: JobContext | None = None) -> NodeVectors:
    """Vectors of the papers that have a link.

    Args:
        near: links in both directions, of what may be learnt alone.
        seed: of walks and first vectors.
        ctx: told of the progress.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    from gensim.models import Word2Vec

    ctx = ctx or null_context()
    nodes = np.flatnonzero(near.lengths()).astype(np.int32)
    if not len(nodes):
        return NodeVectors(nodes, np.empty((0, DIMENSIONS), dtype=np.float32))
    walks = _Walks(near, nodes, seed, ctx)
    # hashfxn is fixed as well: that of text differs from process to process.
    model = Word2Vec(
        vector_size=DIMENSIONS, window=WINDOW, sg=1, negative=5, min_count=0, workers=1,
        seed=seed % (1 << 31), hashfxn=_number, epochs=1,
    )  # fmt: skip
    model.build_vocab(walks)
    model.train(walks, total_examples=model.corpus_count, epochs=1)
    rows = [model.wv.key_to_index[str(node)] for node in nodes.tolist()]
    found = model.wv.vectors[rows]
    lengths = np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
    return NodeVectors(nodes, (found / lengths).astype(np.float32))


def ranked(
    found: NodeVectors,
    anchors: NDArray[np.int32],
    near: int,
    band: tuple[int, int],
    ctx: JobContext | None = None,
) -> Ranked:
    """Neighbours of papers by exact cosine, themselves left out.

    Args:
        found: the vectors.
        anchors: (a,) places, all of which have a vector.
        near: the ranks 1 … ``near`` are wanted,
        band: and from the first to the last of these, fewer than there are papers.
        ctx: told of the progress.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    first, last = band
    own = np.searchsorted(found.nodes, anchors)
    step = max(1, _CELLS // len(found.nodes))
    parts = []
    for start in range(0, len(anchors), step):
        ctx.progress(start, len(anchors), "Looking for neighbours in the citation graph")
        some = own[start : start + step]
        away = -(found.vectors[some] @ found.vectors.T)
        away[np.arange(len(some)), some] = 2
        best = np.argpartition(away, last - 1, axis=1)[:, :last]
        values = np.take_along_axis(away, best, 1)
        order = np.argsort(values, axis=1, kind="stable")
        places = found.nodes[np.take_along_axis(best, order, 1)]
        parts.append((places[:, :near], places[:, first - 1 :], -values.max(axis=1)))
    nobody = np.empty((0, 0), dtype=np.int32)
    close, far, least = (
        (np.concatenate([part[n] for part in parts]) for n in range(3))
        if parts
        else (nobody, nobody, np.empty(0, dtype=np.float32))
    )
    return Ranked(anchors, close, far, last, least)


class _Walks:
    """Random walks, made anew, and equal, each time that they are gone through."""

    def __init__(self, near: Rows, nodes: NDArray[np.int32], seed: int, ctx: JobContext) -> None:
        self._near, self._nodes, self._seed, self._ctx = near, nodes, seed, ctx
        rounds = STEPS // len(nodes)
        self._length = int(np.clip(rounds // 2, 20, LENGTH))
        self._walks = int(np.clip(rounds // self._length, 1, WALKS))

    def __iter__(self) -> Iterator[list[str]]:
        words = np.array([str(place) for place in range(len(self._near))], dtype=object)
        for turn in range(self._walks):
            rng = dice("walks", self._seed, turn)
            paths = walk(self._near, rng.permutation(self._nodes), self._length, rng)
            for place, path in enumerate(paths):
                if place % 10_000 == 0:
                    self._ctx.progress(
                        turn, self._walks, "Walking along the links of the training graph"
                    )
                yield words[path].tolist()


def walk(
    near: Rows, starts: NDArray[np.int32], length: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """A random walk from each of some papers, all of which have a link: (n, length) places."""
    paths = np.empty((len(starts), length), dtype=np.int32)
    here = starts
    lengths = near.lengths()
    for step in range(length):
        paths[:, step] = here
        turn = (rng.random(len(here)) * lengths[here]).astype(np.int64)
        here = near.indices[near.indptr[here] + turn]
    return paths


def _number(word: str) -> int:
    """A hash of a paper's number that is the same in every process."""
    return int("".join(c for c in word if c.isdigit()) or 0)
