"""The figures are scikit-learn's, also where we reckon them ourselves."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics
from sklearn.metrics.cluster import expected_mutual_information

from litscape.separation import measures


def _labels(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(4, size=300)
    clusters = np.where(rng.random(300) < 0.6, labels, rng.integers(6, size=300))
    return labels, clusters


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_clusters_agree_as_scikit_learn_has_it(seed: int) -> None:
    labels, clusters = _labels(seed)
    table = metrics.cluster.contingency_matrix(labels, clusters, sparse=True)
    expected = expected_mutual_information(table.astype(np.int64), len(labels))
    counts = measures.tables(labels, clusters, np.arange(len(labels))[None, :])
    found = {name: float(one[0]) for name, one in measures.agreement(counts, expected).items()}
    h, c, v = metrics.homogeneity_completeness_v_measure(labels, clusters)
    wanted = {
        "homogeneity": h,
        "completeness": c,
        "v": v,
        "ami": metrics.adjusted_mutual_info_score(labels, clusters),
        "ari": metrics.adjusted_rand_score(labels, clusters),
    }
    assert found == pytest.approx(wanted, abs=1e-10)


def test_one_cluster_for_all_is_complete_and_tells_nothing() -> None:
    labels = np.array([0, 0, 1, 1, 2])
    counts = measures.tables(labels, np.zeros(5, np.int64), np.arange(5)[None, :])
    found = measures.agreement(counts, 0.0)
    assert (found["homogeneity"][0], found["completeness"][0]) == (pytest.approx(0), 1)
    assert found["v"][0] == pytest.approx(0)
    assert found["ari"][0] == pytest.approx(0)


def test_a_draw_with_a_paper_twice_counts_it_twice() -> None:
    labels, clusters = np.array([0, 1]), np.array([1, 0])
    counts = measures.tables(labels, clusters, np.array([[0, 0, 1], [1, 1, 1]]))
    assert counts.tolist() == [[[0, 1], [2, 0]], [[0, 3], [0, 0]]]


def _vectors(n: int, labels: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng(3)
    made = np.eye(5, 12)[labels] + 0.4 * rng.normal(size=(n, 12))
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return np.asarray(made, dtype=np.float32)


def test_silhouettes_without_distances_between_papers_are_scikit_learns() -> None:
    labels = np.arange(120) % 4
    labels[7] = 4  # the only paper of its label
    matrix = _vectors(120, labels)
    found = measures.silhouettes(matrix, np.eye(5, dtype=bool)[labels])
    wanted = metrics.silhouette_samples(matrix, labels, metric="cosine")
    assert found == pytest.approx(wanted, abs=1e-5)
    assert found[7] == 0


def test_a_paper_of_two_labels_is_held_against_those_it_lacks() -> None:
    labels = np.arange(60) % 3
    matrix = _vectors(60, labels)
    member = np.eye(3, dtype=bool)[labels]
    member[0, 1] = True
    mean = measures.distances(matrix, member)
    far = mean[0, 2]
    each = [(far - near) / max(far, near) for near in (mean[0, 0], mean[0, 1])]
    assert measures.silhouettes(matrix, member)[0] == pytest.approx(np.mean(each))


def test_neighbours_are_counted_label_by_label() -> None:
    member = np.array([[1, 0], [1, 0], [0, 1], [1, 1]], dtype=bool)
    neighbours = np.array([[1, 2], [0, 3], [3, 0], [2, 1]], dtype=np.int32)
    assert measures.neighbour_shares(neighbours, member).tolist() == [
        [0.5, 0.5], [1.0, 0.5], [1.0, 0.5], [0.5, 0.5],
    ]  # fmt: skip
    assert measures.shared(neighbours, member).tolist() == [0.5, 1.0, 0.5, 1.0]


def test_chance_is_the_share_of_all_pairs_with_a_common_label() -> None:
    rng = np.random.default_rng(0)
    member = rng.random((40, 5)) < 0.3
    member[~member.any(axis=1), 0] = True  # a paper without any label is never measured
    pairs = [bool((member[a] & member[b]).any()) for a in range(40) for b in range(40) if a != b]
    assert measures.shared_by_chance(member) == pytest.approx(np.mean(pairs))
