"""The graph against sets, networkx and SciPy, on any papers and links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.citation_support import count, graph_of, pairs_of

from litscape.graph.measures import components, pagerank
from litscape.graph.neighbours import cocited, coupled, two_hop
from litscape.graph.weighting import fractional
from litscape.graph.whole import all_cocited
from litscape.jobs import JobCancelledError, JobContext
from litscape.store.graph_reads import NO_YEAR

if TYPE_CHECKING:
    from litscape.jobs.context import Event

YEARS = st.none() | st.integers(1990, 1996)
PAPERS = st.integers(1, 14)
WORKS = st.integers(100, 106)
LINKS = st.sets(st.tuples(PAPERS, PAPERS), max_size=50)


@st.composite
def libraries(draw: Any) -> tuple[dict[int, int | None], set[Any], set[Any]]:
    """Years of papers (some are missing: in the trash), links among all, works outside."""
    years = draw(st.dictionaries(PAPERS, YEARS))
    return years, draw(LINKS), draw(st.sets(st.tuples(PAPERS, WORKS), max_size=30))


def counted(years: dict[int, int | None], links: set[Any], works: set[Any]) -> Any:
    live = {(a, b) for a, b in links if a in years and b in years and a != b}
    lists: dict[int, set[Any]] = {}
    for a, b in live:
        lists.setdefault(a, set()).add(b)
    for a, work in works:
        if a in years:
            lists.setdefault(a, set()).add(("work", work))
    lengths = {
        a: sum(one == a != other for one, other in links) + sum(one == a for one, _ in works)
        for a in years
    }
    return count(live, lists, lengths)


@given(libraries())
def test_pairs_are_those_that_sets_count(library: Any) -> None:
    graph, sets = graph_of(*library), counted(*library)
    assert {(a, b) for a, b in graph.edges().tolist()} == sets.edges
    counts, weights = pairs_of(graph, cocited)
    assert counts == sets.cocited
    assert weights == pytest.approx(sets.cocited_weights)
    counts, weights = pairs_of(graph, coupled)
    assert counts == sets.coupled
    assert weights == pytest.approx(sets.coupled_weights)


@given(libraries(), st.integers(1, 20))
def test_the_whole_list_is_that_of_single_papers(library: Any, k: int) -> None:
    graph = graph_of(*library)
    lists = all_cocited(graph, k)
    assert len(lists.indptr) == len(graph) + 1
    for paper in graph.ids.tolist():
        one, all_ = cocited(graph, paper, k), lists.of(paper)
        assert one.ids.tolist() == all_.ids.tolist()
        assert one.counts.tolist() == all_.counts.tolist()
        assert one.weights.tolist() == pytest.approx(all_.weights.tolist())
    assert len(lists.of(999)) == 0


def test_the_whole_list_is_made_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    links = {(int(a), int(b)) for a, b in rng.integers(1, 200, size=(2000, 2))}
    graph = graph_of(dict.fromkeys(range(1, 200), 2000), links)
    whole = all_cocited(graph, 10)
    monkeypatch.setattr("litscape.graph.whole._PRODUCTS", 1000)
    seen: list[int] = []
    context = JobContext(lambda event: seen.append(event.value.done))  # type: ignore[attr-defined]
    stepped = all_cocited(graph, 10, context)
    assert len(seen) > 10
    assert seen == sorted(seen)
    assert seen[-1] == len(graph)
    for name in ("indptr", "others", "counts", "weights"):
        assert np.array_equal(getattr(whole, name), getattr(stepped, name)), name


def test_the_whole_list_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("litscape.graph.whole._PRODUCTS", 10)
    links = {(a, b) for a in range(1, 30) for b in range(1, a)}
    graph = graph_of(dict.fromkeys(range(1, 30), 2000), links)
    told: list[Event] = []

    def stop_soon(event: Event) -> None:
        told.append(event)
        if len(told) == 3:
            context.cancel()

    context = JobContext(stop_soon)
    with pytest.raises(JobCancelledError):
        all_cocited(graph, 5, context)
    assert len(told) == 3


@given(libraries())
def test_components_and_pagerank_are_those_of_networkx(library: Any) -> None:
    graph = graph_of(*library)
    other = nx.DiGraph()
    other.add_nodes_from(graph.ids.tolist())
    other.add_edges_from(graph.edges().tolist())
    labels = components(graph)
    groups: dict[int, set[int]] = {}
    for paper, label in zip(graph.ids.tolist(), labels.tolist(), strict=True):
        groups.setdefault(label, set()).add(paper)
    theirs = sorted(nx.weakly_connected_components(other), key=lambda c: (-len(c), min(c)))
    assert [groups[label] for label in range(len(groups))] == theirs
    if len(graph):
        ranks = nx.pagerank(other, tol=1e-12, max_iter=500)
        assert pagerank(graph).tolist() == pytest.approx([ranks[p] for p in graph.ids.tolist()])
    else:
        assert pagerank(graph).tolist() == []


def test_a_long_chain_is_one_component() -> None:
    graph = graph_of(dict.fromkeys(range(1, 3001), None), {(n, n + 1) for n in range(1, 3000)})
    assert components(graph).tolist() == [0] * 3000


@given(libraries(), PAPERS)
def test_degrees_and_hops(library: Any, paper: int) -> None:
    graph = graph_of(*library)
    edges = {(a, b) for a, b in graph.edges().tolist()}
    assert graph.references(paper).tolist() == sorted(b for a, b in edges if a == paper)
    assert graph.citing(paper).tolist() == sorted(a for a, b in edges if b == paper)
    near = {b for a, b in edges if a == paper} | {a for a, b in edges if b == paper}
    far = {b for a, b in edges if a in near} | {a for a, b in edges if b in near}
    assert graph.two_hop(paper).tolist() == sorted(far - near - {paper})
    ways = two_hop(graph, paper, None)
    assert dict(zip(ways.ids.tolist(), ways.counts.tolist(), strict=True)) == {
        one: sum((a == one and b in near) or (b == one and a in near) for a, b in edges)
        for one in far - near - {paper}
    }
    cited = {b for a, b in edges if a == paper}
    second = {b for a, b in edges if a in cited}
    assert graph.two_hop_references(paper).tolist() == sorted(second - cited - {paper})
    outs, ins = graph.out_degrees(), graph.in_degrees()
    for n, one in enumerate(graph.ids.tolist()):
        assert outs[n] == sum(a == one for a, _ in edges)
        assert ins[n] == sum(b == one for _, b in edges)
    assert (graph.matrix().toarray().sum(axis=1) == outs).all()


@given(libraries(), st.integers(1988, 1998))
def test_nothing_in_the_graph_of_a_year_is_later(library: Any, year: int) -> None:
    years, links, works = library
    graph = graph_of(*library).as_of(year)
    dated = {paper for paper, one in years.items() if one is not None and one <= year}
    assert set(graph.ids.tolist()) == dated
    assert (graph.years <= year).all()
    assert {(a, b) for a, b in graph.edges().tolist()} == {
        (a, b) for a, b in links if a in dated and b in dated and a != b
    }
    assert len(graph.work_keys) == 0  # the works have no year
    # Neighbours are those of a library that holds no other papers.
    alone = graph_of({paper: years[paper] for paper in dated}, links, works)
    for paper in dated:
        one, other = cocited(graph, paper, None), cocited(alone, paper, None)
        assert one.ids.tolist() == other.ids.tolist()
        assert one.weights.tolist() == pytest.approx(other.weights.tolist())
    assert graph.year == year
    assert graph.as_of(year + 1).year == year
    earlier = min(year, 1991)
    assert np.array_equal(graph.as_of(1991).edges(), graph_of(*library).as_of(earlier).edges())


def test_a_work_outside_is_dated_by_its_earliest_reference() -> None:
    graph = graph_of({1: 2000, 2: 2000}, (), {(1, 7), (2, 7)})
    assert graph.work_years.tolist() == [NO_YEAR]
    assert len(coupled(graph, 1)) == 1
    assert len(coupled(graph.as_of(2000), 1)) == 0


def test_a_survey_counts_less_than_a_letter() -> None:
    letter = {(10, 1), (10, 2)}
    survey = {(11, paper) for paper in (1, 3, 4, 5, 6)}
    graph = graph_of(dict.fromkeys(range(1, 12), 2000), letter | survey)
    found = cocited(graph, 1)
    assert found.ids.tolist() == [2, 3, 4, 5, 6]
    assert found.weights.tolist() == [1.0, 0.25, 0.25, 0.25, 0.25]
    assert cocited(graph, 1, 2).ids.tolist() == [2, 3]
    assert fractional(np.array([0, 1, 2, 5])).tolist() == [0.0, 0.0, 1.0, 0.25]


def test_references_outside_the_library_count_in_the_length_of_a_list() -> None:
    graph = graph_of({1: 2000, 2: 2000, 3: 2000}, {(3, 1), (3, 2)}, {(3, n) for n in range(50, 99)})
    assert cocited(graph, 1).weights.tolist() == pytest.approx([1 / 50])


def test_papers_that_are_not_there() -> None:
    graph = graph_of({1: 2000}, ())
    assert graph.index_of(7) is None
    assert (
        len(graph.references(7)) == len(graph.two_hop(7)) == len(graph.two_hop_references(7)) == 0
    )
    assert len(cocited(graph, 7)) == len(coupled(graph, 7)) == 0
    assert graph.citations_of_work(None) == 1
    assert graph.citations_of_work(5) == 0
