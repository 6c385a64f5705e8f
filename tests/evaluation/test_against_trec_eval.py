"""Every measure against trec_eval's own code: ties, grades, queries without relevant papers."""

from __future__ import annotations

import numpy as np
import pytest

from litscape.evaluation.metrics import (
    MEASURES,
    average_precision,
    ndcg,
    recall,
    reciprocal_rank,
    trec_order,
)

pytrec_eval = pytest.importorskip("pytrec_eval", reason="trec_eval's code is not installed")

THEIRS = {
    "nDCG@10": "ndcg_cut_10",
    "Recall@20": "recall_20",
    "MAP": "map_cut_200",
    "MRR": "recip_rank",
}
OURS = {
    "ndcg": lambda ranked, relevant: ndcg(ranked, relevant, None),
    "ndcg_cut_5": lambda ranked, relevant: ndcg(ranked, relevant, 5),
    "map": lambda ranked, relevant: average_precision(ranked, relevant, None),
    "map_cut_10": lambda ranked, relevant: average_precision(ranked, relevant, 10),
    "recall_100": lambda ranked, relevant: recall(ranked, relevant, 100),
    "recip_rank": reciprocal_rank,
    **{theirs: MEASURES[ours] for ours, theirs in THEIRS.items()},
}


def test_each_reported_measure_has_its_counterpart() -> None:
    assert THEIRS.keys() == MEASURES.keys()


@pytest.mark.parametrize("grades", [1, 3])
@pytest.mark.parametrize("scores", [4, 10_000], ids=["many ties", "few ties"])
def test_measures_are_those_of_trec_eval(grades: int, scores: int) -> None:
    rng = np.random.default_rng(grades * scores)
    qrels, runs = {}, {}
    for query in range(60):
        documents = rng.choice(400, size=int(rng.integers(1, 300)), replace=False)
        judged = rng.choice(400, size=int(rng.integers(0, 40)), replace=False)
        # -1 and 0 are judgements too; every fifth query has no relevant paper at all.
        top = 0 if query % 5 == 0 else grades
        qrels[str(query)] = {str(d): int(rng.integers(-1, top + 1)) for d in judged} or {"0": 0}
        runs[str(query)] = {str(d): float(rng.integers(scores)) / 7 for d in documents}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(OURS)).evaluate(runs)
    assert len(theirs) == 60
    for query, values in theirs.items():
        ranked = [int(name) for name in trec_order(runs[query])]
        relevant = {int(name): grade for name, grade in qrels[query].items()}
        for name, measure in OURS.items():
            assert measure(ranked, relevant) == pytest.approx(values[name], abs=1e-6), (query, name)


def test_scores_are_compared_in_single_precision() -> None:
    run = {"1": 1.0, "2": 1.0 + 1e-12, "3": 0.5}
    theirs = pytrec_eval.RelevanceEvaluator({"q": {"1": 1}}, {"recip_rank"}).evaluate({"q": run})
    assert trec_order(run) == ["2", "1", "3"]
    assert theirs["q"]["recip_rank"] == 0.5 == reciprocal_rank([2, 1, 3], {1})
    run = {"1": 1.0 + 1e-12, "2": 1.0, "3": 0.5}
    theirs = pytrec_eval.RelevanceEvaluator({"q": {"1": 1}}, {"recip_rank"}).evaluate({"q": run})
    assert trec_order(run) == ["2", "1", "3"]
    assert theirs["q"]["recip_rank"] == 0.5
