"""The neighbour graph: the right neighbours, kept while nothing changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.maps.made import embed, make, vectors

from litscape.index.hnsw import available
from litscape.jobs import JobCancelledError, JobContext
from litscape.maps import neighbours as module
from litscape.maps.neighbours import find_neighbours

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def nearest(matrix: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """By sorting everything."""
    cosines = matrix.astype(np.float64) @ matrix.T.astype(np.float64)
    np.fill_diagonal(cosines, -np.inf)
    return np.argsort(-cosines, axis=1, kind="stable")[:, :k]


@pytest.mark.parametrize(("n", "k"), [(2, 1), (5, 4), (31, 15), (64, 3), (700, 15), (501, 90)])
def test_neighbours_are_the_nearest(n: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK_NUMBERS", 64 * n)  # several blocks
    matrix = vectors(n)
    graph = find_neighbours(np.arange(1, n + 1), matrix, k)
    cosines = matrix.astype(np.float64) @ matrix.T.astype(np.float64)
    best = np.take_along_axis(cosines, nearest(matrix, k), axis=1)
    found = np.take_along_axis(cosines, graph.indices, axis=1)
    np.testing.assert_allclose(found, best, atol=1e-6)
    np.testing.assert_allclose(graph.distances, 1 - best, atol=2e-6)
    assert all(len({*row}) == k for row in graph.indices.tolist())
    assert (graph.indices != np.arange(n)[:, None]).all()
    assert graph.exact
    assert (np.diff(graph.distances, axis=1) >= 0).all()


def test_there_are_never_more_neighbours_than_other_papers() -> None:
    assert find_neighbours(np.arange(3), vectors(3), 15).k == 2
    assert find_neighbours(np.arange(1), vectors(1), 15).k == 0
    assert len(find_neighbours(np.arange(0), vectors(0), 15)) == 0


def test_equal_vectors_are_each_others_neighbours_and_never_their_own() -> None:
    matrix = np.repeat(vectors(1), 40, axis=0)
    graph = find_neighbours(np.arange(40), matrix, 15)
    assert (graph.indices != np.arange(40)[:, None]).all()
    np.testing.assert_allclose(graph.distances, 0, atol=1e-6)


def test_many_papers_go_by_the_approximate_index(monkeypatch: pytest.MonkeyPatch) -> None:
    if not available():
        pytest.skip("hnswlib is not installed")
    monkeypatch.setattr(module, "EXACT_UP_TO", 100)
    matrix = vectors(1500)
    graph = find_neighbours(np.arange(1500), matrix, 10)
    truth = nearest(matrix, 10)
    shared = [len({*a} & {*b}) for a, b in zip(graph.indices.tolist(), truth.tolist(), strict=True)]
    assert np.mean(shared) > 9.5
    assert not graph.exact
    assert (graph.indices != np.arange(1500)[:, None]).all()


def test_it_can_be_ended() -> None:
    ctx = JobContext(lambda _event: None)
    ctx.cancel()
    with pytest.raises(JobCancelledError):
        find_neighbours(np.arange(30), vectors(30), 5, ctx)


def test_a_graph_is_found_once_and_serves_smaller_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    find = module.exact

    def counted(matrix: NDArray[np.float32], k: int, ctx: JobContext) -> object:
        asked.append(k)
        return find(matrix, k, ctx)

    monkeypatch.setattr(module, "exact", counted)
    matrix = vectors(60)
    with make(tmp_path, 60, matrix) as library:
        whole = library.maps.neighbours(k=20)
        np.testing.assert_array_equal(whole.ids, np.arange(1, 61))
        np.testing.assert_array_equal(whole.indices, nearest(matrix, 20))
        again = library.maps.neighbours(k=7)
        np.testing.assert_array_equal(again.indices, whole.indices[:, :7])
        assert library.maps.neighbours(k=59).k == 59
        assert asked == [59]
        some = library.maps.neighbours(ids=[5, 3, 40, 999], k=7)
        np.testing.assert_array_equal(some.ids, [3, 5, 40])
        assert some.k == 2
        # Another vector: another graph.
        embed(library, [1], vectors(2, seed=9)[1:])
        changed = library.maps.neighbours(k=7)
        assert asked == [59, 2, 59]
        assert set(changed.indices[0].tolist()) != set(whole.indices[0, :7].tolist())
        # A file that is cut off is made anew.
        for file in (tmp_path / "index").rglob("neighbours-*.npz"):
            file.write_bytes(file.read_bytes()[:100])
        np.testing.assert_array_equal(library.maps.neighbours(k=7).indices, changed.indices)


def test_a_deleted_paper_is_nobodys_neighbour(tmp_path: Path) -> None:
    with make(tmp_path, 20, vectors(20)) as library:
        library.edit.trash([4])
        graph = library.maps.neighbours(k=5)
        assert 4 not in graph.ids
        assert graph.indices.max() == 18
