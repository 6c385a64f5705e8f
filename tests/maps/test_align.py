"""Two maps over each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.maps.made import make, vectors

from litscape.errors import UserError
from litscape.maps.align import align
from litscape.maps.records import MapLayout, MapScope

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def layout(ids: NDArray[np.int64], xy: NDArray[np.floating]) -> MapLayout:
    none = np.zeros(len(ids), dtype=bool)
    return MapLayout(1, "v", "pca", 0, MapScope(), "", ids, xy.astype(np.float32), none)


def test_a_turned_mirrored_scaled_and_shifted_map_is_the_same_map() -> None:
    rng = np.random.default_rng(3)
    xy = rng.standard_normal((50, 2))
    turn = np.array([[0.6, -0.8], [0.8, 0.6]]) @ np.array([[1.0, 0.0], [0.0, -1.0]])
    order = rng.permutation(50)
    ids = np.arange(100, 150)
    laid = align(layout(ids, xy), layout(ids[order], 7 * (xy @ turn)[order] + 40))
    np.testing.assert_array_equal(laid.ids, ids)
    np.testing.assert_allclose(laid.after_xy, laid.before_xy, atol=1e-5)
    assert laid.disparity < 1e-6
    assert laid.moved.max() < 1e-5


def test_papers_that_moved_are_listed_the_farthest_first() -> None:
    rng = np.random.default_rng(3)
    xy = rng.standard_normal((200, 2))
    other = xy.copy()
    other[17] += (4.0, 0.0)
    other[90] -= (0.0, 2.0)
    before = layout(np.arange(200), xy)
    after = layout(np.arange(1, 200), other[1:])
    laid = align(before, after)
    assert laid.movers[:2].tolist() == [17, 90]
    assert 0 not in laid.ids
    assert laid.moved[laid.ids == 17][0] > 2.5
    assert 0 < laid.disparity < 0.2
    assert len(laid) == len(laid.moved) == len(laid.movers) == 199
    # No better turn or scale exists: the residue is the least squares one.
    angle = 0.01
    tilt = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    least = ((laid.after_xy - laid.before_xy) ** 2).sum()
    for changed in (laid.after_xy @ tilt, laid.after_xy * 1.01, laid.after_xy * 0.99):
        assert ((changed - laid.before_xy) ** 2).sum() > least


def test_maps_that_share_too_little_are_refused() -> None:
    one, other = layout(np.arange(5), np.eye(5, 2)), layout(np.arange(3, 9), np.eye(6, 2))
    with pytest.raises(UserError, match="share 2 papers"):
        align(one, other)


def test_a_map_can_begin_with_the_places_of_another(tmp_path: Path) -> None:
    with make(tmp_path, 60, vectors(60)) as library:
        kept = library.maps.make(layout="pca")
        # Topics in a row, which neither PCA nor t-SNE would give by themselves.
        row = np.random.default_rng(1).standard_normal((60, 2)) + [
            (20.0 * (paper % 3), 0.0) for paper in kept.ids.tolist()
        ]
        start = replace(kept, xy=row.astype(np.float32))
        begun = library.maps.make(layout="tsne", start=start)
        free = library.maps.make(layout="tsne")
        assert (begun.started_from, free.started_from) == (kept.key, None)
        assert [one.started_from for one in library.maps.list()] == [None, kept.key, None]
        assert align(start, begun).disparity < 0.5 * align(start, free).disparity
        # It is stored the same way round, so that nothing turns when one follows the other.
        overlap = np.corrcoef(begun.xy[:, 0], start.xy[:, 0])[0, 1]
        assert overlap > 0.9
