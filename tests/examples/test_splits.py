"""Splits: the queries of the evaluation, and nothing of them left to learn from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples.support import Recipe, field, prepared, source

from litscape.evaluation import splits as core
from litscape_trainer.recipes import recipe
from litscape_trainer.runs.lessons import floors
from litscape_trainer.splits import latest_cut, split_source
from litscape_trainer.verdict.asked import questions_of

YEARS = st.lists(st.one_of(st.none(), st.integers(2000, 2008)), min_size=3, max_size=40)


@settings(max_examples=60, deadline=None)
@given(YEARS, st.data())
def test_the_cut_is_that_of_the_evaluation(years: list[int | None], data: st.DataObject) -> None:
    papers = st.integers(1, len(years) + 1)
    links = np.array(
        data.draw(st.lists(st.tuples(papers, papers), max_size=120)), dtype=np.int64
    ).reshape(-1, 2)
    known = {n: year for n, year in enumerate(years, 1) if year is not None}
    found = core.split(known, links, min_test=4, min_links=5, min_dev=2)
    assert latest_cut(known, links, min_test=4, min_links=5, min_dev=2) == found.cut


def test_by_year_where_there_is_enough() -> None:
    years, links = field(900)
    read = source(years, links)
    split = split_source(read, Recipe())
    same = core.split(read.material.years, read.material.links)
    assert split.by == "year"
    assert (split.cut, split.dev, split.test) == (same.cut, same.dev, same.test)
    assert np.array_equal(split.training, same.training)
    assert set(split.held_out.tolist()) == {
        n for n, year in enumerate(years, 1) if year > (split.cut or 0)
    }


def test_by_paper_and_by_edge_where_there_is_less() -> None:
    years, links = field(620, years=1)
    assert split_source(source(years, links), Recipe()).by == "paper"
    years, links = field(300, years=1)
    split = split_source(source(years, links), Recipe())
    assert split.by == "edge"
    assert len(split.held_out) == 0
    assert len(split.training) + len(split.hidden) == len(links)
    assert len(split.test) >= 50
    asked = {(one.paper, other) for one in (*split.dev, *split.test) for other in one.relevant}
    assert asked == set(map(tuple, split.hidden.tolist()))
    assert "links are hidden" in split.sentences[0]
    linked = set(map(tuple, split.training.tolist()))
    for one in questions_of(source(years, links).material, split, "test"):
        paper = one.paper or 0
        assert set(one.relevant) <= set(one.candidates.tolist())
        assert not any((paper, other) in linked for other in one.candidates.tolist())


def test_without_any_year_papers_and_links_are_held_out_by_a_draw() -> None:
    """Only the years are lacking: the links are as many, and all papers are candidates."""
    for papers, by in ((620, "paper"), (300, "edge")):
        years, links = field(papers)
        read = source([None] * papers, links)
        split = split_source(read, Recipe())
        assert split.by == by
        assert split.sentences[0] == (
            "No paper here has a year, so all count as of one time: what is held out is drawn, and "
            "all papers are candidates."
        )
        asked = questions_of(read.material, split, "test")
        assert len(asked) >= 50
        assert len(split.training) > 0.6 * len(links)
        if by == "paper":
            assert {len(one.candidates) for one in asked} == {papers - 1}
        assert {one.year_to for one in asked} == {None}
        # As many as with years, where every link goes to an earlier paper anyway.
        assert len(split.test) == len(split_source(source(years, links), Recipe(), by).test)


def test_papers_without_a_year_are_counted_where_others_have_one() -> None:
    years, links = field(900)
    some = [None if n % 9 == 0 else year for n, year in enumerate(years)]
    split = split_source(source(some, links), Recipe())
    assert split.sentences == (
        "100 of 900 papers have no year: they are neither asked about nor candidates, and their "
        "links are not learnt.",
    )
    lacking = floors(source([2000, *[None] * 599], links), recipe("head"), 0)
    assert lacking is not None
    assert "599 papers have no year and are left out" in lacking.sentence
    assert "Crossref" not in lacking.sentence


def test_as_of_a_year_is_judged_by_what_came_later_if_enough_did() -> None:
    years, links = field(900)
    split = split_source(source(years, links), Recipe(as_of=2006))
    assert (split.by, split.cut, split.as_of) == ("year", 2006, 2006)
    assert all(one.year == 2007 for one in split.dev)
    late = split_source(source(years, links), Recipe(as_of=2011))
    assert (late.by, late.as_of) == ("year", 2011)
    assert late.cut is not None
    assert late.cut < 2010
    early = split_source(source(years, links), Recipe(as_of=1999))
    assert (len(early.training), len(early.held_out)) == (0, 900)


@pytest.mark.parametrize("by", ["year", "paper"])
def test_a_preprint_of_a_held_out_paper_stays_out(by: str) -> None:
    years, links = field(300)
    plain = split_source(source(years, links), Recipe(), by)  # type: ignore[arg-type]
    query = plain.test[0].paper
    twin = next(n for n in range(1, 301) if n not in plain.held_out)
    titles = {query: "The one and only work on corals", twin: "The One and Only Work: on Corals"}
    read = source(years, links, titles=titles)
    split, material = prepared(read, by=by)  # type: ignore[arg-type]
    assert twin in split.held_out
    assert twin not in material.ids
    assert twin not in split.training
    assert "the same work" in split.sentences[0]
    by_number = source(years, links, shared=[("doi 10.5555/a", query), ("doi 10.5555/a", twin)])
    assert twin in split_source(by_number, Recipe(), by).held_out  # type: ignore[arg-type]


def test_a_hidden_link_takes_those_of_twins_and_the_way_back_with_it() -> None:
    years, links = field(300)
    titles = {200: "One work in two records", 201: "One work in two records"}
    both = sorted({*links, *((201, c) for p, c in links if p == 200), *((c, 200) for p, c in links
                                                                        if p == 200)})  # fmt: skip
    split = split_source(source(years, both, titles=titles), Recipe(), "edge")
    kept = set(map(tuple, split.training.tolist()))
    for citing, cited in split.hidden.tolist():
        for one in {citing, 200, 201} if citing in (200, 201) else {citing}:
            assert (one, cited) not in kept
            assert (cited, one) not in kept
