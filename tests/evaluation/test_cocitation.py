"""Which papers count as cited together, and pairs that are to be told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from litscape.evaluation.material import Material
from litscape.evaluation.pairs import shares
from litscape.evaluation.records import Wanted
from litscape.evaluation.tasks.cocitation import LEAST_CITED, CoCitation
from litscape.store.lexical import Text

if TYPE_CHECKING:
    from litscape.evaluation.tasks.base import Prepared

OLD, DEV, TEST = 2000, 2005, 2006


def prepared(pairs: int, part: Any = "dev") -> Prepared:
    """Papers 2i and 2i + 1 are cited together twice in each year, 2i and 2i + 2 once."""
    years = dict.fromkeys(range(2 * pairs), OLD)
    links = []
    for i in range(pairs):
        for year in (DEV, DEV, TEST, TEST):
            citing = 10_000 + len(years)
            years[citing] = year
            links += [(citing, 2 * i), (citing, 2 * i + 1)]
        citing = 10_000 + len(years)
        years[citing] = DEV
        links += [(citing, 2 * i), (citing, (2 * i + 2) % (2 * pairs))]
    texts = {paper: Text(f"Paper {paper}", "About something.", "") for paper in years}
    material = Material(texts, years, np.array(sorted(links), dtype=np.int64))
    return CoCitation().prepare(cast("Any", None), material, Wanted("cocitation", part, "year"))


@pytest.mark.parametrize("part", ["dev", "test"])
def test_only_what_is_cited_together_twice_by_that_part_counts(part: str) -> None:
    found = prepared(80, part)
    assert len(found.questions) == 160
    for question in found.questions:
        paper = question.paper or 0
        assert dict(question.relevant) == {paper ^ 1: 1}
        assert paper not in question.candidates
    assert not found.pairs
    assert "80 pairs" in found.notes[0]


def test_pairs_are_of_cited_papers_and_never_cited_together() -> None:
    found = prepared(310)
    assert len(found.pairs) == 310
    for pair in found.pairs:
        anchor = pair.question.paper or 0
        assert pair.positive == anchor + 1
        assert pair.negative not in {anchor, anchor ^ 1, (anchor + 2) % 620, (anchor - 2) % 620}
        # Each even paper is cited six times in all, each odd one four times.
        assert pair.negative < 620
        assert LEAST_CITED <= 4


def test_the_area_under_the_curve_and_its_uncertainty() -> None:
    rng = np.random.default_rng(3)
    positive = (rng.integers(0, 9, 80) + 2).astype(np.float64)
    negative = rng.integers(0, 9, 80).astype(np.float64)
    wins = positive[:, None] > negative
    ties = positive[:, None] == negative
    area = (wins + ties / 2).mean()
    values = shares(positive, negative)
    assert values.mean() == pytest.approx(area)
    # DeLong's standard error of the area, from the spread of its two structural components.
    above, below = (wins + ties / 2).mean(axis=1), (wins + ties / 2).mean(axis=0)
    error = np.sqrt(above.var(ddof=1) / 80 + below.var(ddof=1) / 80)
    assert values.std(ddof=1) / np.sqrt(80) == pytest.approx(error, rel=0.15)
    assert shares(np.array([1.0, -np.inf]), np.array([0.0, -np.inf])).mean() == 0.625
