"""What every vector index must do, run over all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

from litscape.index import ExactIndex, HnswIndex

if TYPE_CHECKING:
    from litscape.index import VectorIndex

DIM = 24
Make = Callable[[], "VectorIndex"]


def _hnsw() -> HnswIndex:
    pytest.importorskip("hnswlib")
    return HnswIndex(DIM, exact_below=0)  # so that the graph answers in tests too


@pytest.fixture(params=["exact", "hnsw"])
def make(request: pytest.FixtureRequest) -> Make:
    return _hnsw if request.param == "hnsw" else lambda: ExactIndex(DIM)


def unit(n: int, seed: int = 0) -> NDArray[np.float32]:
    x = np.random.default_rng(seed).standard_normal((n, DIM)).astype(np.float32)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return x


def built(make: Make, n: int = 600) -> tuple[VectorIndex, NDArray[np.int64], NDArray[np.float32]]:
    ids = np.random.default_rng(1).permutation(np.arange(10, 10 + n)).astype(np.int64)
    matrix = unit(n)
    index = make()
    index.build(ids, matrix)
    return index, ids, matrix


def expected(
    ids: NDArray[np.int64], matrix: NDArray[np.float32], query: NDArray[np.float32], k: int
) -> list[int]:
    scores = matrix @ query
    return [int(i) for i in ids[np.lexsort((ids, -scores))][:k]]


def test_an_empty_index_finds_nothing(make: Make) -> None:
    index = make()
    ids, scores = index.search(unit(1)[0], 5)
    assert index.count == 0
    assert ids.shape == scores.shape == (0,)
    assert index.search(unit(3), 5)[0].shape == (3, 0)


def test_finds_what_is_nearest_best_first(make: Make) -> None:
    index, ids, matrix = built(make)
    queries = unit(50, seed=2)
    found, scores = index.search(queries, 10)
    assert found.shape == scores.shape == (50, 10)
    assert found.dtype == np.int64
    assert scores.dtype == np.float32
    assert (np.diff(scores, axis=1) <= 0).all()
    hits = [
        len({*row} & {*expected(ids, matrix, q, 10)}) for row, q in zip(found, queries, strict=True)
    ]
    assert sum(hits) >= 0.97 * 500


def test_scores_are_inner_products(make: Make) -> None:
    index, ids, matrix = built(make)
    query = unit(1, seed=3)[0]
    found, scores = index.search(query, 20)
    by_id = dict(zip(ids.tolist(), matrix, strict=True))
    exact = np.array([by_id[int(i)] @ query for i in found])
    np.testing.assert_allclose(scores, exact, atol=1e-5)


def test_one_query_and_many_give_the_same(make: Make) -> None:
    index, _, _ = built(make)
    queries = unit(3, seed=4)
    together, _ = index.search(queries, 7)
    alone = [index.search(query, 7)[0] for query in queries]
    np.testing.assert_array_equal(together, np.array(alone))


def test_equal_scores_are_ordered_by_id(make: Make) -> None:
    index = make()
    vector = unit(1)[0]
    index.build(np.array([5, 3, 9, 1]), np.stack([vector] * 4))
    assert index.search(vector, 4)[0].tolist() == [1, 3, 5, 9]


@pytest.mark.parametrize("share", [0.005, 0.1, 0.5, 0.9])
def test_only_allowed_ids_are_found(make: Make, share: float) -> None:
    index, ids, matrix = built(make)
    allowed = np.random.default_rng(5).choice(ids, int(share * len(ids)), replace=False)
    keep = np.isin(ids, allowed)
    query = unit(1, seed=6)[0]
    found, _ = index.search(query, 10, allowed)
    assert len(found) == min(10, len(allowed))
    assert set(found.tolist()) <= set(allowed.tolist())
    best = expected(ids[keep], matrix[keep], query, len(found))
    assert len({*found.tolist()} & {*best}) >= len(found) - 1


def test_unknown_and_repeated_allowed_ids_are_passed_over(make: Make) -> None:
    index, ids, _ = built(make)
    allowed = np.array([ids[0], 10_000_000, ids[1], ids[0], -4])
    assert sorted(index.search(unit(1)[0], 10, allowed)[0].tolist()) == sorted(ids[:2].tolist())
    assert len(index.search(unit(1)[0], 10, np.empty(0, dtype=np.int64))[0]) == 0


def test_ids_may_lie_far_apart(make: Make) -> None:
    index, matrix = make(), unit(50)
    ids = np.arange(50, dtype=np.int64) ** 6 - 3
    index.build(ids, matrix)
    index.remove(ids[:10])
    allowed = np.append(ids[5:20], [7, -99, 2**62])
    found, _ = index.search(matrix[15], 50, allowed)
    assert found[0] == ids[15]
    assert sorted(found.tolist()) == ids[10:20].tolist()


def test_asking_for_more_than_there_is_returns_all(make: Make) -> None:
    index, ids, _ = built(make, 40)
    found, _ = index.search(unit(1)[0], 1000)
    assert sorted(found.tolist()) == sorted(ids.tolist())


def test_removed_ids_are_gone_even_when_asking_for_more(make: Make) -> None:
    index, ids, _ = built(make)
    index.remove(np.append(ids[:550], 123_456))
    assert index.count == 50
    found, _ = index.search(unit(2), 100)
    assert found.shape == (2, 50)
    assert {*found[0].tolist()} == {*ids[550:].tolist()}
    index.remove(ids)
    assert index.count == 0
    assert index.search(unit(1)[0], 3)[0].shape == (0,)


def test_an_id_added_again_after_removal_is_found_with_its_new_vector(make: Make) -> None:
    index, ids, matrix = built(make)
    target = ids[:1]
    for seed in range(5):
        index.remove(target)
        assert target[0] not in index.search(matrix[0], 5)[0]
        vector = unit(1, seed=100 + seed)
        index.add(target, vector)
        found, scores = index.search(vector[0], 1)
        assert found[0] == target[0]
        assert scores[0] == pytest.approx(1, abs=1e-5)
    assert index.count == len(ids)


def test_adding_an_id_that_is_there_replaces_its_vector(make: Make) -> None:
    index, ids, matrix = built(make)
    vector = unit(1, seed=7)
    index.add(ids[:1], vector)
    assert index.count == len(ids)
    assert index.search(vector[0], 1)[0][0] == ids[0]
    assert index.search(matrix[0], 600)[0].tolist().count(int(ids[0])) == 1


def test_grows_far_beyond_its_first_size(make: Make) -> None:
    index = make()
    index.build(np.arange(3), unit(3))
    more = unit(3000, seed=8)
    for start in range(0, 3000, 250):
        index.add(np.arange(100 + start, 350 + start), more[start : start + 250])
    assert index.count == 3003
    found, _ = index.search(more[::100], 1)
    assert (found[:, 0] == np.arange(100, 3100, 100)).mean() >= 0.95


def test_a_build_forgets_what_was_there(make: Make) -> None:
    index, _, _ = built(make)
    index.build(np.array([1, 2]), unit(2))
    assert index.count == 2
    assert sorted(index.search(unit(1)[0], 9)[0].tolist()) == [1, 2]


def test_one_id_twice_is_refused(make: Make) -> None:
    with pytest.raises(ValueError, match="twice"):
        make().build(np.array([1, 1]), unit(2))


def test_the_given_matrix_is_never_written(make: Make) -> None:
    ids, matrix = np.arange(20), unit(20)
    matrix.setflags(write=False)
    ids.setflags(write=False)
    index = make()
    index.build(ids, matrix)
    index.remove(ids[:5])
    index.add(ids[:5], unit(5, seed=9))
    assert index.count == 20


def test_random_changes_agree_with_a_dictionary(make: Make) -> None:
    rng = np.random.default_rng(10)
    index, truth = make(), dict[int, NDArray[np.float32]]()
    for _ in range(40):
        ids = rng.choice(200, 30, replace=False).astype(np.int64)
        if rng.random() < 0.6:
            vectors = unit(30, seed=int(rng.integers(1 << 30)))
            index.add(ids, vectors)
            truth.update(zip(ids.tolist(), vectors, strict=True))
        else:
            index.remove(ids)
            for i in ids.tolist():
                truth.pop(i, None)
        assert index.count == len(truth)
        query = unit(1, seed=int(rng.integers(1 << 30)))[0]
        found, _ = index.search(query, 8)
        assert len(found) == min(8, len(truth))
        known, matrix = np.array(list(truth)), np.array(list(truth.values()))
        if truth:
            assert len({*found.tolist()} & {*expected(known, matrix, query, 8)}) >= len(found) - 1
