"""Maps of a library: odd libraries, what is kept, what is said, papers that come later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.maps.made import add, embed, make, vectors

from litscape import Library
from litscape.errors import EnvironmentFault, NotReadyError, UserError
from litscape.jobs import JobCancelledError, JobContext
from litscape.jobs.context import Event, Progress
from litscape.maps import MapScope
from litscape.maps.files import MapFiles

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("n", [1, 2, 3, 30])
@pytest.mark.parametrize("layout", ["pca", "umap", "tsne"])
def test_small_libraries_have_a_sensible_picture(tmp_path: Path, n: int, layout: str) -> None:
    if n == 30 and layout == "umap":
        pytest.skip("where UMAP is warm: test_child.py")
    with make(tmp_path, n, vectors(n)) as library:
        found = library.maps.make(layout=layout)
        assert (len(found), found.missing) == (n, 0)
        assert found.xy.shape == (n, 2)
        assert found.xy.dtype == np.float32
        assert np.isfinite(found.xy).all()
        assert len({tuple(place) for place in found.xy.tolist()}) == n
        assert bool(found.sentence) == (n < 3 or (n == 3 and layout != "pca"))


def test_a_library_without_papers_or_vectors_is_told_what_to_do(tmp_path: Path) -> None:
    with make(tmp_path / "none", 0) as library:
        with pytest.raises(UserError, match="no papers yet"):
            library.maps.make(layout="pca")
        assert library.maps.list() == ()
        assert library.maps.latest() is None
        assert len(library.maps.neighbours()) == 0
    with make(tmp_path / "bare", 3) as library:
        with pytest.raises(NotReadyError, match="compute similarity"):
            library.maps.make(layout="pca")
        with pytest.raises(UserError, match=r"“Nothing” has no papers"):
            library.maps.make(MapScope("Nothing", ()), layout="pca")


def test_equal_vectors_lie_side_by_side(tmp_path: Path) -> None:
    with make(tmp_path, 40, np.repeat(vectors(1), 40, axis=0)) as library:
        found = library.maps.make(layout="umap")
        assert "equal" in found.sentence
        apart = np.linalg.norm(found.xy[:, None] - found.xy[None], axis=2)
        assert apart[np.triu_indices(40, 1)].min() > 0.05


def test_vectors_that_are_no_numbers_are_never_drawn(tmp_path: Path) -> None:
    matrix = vectors(12)
    matrix[3], matrix[7] = np.nan, 0.0
    with make(tmp_path, 12, matrix) as library:
        found = library.maps.make(layout="pca")
        assert set(range(1, 13)) - set(found.ids.tolist()) == {4, 8}
        assert np.isfinite(found.xy).all()
        assert found.missing == 2
        assert not np.isin([4, 8], library.maps.neighbours(k=3).ids).any()
        assert len(library.maps.place_new(found.key)) == 10


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with make(tmp_path, 9, vectors(6), bare=(1, 2), textless=(8,)) as library:
        found = library.maps.make(layout="pca")
        assert found.missing == 3
        assert "2 of 9 papers have no abstract" in found.sentence
        assert "1 of 9 papers has neither title nor abstract" in found.sentence
        assert "2 of 9 papers have no vector yet" in found.sentence


def test_a_map_is_kept_as_it_is(tmp_path: Path) -> None:
    chosen = MapScope("Collection Ponds", tuple(range(1, 20)))
    with make(tmp_path, 30, vectors(30)) as library:
        whole = library.maps.make(layout="tsne", seed=3)
        part = library.maps.make(chosen, layout="pca")
        assert [one.key for one in library.maps.list()] == [part.key, whole.key]
    with Library.open(tmp_path) as library:
        again = library.maps.latest()
        assert again is not None
        assert (again.key, again.layout, again.seed, again.scope.ids) == (
            whole.key,
            "tsne",
            3,
            None,
        )
        np.testing.assert_array_equal(again.xy, whole.xy)
        np.testing.assert_array_equal(again.ids, whole.ids)
        of_part = library.maps.latest("Collection Ponds")
        assert of_part is not None
        assert of_part.scope == chosen
        assert library.maps.latest(layout="pca") is None
        assert library.maps.latest(version="another") is None
        # The same seed gives the same picture on a library that was opened again.
        np.testing.assert_array_equal(library.maps.make(layout="tsne", seed=3).xy, whole.xy)
        assert not np.array_equal(library.maps.make(layout="tsne", seed=4).xy, whole.xy)
        library.maps.remove(whole.key)
        with pytest.raises(UserError, match="no map 1 in this library; there are: 2, 3, 4"):
            library.maps.get(whole.key)
        with pytest.raises(UserError, match="no map 1"):
            library.maps.remove(whole.key)


def test_how_far_a_map_is_never_goes_back_and_ends_by_the_whole(tmp_path: Path) -> None:
    told: list[Progress] = []

    def hear(event: Event) -> None:
        if isinstance(event.value, Progress):
            told.append(event.value)

    with make(tmp_path, 40, vectors(40)) as library:
        library.maps.make(layout="tsne", ctx=JobContext(hear))
    done = [one.done for one in told]
    assert done == sorted(done)
    assert {one.total for one in told} == {1000}
    assert (done[0], done[-1]) == (0, 1000)
    assert len(set(done)) > 100, "fine steps"
    texts = list(dict.fromkeys(one.text for one in told))
    assert texts == [
        "First picture by PCA", "Finding neighbours", "Getting t-SNE ready", "Weighing neighbours",
        "t-SNE of 40 papers",
    ]  # fmt: skip


def test_two_that_make_the_same_map_keep_one(tmp_path: Path) -> None:
    other: list[int] = []

    def make_meanwhile(event: Event) -> None:
        if event.kind == "partial" and not other:
            with Library.open(tmp_path) as second:
                other.append(second.maps.make(layout="pca", seed=2).key)

    with make(tmp_path, 12, vectors(12)) as library:
        ctx = JobContext(make_meanwhile)
        assert library.maps.make(layout="pca", seed=2, ctx=ctx).key == other[0]
        assert [one.key for one in library.maps.list()] == other
        other.clear()
        mine = library.maps.make(layout="pca", seed=3, ctx=JobContext(make_meanwhile)).key
        assert mine not in other, "another seed, another map"
        assert library.maps.make(layout="pca", seed=3).key != mine, "asked for again, made again"


@pytest.mark.parametrize("layout", ["pca", "tsne"])
def test_new_papers_are_placed_and_others_stay(tmp_path: Path, layout: str) -> None:
    matrix = vectors(66)
    with make(tmp_path, 60, matrix[:60]) as library:
        before = library.maps.make(layout=layout)
        assert library.maps.place_new(before.key).sentence == ""
        add(library, range(61, 67))
        assert "6 of 66 papers have no vector yet" in library.maps.get(before.key).sentence
        embed(library, range(61, 67), matrix[60:])
        assert "6 of 66 papers have no place yet" in library.maps.get(before.key).sentence
        after = library.maps.place_new(before.key)
        np.testing.assert_array_equal(after.xy[:60], before.xy)
        assert after.placed.tolist() == [False] * 60 + [True] * 6
        assert after.missing == 0
        assert "6 papers were placed later" in after.sentence
        for paper, place in zip(after.ids[60:].tolist(), after.xy[60:], strict=True):
            own = before.xy[(before.ids - paper) % 3 == 0]
            others = before.xy[(before.ids - paper) % 3 != 0]
            nearest = np.linalg.norm(own - place, axis=1).min()
            assert nearest < np.linalg.norm(others - place, axis=1).min()
        library.edit.trash([2, 63])
        left = library.maps.get(before.key)
        assert {2, 63}.isdisjoint(left.ids.tolist())
        assert len(left) == 64
        library.history.undo()
        assert len(library.maps.get(before.key)) == 66
        assert library.maps.list()[0].placed == 6


def test_pca_gives_new_papers_their_place_in_the_plane(tmp_path: Path) -> None:
    matrix = vectors(500, spread=1.0)
    with make(tmp_path, 500, matrix[:450]) as library:
        found = library.maps.make(layout="pca")
        embed(library, range(451, 501), matrix[450:])
        placed = library.maps.place_new(found.key).xy[450:]
    centred = matrix[:450] - matrix[:450].mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:2]
    there = (matrix[450:] - matrix[:450].mean(axis=0)) @ axes.T
    np.testing.assert_allclose(np.abs(placed), np.abs(there), atol=2e-3)


def test_a_cancelled_layout_leaves_nothing(tmp_path: Path) -> None:
    ctx = JobContext(lambda event: ctx.cancel() if event.kind == "partial" else None)
    with make(tmp_path, 30, vectors(30)) as library:
        with pytest.raises(JobCancelledError):
            library.maps.make(layout="tsne", ctx=ctx)
        assert library.maps.list() == ()
        assert not list((tmp_path / "maps").glob("*"))


def test_damaged_and_unfinished_maps_are_passed_over(tmp_path: Path) -> None:
    with make(tmp_path, 5, vectors(5)) as library:
        first, second = (library.maps.make(layout="pca").key for _ in range(2))
        file = tmp_path / "maps" / str(second) / "map.npz"
        file.write_bytes(file.read_bytes()[:-30])
        (tmp_path / "maps" / ".new-half").mkdir()
        (tmp_path / "maps" / "7").mkdir()
        assert [one.key for one in library.maps.list()] == [first]
        latest = library.maps.latest()
        assert latest is not None
        assert latest.key == first
        with pytest.raises(UserError, match="damaged: remove it"):
            library.maps.get(second)
        library.maps.remove(second)
        assert library.maps.make(layout="pca").key == 8


def test_a_folder_that_cannot_be_written_is_told_of(tmp_path: Path) -> None:
    with make(tmp_path, 5, vectors(5)) as library:
        (tmp_path / "maps").write_text("in the way", encoding="utf-8")
        with pytest.raises(EnvironmentFault, match="can't be stored"):
            library.maps.make(layout="pca")
        assert MapFiles(tmp_path / "maps").keys() == []
