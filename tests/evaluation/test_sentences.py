"""What is said of a comparison: how many more, or that none is to be seen."""

from __future__ import annotations

import numpy as np

from litscape.evaluation.bootstrap import Comparison, Estimate, compare
from litscape.evaluation.records import Figures
from litscape.evaluation.sentences import sentence, sentences, turned
from litscape.evaluation.tasks import TASKS

SAME = Estimate(0.5, 0.4, 0.6, 374)


def figures(**changes: Comparison) -> list[Figures]:
    """Figures of rankings; ``changes`` are over hybrid search."""
    names = {**dict.fromkeys(changes), "hybrid": None}
    return [
        Figures(name, name, {"Recall@20": SAME}, {"Recall@20": changes[name]})
        if name in changes
        else Figures(name, name, {"Recall@20": SAME})
        for name in names
    ]


def change(mean: float, low: float, high: float) -> Comparison:
    return Comparison(Estimate(mean, low, high, 374), 3, 1, 2, 0.01)


def test_a_certain_change_is_told_as_a_number() -> None:
    said = sentences(TASKS["citations"], figures(words=change(-0.031, -0.05, -0.012)))
    assert said == (
        "Both together find 3.1 more of 100 cited papers among the first 20 than words alone "
        "(95 % interval +1.2 to +5.0, n = 374).",
    )
    said = sentences(TASKS["titles"], figures(blend=change(-0.02, -0.03, -0.01)))
    assert said == (
        "The full blend of similar papers finds 2.0 fewer of 100 papers looked for among the "
        "first 20 than both (95 % interval -3.0 to -1.0, n = 374).",
    )


def test_an_uncertain_change_is_told_as_none() -> None:
    said = sentences(TASKS["citations"], figures(meaning=change(-0.003, -0.012, 0.006)))
    assert said == (
        "Both against meaning alone: no measurable change (+0.3 of 100 cited papers among the "
        "first 20, 95 % interval -0.6 to +1.2, n = 374).",
    )


def test_a_short_list_is_told_by_its_order() -> None:
    over = {"nDCG@10": change(0.039, 0.026, 0.052)}
    blend = Figures("blend", "blend", {"nDCG@10": SAME}, over)
    said = sentences(TASKS["reranking"], [Figures("hybrid", "hybrid", {"nDCG@10": SAME}), blend])
    assert said == (
        "The full blend of similar papers ranks cited papers among others better than both "
        "(+3.9 points of nDCG@10, 95 % interval +2.6 to +5.2, n = 374).",
    )


def test_a_comparison_seen_from_the_other_side() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.random(50), rng.random(50) + 0.1
    there, back = compare(one, other), compare(other, one)
    seen = turned(there)
    assert (seen.wins, seen.ties, seen.losses) == (back.wins, back.ties, back.losses)
    assert np.allclose(
        [seen.difference.mean, seen.difference.low, seen.difference.high],
        [back.difference.mean, back.difference.low, back.difference.high],
    )


def test_next_to_nothing_has_no_minus() -> None:
    task = TASKS["citations"]
    told = sentence(task, "the new one", "the old one", change(-0.0001, -0.0002, 0.0003))
    assert "-0.0" not in told
    assert "(+0.0 " in told
