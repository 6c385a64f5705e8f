"""What belongs together is found in a batch as one by one, and the same either way round."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples.support import everything, source

from litscape_trainer.examples.known import LONG_LIST

N = 14
PAIR = st.tuples(st.integers(1, N), st.integers(1, N))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(PAIR, max_size=70),
    st.lists(st.tuples(st.integers(1, N), st.integers(101, 105)), max_size=30),
    st.lists(PAIR, max_size=4),
    st.lists(st.integers(1, N + 2), min_size=1, max_size=20),
)
def test_a_batch_is_as_counted_by_hand(
    links: list[tuple[int, int]],
    works: list[tuple[int, int]],
    related: list[tuple[int, int]],
    batch: list[int],
) -> None:
    links = [(a, b) for a, b in links if a != b]
    titles = {3: "Two records of one work", 9: "Two records of one work"}
    material = everything(source([2000] * N, links, titles=titles, related=related, works=works))
    cites: dict[int, set[int]] = {n: set() for n in range(1, N + 1)}
    for one, other in [*links, *works]:
        cites[one].add(other)

    def belong(a: int, b: int) -> bool:
        if a == b:
            return True
        if max(a, b) > N:
            return False
        told = (a, b) in related or (b, a) in related or {a, b} == {3, 9}
        together = sum(a in one and b in one for one in cites.values())
        return (
            told or b in cites[a] or a in cites[b] or together >= 2
            or len(cites[a] & cites[b]) >= 3
        )  # fmt: skip

    ids = np.array(batch, dtype=np.int64)
    mask = material.known.mask(ids)
    assert mask.tolist() == [[belong(a, b) for b in batch] for a in batch]
    assert np.array_equal(mask, mask.T)
    some = ids[: len(ids) // 2]
    assert np.array_equal(material.known.between(some, ids), mask[: len(some)])
    inside = ids[ids <= N]
    if len(inside):
        places = material.places(inside)
        rows, columns = np.repeat(places, len(places)), np.tile(places, len(places))
        own = material.known.mask(inside).ravel()
        assert np.array_equal(material.known.pairs(rows, columns), own)


def test_a_survey_brings_nothing_together() -> None:
    size = LONG_LIST + 5
    links = [(survey, n) for survey in (size + 1, size + 2) for n in range(1, size + 1)]
    material = everything(source([2000] * (size + 2), links))
    assert not material.known.mask(np.array([1, 2], dtype=np.int64))[0, 1]
    assert material.known.mask(np.array([1, size + 1], dtype=np.int64))[0, 1]


def test_nothing_is_known_of_no_paper() -> None:
    material = everything(source([], []))
    nobody = np.empty(0, dtype=np.int64)
    assert material.known.mask(nobody).shape == (0, 0)
    assert material.known.mask(np.array([5, 5], dtype=np.int64)).all()
