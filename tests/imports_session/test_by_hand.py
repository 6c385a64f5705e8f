"""Papers that a person typed, pasted or looked up: never a new version of those before."""

from __future__ import annotations

from typing import Any

from litscape.paper import Author, PaperDraft


def test_two_of_one_title_are_two(world: Any, counts: Any) -> None:
    for family, given in (("Doe", "J"), ("Roe", "K")):
        one = PaperDraft(title="Editorial", authors=(Author(family, given),), year=2020)
        assert counts(world.imports.run_drafts([one])) == (1, 0, 0, 0, 0)
    assert [paper.authors[0].family for paper in world.all()] == ["Doe", "Roe"]


def test_the_same_without_identifiers_is_suggested(world: Any, draft: Any, counts: Any) -> None:
    world.imports.run_drafts([draft("Mud in rivers", abstract="Rivers carry mud.")])
    report = world.imports.run_drafts([draft("Mud in rivers")])
    assert counts(report) == (1, 0, 0, 0, 0)
    assert report.suggested_merges == ((1, 2),)
    assert world.papers.get(1).abstract == "Rivers carry mud."


def test_equal_identifiers_become_one_and_nothing_is_emptied(
    world: Any, draft: Any, counts: Any
) -> None:
    full = draft("Mud", doi="10.5555/mud", abstract="Rivers carry mud.", tags=("a",), year=2010)
    world.imports.run_drafts([full], source="looked up")
    less = draft("Mud", doi="10.5555/mud", venue="Rivers", tags=("b",), year=2011)
    report = world.imports.run_drafts([less], source="looked up")
    assert counts(report) == (0, 0, 1, 0, 0)
    (paper,) = world.all()
    assert (paper.abstract, paper.year, paper.venue) == ("Rivers carry mud.", 2010, "Rivers")
    assert paper.tags == ("a", "b")


def test_what_is_there_whole_leaves_no_trace(world: Any, draft: Any, counts: Any) -> None:
    one = draft("Mud", doi="10.5555/mud")
    world.imports.run_drafts([one])
    before = world.state()
    report = world.imports.run_drafts([one])
    assert counts(report) == (0, 0, 0, 1, 0)
    assert (report.batch, [issue.code for issue in report.issues]) == (None, ["joined"])
    assert "already" in report.issues[0].message
    assert {k: v for k, v in world.state().items() if k != "sources"} == {
        k: v for k, v in before.items() if k != "sources"
    }


def test_a_pasted_key_that_was_used_names_another_work(world: Any, entry: Any, counts: Any) -> None:
    world.imports.run_text(entry("a", "Mud and water"))
    report = world.imports.run_text(entry("a", "Mud and sand"))
    assert counts(report) == (1, 0, 0, 0, 0)
    assert [paper.title for paper in world.all()] == ["Mud and water", "Mud and sand"]
    assert len(set(world.keys())) == 2


def test_out_of_the_trash(world: Any, draft: Any, counts: Any) -> None:
    one = draft("Mud", doi="10.5555/mud")
    world.imports.run_drafts([one])
    world.edit.trash(1)
    assert counts(world.imports.run_drafts([one])) == (1, 0, 0, 0, 0)
    assert [paper.id for paper in world.all()] == [1]


def test_the_history_names_the_papers(world: Any, draft: Any, entry: Any) -> None:
    world.imports.run_drafts([draft("Mud " + "and water " * 9)])
    world.imports.run_text(entry("a") + entry("b"))
    titles = [one.title for one in world.history.entries()]
    assert titles == ["Add 2 papers", "Add “Mud " + "and water " * 5 + "and w…”"]
