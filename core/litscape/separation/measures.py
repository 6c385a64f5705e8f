"""Figures of how labels lie among vectors and clusters; NumPy alone, checked against scikit-learn.

Homogeneity, completeness and V-measure: Rosenberg and Hirschberg 2007; AMI: Vinh, Epps and Bailey
2010; ARI: Hubert and Arabie 1985; silhouette: Rousseeuw 1987.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MEASURES = ("homogeneity", "completeness", "v", "ami", "ari")
_BLOCK = 4096


def tables(
    labels: NDArray[np.int64], clusters: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many papers each cluster has of each label, in each of several draws of papers.

    Args:
        labels: of each paper (n,), from 0.
        clusters: likewise.
        rows: which papers each draw has, (b, m).

    Returns:
        Counts (b, clusters, labels).
    """
    width = int(labels.max()) + 1
    height = int(clusters.max()) + 1
    joint = clusters * width + labels
    flat = [np.bincount(joint[draw], minlength=height * width) for draw in rows]
    return np.stack(flat).reshape(len(rows), height, width)


def agreement(counts: NDArray[np.int64], expected: float) -> Mapping[str, Floats]:
    """The measures of tables of clusters against labels.

    Args:
        counts: (b, clusters, labels).
        expected: mutual information by chance, in nats; for AMI.

    Returns:
        By measure the value of each table, (b,).
    """
    total = counts.sum(axis=(1, 2)).astype(np.float64)
    share = counts / total[:, None, None]
    of_labels, of_clusters = _entropy(share.sum(axis=1)), _entropy(share.sum(axis=2))
    mutual = np.maximum(of_labels + of_clusters - _entropy(share.reshape(len(share), -1)), 0.0)
    homogeneity = _ratio(mutual, of_labels)
    completeness = _ratio(mutual, of_clusters)
    both = homogeneity + completeness
    v = np.divide(2 * homogeneity * completeness, both, out=np.zeros_like(both), where=both > 0)
    room = (of_labels + of_clusters) / 2 - expected
    ami = _ratio(mutual - expected, room)
    return {
        "homogeneity": homogeneity,
        "completeness": completeness,
        "v": v,
        "ami": ami,
        "ari": _rand(counts, total),
    }


def _entropy(shares: Floats) -> Floats:
    """Entropy in nats of each row."""
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=1))


def _ratio(above: Floats, below: Floats) -> Floats:
    """A ratio that is 1 where there is nothing to tell apart."""
    whole: Floats = np.ones_like(above)
    return np.divide(above, below, out=whole, where=np.abs(below) > 1e-12)


def _rand(counts: NDArray[np.int64], total: Floats) -> Floats:
    def pairs(numbers: NDArray[np.int64]) -> Floats:
        held = numbers.astype(np.float64)
        return np.asarray((held * (held - 1) / 2).reshape(len(numbers), -1).sum(axis=1))

    same = pairs(counts)
    labels, clusters = pairs(counts.sum(axis=1)), pairs(counts.sum(axis=2))
    chance = labels * clusters / (total * (total - 1) / 2)
    return _ratio(same - chance, (labels + clusters) / 2 - chance)


def distances(matrix: NDArray[np.float32], member: NDArray[np.bool_]) -> Floats:
    """Mean cosine distance of each paper to the other papers of each label, (n, labels).

    Sums of unit vectors give it without any distance between two papers. A label that has no other
    paper is infinitely far.
    """
    sizes = member.sum(axis=0).astype(np.float64)
    sums = member.astype(np.float32).T @ matrix
    found = np.empty(member.shape)
    for start in range(0, len(matrix), _BLOCK):
        part, own = matrix[start : start + _BLOCK], member[start : start + _BLOCK]
        cosines = (part @ sums.T).astype(np.float64)
        squares = np.einsum("ij,ij->i", part, part).astype(np.float64)
        others = sizes[None, :] - own
        cosines -= own * squares[:, None]
        near = np.divide(cosines, others, out=np.full_like(cosines, -np.inf), where=others > 0)
        found[start : start + _BLOCK] = 1.0 - near
    return found


def silhouettes(matrix: NDArray[np.float32], member: NDArray[np.bool_]) -> Floats:
    """The silhouette of each paper by cosine distance, (n,), −1 to 1.

    A paper with several labels has one for each, against the nearest label that it does not carry;
    the mean counts. Where each paper has one label this is Rousseeuw's.
    """
    mean = distances(matrix, member)
    other = np.where(member, np.inf, mean).min(axis=1)
    within = np.where(member, mean, np.nan)
    largest = np.maximum(within, other[:, None])
    with np.errstate(invalid="ignore"):
        each = (other[:, None] - within) / largest
    # Alone under a label, or under all of them: neither near nor far. That is 0 by definition.
    each = np.where(np.isfinite(each), each, 0.0)
    return np.asarray((each * member).sum(axis=1) / np.maximum(member.sum(axis=1), 1))


def neighbour_shares(
    neighbours: NDArray[np.int32], member: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Share of each paper's neighbours (n, k) that carry each label, (n, labels)."""
    held: Floats = np.zeros(member.shape)
    for column in range(neighbours.shape[1]):
        held += member[neighbours[:, column]]
    held /= max(1, neighbours.shape[1])
    return held


def shared(neighbours: NDArray[np.int32], member: NDArray[np.bool_]) -> Floats:
    """Share of each paper's neighbours that carry at least one of its labels, (n,)."""
    held: Floats = np.zeros(len(member))
    for column in range(neighbours.shape[1]):
        held += (member[neighbours[:, column]] & member).any(axis=1)
    held /= max(1, neighbours.shape[1])
    return held


def shared_by_chance(member: NDArray[np.bool_]) -> float:
    """Share of all pairs of papers that have a label in common."""
    sets, sizes = np.unique(np.packbits(member, axis=1), axis=0, return_counts=True)
    whole = np.unpackbits(sets, axis=1, count=member.shape[1]).astype(np.float32)
    pairs = 0.0
    for start in range(0, len(whole), _BLOCK):
        common = (whole[start : start + _BLOCK] @ whole.T) > 0
        pairs += float(sizes[start : start + _BLOCK] @ (common @ sizes))
    n = len(member)
    return (pairs - n) / (n * (n - 1)) if n > 1 else 0.0
