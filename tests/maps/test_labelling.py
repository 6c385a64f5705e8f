"""Where names of topics stand: by their own points, or nowhere."""

from __future__ import annotations

import numpy as np
import pytest

from litscape.maps.ground import Ground, fitted
from litscape.maps.labelling import Placer, first_term

RNG = np.random.default_rng(3)
FRAME = (0.0, 0.0, 400.0, 400.0)
SCALE = 40.0


def heap(x: float, y: float, number: int, wide: float = 0.5) -> np.ndarray:
    return np.array((x, y)) + RNG.uniform(-wide, wide, size=(number, 2))


def ground_of(*heaps: np.ndarray) -> Ground:
    """Each heap is a topic, numbered from 1."""
    ends = np.cumsum([0, *map(len, heaps)])
    topics = {at + 1: np.arange(ends[at], ends[at + 1]) for at in range(len(heaps))}
    return Ground(np.concatenate(heaps), topics, topics)


def spot(ground: Ground, key: int) -> tuple[float, float]:
    x, y = ground.anchor_of(key)
    return x * SCALE, (10 - y) * SCALE


def below(ground: Ground, key: int, box: tuple[float, float, float, float]) -> tuple[float, float]:
    """Own points and all that lie below a box of pixels."""
    left, top, wide, tall = box
    sides = (left / SCALE, 10 - (top + tall) / SCALE, (left + wide) / SCALE, 10 - top / SCALE)
    own, all_, _others = ground.counts(key, np.array([sides]))
    return float(own[0]), float(all_[0])


def test_rectangles_count_whose_points_lie_in_them() -> None:
    one, other = heap(2, 2, 300), heap(8, 8, 100)
    ground = ground_of(one, other)
    box = np.array([[1.0, 1.0, 2.5, 3.0], [0.0, 0.0, 10.0, 10.0]])
    own, all_, others = ground.counts(1, box)
    inside = int(((one >= (1, 1)) & (one <= (2.5, 3))).all(axis=1).sum())
    assert own.tolist() == pytest.approx([inside, 300], abs=6)
    assert all_.tolist() == pytest.approx([inside, 400], abs=6)
    assert others.tolist() == pytest.approx([0, 1], abs=0.02), "all of the other is covered"
    shown = np.arange(400) >= 300
    ground.show(shown)
    assert ground.counts(1, box)[1].tolist() == pytest.approx([0, 100], abs=2)


def test_a_name_lies_on_its_own_points_where_they_are_many() -> None:
    ground = ground_of(heap(5, 5, 900, 3))
    taken: list[tuple[float, float, float, float]] = []
    found = Placer(ground).stand(1, spot(ground, 1), [(90, 20)], SCALE, FRAME, taken)
    assert found is not None
    assert found.line is None
    own, all_ = below(ground, 1, found.box)
    assert own == all_ > 5
    assert found.box in taken


def test_a_small_topic_is_named_beside_its_points_with_a_line_to_them() -> None:
    ground = ground_of(heap(5, 5, 20, 0.15), heap(1, 9, 500, 0.8), heap(9, 1, 500, 0.8))
    found = Placer(ground).stand(1, spot(ground, 1), [(120, 30)], SCALE, FRAME, [])
    assert found is not None
    own, all_ = below(ground, 1, found.box)
    assert own <= 10, "its points are seen"
    assert all_ - own < 1, "and nothing of others is below it"
    if found.line is not None:
        assert found.line[2:] == pytest.approx(spot(ground, 1))


def test_a_name_never_lies_on_the_points_of_others() -> None:
    # Three grains in the middle of a large topic: whatever is beside them is the other's.
    ground = ground_of(heap(5, 5, 3, 0.02), RNG.uniform(0, 10, size=(4_000, 2)))
    assert Placer(ground).stand(1, spot(ground, 1), [(90, 20)], SCALE, FRAME, []) is None
    large = Placer(ground).stand(2, spot(ground, 2), [(90, 20)], SCALE, FRAME, [])
    assert large is not None


def test_a_name_that_would_cover_another_cluster_is_elsewhere() -> None:
    grains = heap(5.6, 5.0, 6, 0.05)
    ground = ground_of(heap(5, 5, 400, 0.5), grains)
    found = Placer(ground).stand(1, spot(ground, 1), [(80, 60)], SCALE, FRAME, [])
    assert found is not None
    left, top, wide, tall = found.box
    x, y = grains[:, 0] * SCALE, (10 - grains[:, 1]) * SCALE
    hidden = (x > left) & (x < left + wide) & (y > top) & (y < top + tall)
    assert hidden.mean() < 0.5


def test_where_there_is_little_room_the_first_term_stands_alone() -> None:
    ground = ground_of(heap(5, 5, 900, 3))
    narrow = (150.0, 150.0, 250.0, 250.0)
    found = Placer(ground).stand(1, (200, 200), [(140, 20), (60, 20)], SCALE, narrow, [])
    assert found is not None
    assert found.shape == 1
    assert first_term("lakes, rivers, and seas") == "lakes"
    assert first_term("lakes") is None


def test_a_few_far_strays_make_no_map_small() -> None:
    near = RNG.uniform(0, 1, size=(990, 2))
    strays = np.array([(60.0, 60.0), (-80.0, 3.0), (5.0, 90.0)])
    left, bottom, right, top = fitted(np.concatenate((near, strays)))
    assert (left, bottom) == pytest.approx((0, 0), abs=0.01)
    assert (right, top) == pytest.approx((1, 1), abs=0.01)
    assert fitted(near) == pytest.approx((0, 0, 1, 1), abs=0.01)
    few = np.array([(0.0, 0.0), (9.0, 1.0), (2.0, 5.0)])
    assert fitted(few) == (0.0, 0.0, 9.0, 5.0), "of few papers none is a stray"
