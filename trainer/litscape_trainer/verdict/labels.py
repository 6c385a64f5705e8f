"""Whether papers that share a tag or a collection lie near each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.evaluation.records import SEED
from litscape.graph.weak import weak_links

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.weak import WeakKind
    from litscape.library import Library

LEAST_PAPERS, LEAST_GROUPS, LEAST_QUERIES = 20, 3, 100
NEAREST = 10
MEASURE = f"Same among {NEAREST} nearest"
LABEL_TITLES = {"tag": "Papers of one tag", "collection": "Papers of one collection"}
_MOST = 1000


@dataclass(frozen=True, eq=False)
class Labels:
    """Papers and the groups that tell them apart.

    Attributes:
        kind: ``tag`` or ``collection``.
        ids: papers in one of the groups, int64 (n,).
        member: whether a paper is in a group, bool (n, g).
        asked: whose nearest are looked at, places in ``ids``.
    """

    kind: WeakKind
    ids: NDArray[np.int64]
    member: NDArray[np.bool_]
    asked: NDArray[np.int64]


def labels_of(library: Library, kind: WeakKind) -> Labels | None:
    """The groups of 20 papers and more that hold less than half of all that are in any.

    Returns:
        None where there are fewer than three of them, or fewer than 100 papers in them.
    """
    with library.database.read() as conn:
        links = weak_links(conn, kind)
    if not len(links.ids):
        return None
    member = np.zeros((len(links.ids), int(links.groups.indices.max()) + 1), dtype=np.bool_)
    member[links.groups.row_numbers(), links.groups.indices] = True
    sizes = member.sum(axis=0)
    member = member[:, (sizes >= LEAST_PAPERS) & (sizes * 2 <= len(member))]
    inside = member.any(axis=1)
    if member.shape[1] < LEAST_GROUPS or inside.sum() < LEAST_QUERIES:
        return None
    ids, member = links.ids[inside], member[inside]
    asked = np.arange(len(ids))
    if len(ids) > _MOST:
        asked = np.sort(np.random.default_rng(SEED).choice(len(ids), _MOST, replace=False))
    return Labels(kind, ids, member, asked)


def agreement(labels: Labels, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """The share of each asked paper's ten nearest that is in one of its groups, (a,).

    Args:
        labels: the groups.
        vectors: unit vectors (n, d) of ``labels.ids``; a paper without one has zeros.
    """
    shares = np.empty(len(labels.asked))
    nearest = min(NEAREST, len(labels.ids) - 1)
    for start in range(0, len(labels.asked), 256):
        rows = labels.asked[start : start + 256]
        scores = vectors[rows] @ vectors.T
        scores[np.arange(len(rows)), rows] = -np.inf
        near = np.argpartition(-scores, nearest - 1, axis=1)[:, :nearest]
        same = (labels.member[near] & labels.member[rows][:, None, :]).any(axis=2)
        shares[start : start + len(rows)] = same.mean(axis=1)
    return shares
