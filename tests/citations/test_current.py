"""The graph of a library follows it, whatever is done and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litscape.errors import UserError
from litscape.graph.current import CurrentGraph
from litscape.library import Library
from litscape.paper import PaperDraft, Reference
from litscape.store import bulk, graph_reads
from litscape.store.bulk import insert_citations

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from litscape.graph.model import CitationGraph

FIELDS = ("ids", "years", "work_keys", "work_years", "list_lengths")


def assert_same(one: CitationGraph, other: CitationGraph) -> None:
    for name in FIELDS:
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    assert one.edges().tolist() == other.edges().tolist()
    assert one.works.indptr.tolist() == other.works.indptr.tolist()
    assert one.works.indices.tolist() == other.works.indices.tolist()


def drafts(count: int) -> list[PaperDraft]:
    return [
        PaperDraft(
            citekey=f"p{n}",
            title=f"Paper number {n}",
            year=2000 + n,
            doi=f"10.5555/{n}",
            references=(Reference(doi=f"10.5555/outside{n % 3}", year=1990),),
        )
        for n in range(1, count + 1)
    ]


def acts(library: Library) -> dict[str, Callable[[], object]]:
    def link() -> None:
        with library.database.write() as conn:
            insert_citations(conn, [(7, 6, "x"), (6, 8, "x")])

    return {
        "trash": lambda: library.edit.trash([2]),
        "delete": lambda: library.edit.delete_forever([3]),
        "link": link,
        "year": lambda: library.edit.edit([4], {"year": 1999}),
        "tag": lambda: library.edit.tag([1], "x"),
        "merge": lambda: library.duplicates.merge([1, 5], None, {}),
        "new": lambda: library.edit.add(
            PaperDraft(citekey="n", title="New", doi="10.5555/outside1", year=2001)
        ),
    }


NAMES = ("trash", "delete", "link", "year", "tag", "merge", "new")


@pytest.mark.parametrize("name", NAMES)
def test_it_follows_every_act_and_its_undoing(
    library: Library, fill: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("litscape.graph.current._PART", 2.0)  # never read whole again
    fill(library, drafts(8), [(2, 1), (3, 1), (3, 2), (4, 3), (8, 1), (8, 2)])
    before = library.citations.graph()
    assert before.edge_count == 6
    acts(library)[name]()
    assert_same(library.citations.graph(), CurrentGraph(library.database).get())
    if name != "link":
        library.history.undo()
        assert_same(library.citations.graph(), CurrentGraph(library.database).get())
        assert_same(library.citations.graph(), before)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(st.lists(st.sampled_from((*NAMES, "undo", "redo")), max_size=8))
def test_any_acts_one_after_the_other(
    tmp_path_factory: pytest.TempPathFactory, fill: Any, names: list[str]
) -> None:
    with Library.open(tmp_path_factory.mktemp("any") / "library") as library:
        fill(library, drafts(8), [(2, 1), (3, 1), (3, 2), (4, 3), (8, 1), (8, 2)])
        library.citations.graph()
        ways: dict[str, Any] = acts(library)
        ways |= {"undo": library.history.undo, "redo": library.history.redo}
        for name in names:
            try:
                ways[name]()
            except UserError:
                continue
            assert_same(library.citations.graph(), CurrentGraph(library.database).get())


def test_what_did_not_change_is_not_read_again(library: Library, fill: Any) -> None:
    fill(library, drafts(8), [(2, 1)])
    first = library.citations.graph()
    assert library.citations.graph() is first
    library.edit.tag([1], "x")
    assert library.citations.graph() is first
    past = library.citations.graph(as_of=2003)
    assert library.citations.graph(as_of=2003) is past
    assert past.ids.tolist() == [1, 2, 3]
    library.edit.trash([1])
    assert library.citations.graph() is not first
    assert library.citations.graph(as_of=2003).ids.tolist() == [2, 3]


def test_another_program_s_changes_are_seen(library: Library, fill: Any, tmp_path: Path) -> None:
    fill(library, drafts(8), [(2, 1)])
    assert library.citations.graph().edge_count == 1
    with Library.open(tmp_path / "library") as other, other.database.write() as conn:
        insert_citations(conn, [(4, 1, "x")])
    assert library.citations.graph().citing(1).tolist() == [2, 4]


def test_a_graph_that_is_far_behind_is_read_anew(
    library: Library, fill: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "LINK_CHANGES_KEPT", 3)
    fill(library, drafts(8), [(2, 1)])
    library.citations.graph()
    for n in range(3, 9):
        with library.database.write() as conn:
            insert_citations(conn, [(n, 1, "x")])
    assert library.citations.graph().citing(1).tolist() == list(range(2, 9))


def test_numbers_are_read_a_part_at_a_time(
    library: Library, fill: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading a column whole lets no other thread run: the window stood still meanwhile."""
    fill(library, drafts(60), [(n, n - 1) for n in range(2, 61)])
    whole = CurrentGraph(library.database).get()
    read: list[int] = []
    numbers = np.fromstring
    monkeypatch.setattr(graph_reads, "PART", 20)

    def noted(text: str, **how: Any) -> Any:
        read.append(len(text))
        return numbers(text, **how)

    monkeypatch.setattr(np, "fromstring", noted)
    assert_same(CurrentGraph(library.database).get(), whole)
    assert max(read) <= 20 + 20  # a number has no more letters than that
    assert len(read) > 30


def test_works_outside_are_one_by_identifier(library: Library, fill: Any) -> None:
    fill(library, drafts(8))
    graph = library.citations.graph()
    assert sorted(graph.works_cited_by.lengths().tolist()) == [2, 3, 3]
    assert (graph.work_keys % 2 == 1).all()
    assert graph.work_years.tolist() == [1990] * 3
    assert np.array_equal(graph.list_lengths, np.ones(8))
    assert library.citations.coupled(1).ids.tolist() == [4, 7]
