"""Weights learned from what should stand above what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.alike import learning
from litscape.alike.fitting import Query, fit, ndcg
from litscape.alike.signals import DEFAULTS
from litscape.alike.weights import current, learned, put_learned, sentence
from litscape.errors import EnvironmentFault, NotReadyError
from litscape.evaluation.splits import HeldOutPaper
from litscape.library import Library
from litscape_resources import example_library

if TYPE_CHECKING:
    from pathlib import Path


def _queries(number: int, telling: int) -> list[Query]:
    """Queries in which one of three signals tells what is relevant, and the others are noise."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(number):
        values = rng.random((80, 3))
        found.append(Query(values, values[:, telling] > 0.92))
    return found


def test_the_signal_that_tells_gains_weight() -> None:
    start = np.array([0.5, 0.1, 0.4])
    queries = _queries(60, telling=1)
    weights = fit(queries, start)
    assert (weights >= 0).all()
    assert weights[1] / weights.sum() > 0.5
    assert np.mean(ndcg(queries, weights)) > np.mean(ndcg(queries, start)) + 0.2


def test_weights_stay_where_nothing_is_to_be_learned() -> None:
    start = np.array([0.5, 0.1, 0.4])
    rng = np.random.default_rng(4)
    noise = [Query(rng.random((80, 3)), rng.random(80) > 0.9) for _ in range(60)]
    assert fit(noise, start) == pytest.approx(start, abs=0.1)
    assert (fit(noise[:3], start) == start).all()


def test_what_is_no_candidate_counts_as_missed() -> None:
    values = np.array([[1.0], [0.5]])
    there = np.array([True, False])
    assert ndcg([Query(values, there)], np.ones(1)) == [1.0]
    assert ndcg([Query(values, there, missed=1)], np.ones(1))[0] == pytest.approx(0.613, abs=1e-3)


def test_what_later_papers_cite_together() -> None:
    held = [HeldOutPaper(n, 2020, frozenset(cited)) for n, cited in enumerate(({1, 2, 3}, {1, 2}))]
    assert learning.together(held) == {1: frozenset({2}), 2: frozenset({1})}


def test_learning_from_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library.open(tmp_path / "library") as library:
        with pytest.raises(NotReadyError, match="too few links"):
            learning.learn(library)
        library.import_file(example_library())
        monkeypatch.setattr(learning, "MOST_TEXTS", 20)
        monkeypatch.setattr(learning, "MOST_KNOWN", 8)
        before = library.citations.graph().edge_count
        found = learning.learn(library)
        assert library.citations.graph().edge_count == before
        assert found.links == before
        assert found.queries > 20 < found.held_out
        assert found.low <= found.gain <= found.high
        with library.database.read() as conn:
            assert learned(conn) == found
            assert (current(conn) != DEFAULTS) == found.adopted
        assert f"{found.held_out} held-out papers" in sentence(found)
        with library.database.write() as conn:
            put_learned(conn, None)
            assert (learned(conn), current(conn)) == (None, DEFAULTS)
    with Library.open(tmp_path / "library", read_only=True) as library:
        monkeypatch.setattr(learning, "fit", None)  # nothing is learned that can't be kept
        with pytest.raises(EnvironmentFault, match="reading only"):
            learning.learn(library)
