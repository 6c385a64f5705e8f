"""The five words, each by figures that call for it, and the sentences with their numbers."""

from __future__ import annotations

import numpy as np
import pytest

from litscape.evaluation.bootstrap import compare, estimate
from litscape_trainer.runs.opened import again, ordinal
from litscape_trainer.runs.records import Row
from litscape_trainer.verdict.judging import judge, points, too_small
from litscape_trainer.verdict.labels import MEASURE


def row(
    task: str, gain: float, spread: float = 0.05, n: int = 374, measure: str = "nDCG@10"
) -> Row:
    """A new model against the one in use, with a mean gain of exactly that."""
    rng = np.random.default_rng(len(task))
    before = rng.uniform(0.2, 0.8, n)
    noise = rng.normal(0, spread, n)
    after = before + noise - noise.mean() + gain
    return Row(
        task, task, "new", "New model", measure, estimate(after), compare(before, after), "current"
    )


def test_no_measurable_change_is_said_as_such() -> None:
    found = judge([row("citations", 0.003, spread=0.1)])
    assert found.word == "no-change"
    assert found.sentence.startswith(
        "No measurable change of nDCG@10 on 374 held-out papers (+0.3 points, 95 % interval −"
    )
    assert found.sentence.endswith("). The old model stays.")


def test_what_certainly_changed_beside_it_is_said() -> None:
    rows = [
        row("citations", 0.003, spread=0.1),
        row("citations", 0.02, measure="Recall@20"),
        row("titles", -0.008, 0.01),
        row("tags", 0.004, 0.5),
        row("reranking", 0.03, measure="MAP"),
    ]
    found = judge(rows)
    assert found.word == "no-change"
    assert found.sentence.endswith(
        "; but Recall@20 of related papers +2.0, nDCG@10 of search by title −0.8 and MAP of papers "
        "that are cited or not +3.0. The old model stays."
    )


def test_a_certain_gain_is_better_and_a_certain_loss_is_worse() -> None:
    assert judge([row("citations", 0.02)]).word == "better"
    worse = judge([row("citations", -0.02)])
    assert worse.word == "worse"
    assert worse.sentence.endswith("The old model stays.")
    assert "−2.0 points" in worse.sentence


@pytest.mark.parametrize(("task", "measure"), [("titles", "nDCG@10"), ("tags", MEASURE)])
def test_a_gain_with_a_loss_elsewhere_is_mixed(task: str, measure: str) -> None:
    found = judge([row("citations", 0.02), row(task, -0.03, measure=measure)])
    assert found.word == "mixed"
    assert found.sentence.endswith("keep both?")
    assert "−3.0 points" in found.sentence


def test_a_loss_elsewhere_counts_above_a_point_and_if_certain() -> None:
    assert judge([row("citations", 0.02), row("titles", -0.008, 0.01)]).word == "better"
    assert judge([row("citations", 0.02), row("titles", -0.02, 0.5)]).word == "better"
    assert judge([row("citations", 0.0), row("titles", -0.03)]).word == "worse"


def test_a_recipe_for_titles_is_judged_by_titles() -> None:
    rows = [row("citations", 0.0), row("titles", 0.02)]
    assert judge(rows, "titles").word == "better"
    assert judge(rows, "citations").word == "no-change"
    with pytest.raises(ValueError, match="not measured"):
        judge([row("citations", 0.1)], "titles")


def test_few_queries_are_said_to_be_rough() -> None:
    assert "rough" in judge([row("citations", 0.05, n=60)]).notes[0]
    assert not judge([row("citations", 0.05)]).notes


def test_where_links_are_hidden_no_paper_is_said_to_be_held_out() -> None:
    found = judge([row("citations", 0.05, n=166)], links=True)
    assert found.sentence.startswith("Better on held-out links of 166 papers (+5.0 points")
    assert found.notes == (
        "Only held-out links of 166 papers: fewer than 200 give a rough figure.",
    )


def test_how_often_the_test_was_asked() -> None:
    assert again(0) == ()
    assert again(3) == (
        "This library's test is asked the 4th time: who tries many recipes and keeps the best "
        "selects by chance.",
    )
    assert [ordinal(n) for n in (2, 3, 11, 12, 22, 101)] == [
        "2nd", "3rd", "11th", "12th", "22nd", "101st",
    ]  # fmt: skip


def test_too_small_says_what_is_lacking_and_the_way_forward() -> None:
    assert too_small(300, 500, 50) is None
    found = too_small(30, 12, 3)
    assert found is not None
    assert found.word == "too-small"
    for part in ("30 papers with an abstract (300 are needed)", "12 links", "Crossref"):
        assert part in found.sentence
    one = too_small(1, 1, 1)
    assert one is not None
    for part in ("1 paper with", "1 link between", "1 held-out paper to"):
        assert part in one.sentence
    assert too_small(299, 500, 50) is not None
    assert too_small(300, 499, 50) is not None
    assert too_small(300, 500, 49) is not None
    assert too_small(300, 0, 100, "titles") is None
    assert too_small(300, 0, 99, "titles") is not None


def test_points_have_a_sign_that_people_read() -> None:
    assert [points(one) for one in (0.012, -0.006, -0.0001)] == ["+1.2", "−0.6", "0.0"]
