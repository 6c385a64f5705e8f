"""Splits that can't look ahead, and the one protocol."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.evaluation.protocol import evaluate
from litscape.evaluation.splits import HeldOutPaper, by_paper, by_year, split
from litscape.jobs import JobCancelledError, JobContext

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

YEARS = {1: 2000, 2: 2001, 3: 2001, 4: 2002, 5: 2003, 6: 2003}
LINKS = np.array([(2, 1), (3, 1), (3, 2), (3, 4), (4, 1), (4, 4), (5, 4), (5, 6), (6, 9), (7, 1)])


def test_by_year() -> None:
    found = by_year(YEARS, LINKS, 2001)
    assert found.training.tolist() == [[2, 1], [3, 1], [3, 2]]
    assert found.dev == (HeldOutPaper(4, 2002, frozenset({1})),)
    assert found.test == (HeldOutPaper(5, 2003, frozenset({4, 6})),)
    assert "2001" in found.name


def test_links_to_later_papers_are_not_relevant() -> None:
    found = by_year(YEARS, LINKS, 2000)
    (dev,) = (query for query in found.dev if query.paper == 3)
    assert dev.relevant == {1, 2}


def test_by_paper_trains_on_no_link_of_a_query() -> None:
    rng = np.random.default_rng(0)
    years = {i: 2000 + i % 10 for i in range(200)}
    links = np.unique(rng.integers(0, 200, size=(900, 2)), axis=0)
    found = by_paper(years, links, share=0.2)
    queries = {query.paper for query in (*found.dev, *found.test)}
    assert len(found.dev) == len(found.test) > 20
    assert not {q.paper for q in found.dev} & {q.paper for q in found.test}
    assert not queries & set(found.training.ravel().tolist())
    for query in (*found.dev, *found.test):
        assert query.relevant
        assert all(years[paper] <= query.year for paper in query.relevant)
    assert by_paper(years, links, share=0.2).test == found.test
    assert by_paper(years, links, share=0.2, seed=1).test != found.test


def test_the_latest_cut_with_enough_of_both_is_taken() -> None:
    rng = np.random.default_rng(0)
    years = {i: 2000 + i // 20 for i in range(200)}
    pairs = rng.integers(0, 200, size=(2000, 2))
    links = np.unique(pairs[pairs[:, 0] > pairs[:, 1]], axis=0)
    found = split(years, links, min_test=50, min_links=300, min_dev=10)
    assert found.name.startswith("by year")
    assert len(found.test) >= 50
    later = by_year(years, links, int(found.name.split("up to ")[1][:4]) + 1)
    assert len(later.test) < 50
    assert split(years, links, min_test=500).name.startswith("by paper")
    assert split({}, np.empty((0, 2), dtype=np.int64)).test == ()


def test_candidates_are_dated_no_later_and_the_query_is_none() -> None:
    seen: dict[int, list[int]] = {}

    def ranker(query: HeldOutPaper, pool: NDArray[np.int64]) -> NDArray[np.int64]:
        seen[query.paper] = pool.tolist()
        return pool

    queries = (HeldOutPaper(3, 2001, frozenset({1})), HeldOutPaper(5, 2003, frozenset({4, 6})))
    found = evaluate("in order", ranker, queries, YEARS)
    assert seen == {3: [1, 2], 5: [1, 2, 3, 4, 6]}
    assert found.values["MRR"].tolist() == [1.0, 0.25]
    assert found.estimates()["MRR"].n == 2
    backwards = evaluate("backwards", lambda _q, pool: pool[::-1], queries, YEARS)
    assert backwards.against(found, "MRR").wins == 1


@pytest.mark.parametrize("answer", [[1, 1], [3], [99]])
def test_a_ranking_that_cheats_is_refused(answer: list[int]) -> None:
    queries = (HeldOutPaper(3, 2001, frozenset({1})),)
    with pytest.raises(ValueError, match="twice or one that is no candidate"):
        evaluate("cheat", lambda _query, _pool: answer, queries, YEARS)


def test_it_can_be_cancelled() -> None:
    ctx = JobContext(lambda _event: None)
    ctx.cancel()
    with pytest.raises(JobCancelledError):
        evaluate("x", lambda _q, pool: pool, (HeldOutPaper(3, 2001, frozenset({1})),), YEARS, ctx)


@pytest.mark.shared
def test_the_reference_corpus_splits_as_specified(shared: Path) -> None:
    corpus = shared / "data" / "csopen" / "papers.jsonl"
    if not corpus.exists():
        pytest.skip("no reference corpus")
    records = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    number = {record["id"]: i for i, record in enumerate(records)}
    years = {number[record["id"]]: record["year"] for record in records}
    pairs = {(number[r["id"]], number[c]) for r in records for c in r["cites"] if c in number}
    found = by_year(years, np.array(sorted(pairs)), 2019)
    assert (len(found.training), len(found.dev), len(found.test)) == (7081, 400, 374)
