"""How two model versions differ on a library: what they are, and whom each puts beside whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import NotReadyError
from litscape.jobs import null_context

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape.paper import PaperId

NEAREST = 10
MOST = 2000
"""Of more papers so many are drawn: the share is known to a point then."""
_BLOCK = 256
_MOVED = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """Two versions on the papers that have vectors of both.

    Attributes:
        first, second: the cards.
        papers: how many papers have vectors of both.
        compared: of how many the nearest were looked at.
        shared: the mean share of the ten nearest papers that are the same, 0 … 1.
        moved: papers that share least, (id, share), the least first.
    """

    first: ModelCard
    second: ModelCard
    papers: int
    compared: int
    shared: float
    moved: tuple[tuple[PaperId, float], ...]


def compare_models(
    library: Library, first: str, second: str, ctx: JobContext | None = None
) -> Difference:
    """Hold the nearest papers of two versions against each other, exactly.

    Raises:
        UserError: there is no such version.
        NotReadyError: too few papers have vectors of both.
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    cards = library.models.find(first), library.models.find(second)
    shots = [library.vector_store.snapshot(card.version) for card in cards]
    ids, rows, columns = np.intersect1d(
        shots[0].ids, shots[1].ids, assume_unique=True, return_indices=True
    )
    if len(ids) <= NEAREST:
        lacking = next((c for c, shot in zip(cards, shots, strict=True) if not len(shot)), cards[1])
        raise NotReadyError(
            f"Only {len(ids):,} papers have vectors of both models: activate {lacking.version} "
            "once, or embed with it, to compare what it finds."
        )
    one, other = shots[0].matrix[rows], shots[1].matrix[columns]
    asked = np.arange(len(ids))
    if len(ids) > MOST:
        asked = np.sort(np.random.default_rng(20).choice(len(ids), MOST, replace=False))
    shares = np.empty(len(asked))
    for start in range(0, len(asked), _BLOCK):
        ctx.progress(start, len(asked), "Comparing the nearest papers")
        part = asked[start : start + _BLOCK]
        near, far = _nearest(one, part), _nearest(other, part)
        same = [len(np.intersect1d(a, b)) / NEAREST for a, b in zip(near, far, strict=True)]
        shares[start : start + len(part)] = same
    least = np.argsort(shares, kind="stable")[:_MOVED]
    moved = tuple((int(ids[asked[i]]), float(shares[i])) for i in least.tolist())
    return Difference(*cards, len(ids), len(asked), float(shares.mean()), moved)


def _nearest(matrix: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ten nearest others of some rows, (r, 10), in no order."""
    scores = matrix[rows] @ matrix.T
    scores[np.arange(len(rows)), rows] = -np.inf
    found: NDArray[np.int64] = np.argpartition(-scores, NEAREST - 1, axis=1)[:, :NEAREST]
    return found


@dataclass(frozen=True, slots=True)
class Beside:
    """The nearest papers of one paper in two versions, nearest first, as (paper, cosine)."""

    paper: PaperId
    first: tuple[tuple[PaperId, float], ...]
    second: tuple[tuple[PaperId, float], ...]


def beside(library: Library, paper: PaperId, first: str, second: str, k: int = NEAREST) -> Beside:
    """What two versions put nearest to a paper; empty where it has no vector of one.

    Raises:
        UserError: there is no such version.
    """
    lists: list[tuple[tuple[PaperId, float], ...]] = []
    for name in (first, second):
        shot = library.vector_store.snapshot(library.models.find(name).version)
        (rows,) = np.nonzero(shot.ids == paper)
        if not len(rows):
            lists.append(())
            continue
        scores = shot.matrix @ shot.matrix[rows[0]]
        scores[rows[0]] = -np.inf
        order = np.argsort(-scores, kind="stable")[: min(k, len(shot) - 1)]
        lists.append(tuple((int(shot.ids[i]), float(scores[i])) for i in order.tolist()))
    return Beside(paper, *lists)
