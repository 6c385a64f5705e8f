"""A source that is read again: what it changed arrives, what others did stays."""

from __future__ import annotations

from typing import Any

import pytest

from litscape.importers.opened import RecordsAtHand
from litscape.importers.run import ImportRun
from litscape.jobs import null_context
from litscape.paper import Author, FileLink, ImportProblem, PaperDraft


def test_updates_changed_keys_missing_and_undo(world: Any, entry: Any, counts: Any) -> None:
    first = [
        entry("r1", "First paper", doi="10.5555/night.1", journal="J. Night"),
        entry("r2", "Second paper", journal="J. Night"),
        entry("r3", "Third paper", doi="10.5555/night.3"),
    ]
    second = [
        entry("r1", "First paper (revised)", doi="10.5555/night.1", journal="Journal of Night"),
        entry("owl2011", "Second paper", journal="J. Night"),
        entry("r4", "Fourth paper"),
    ]
    world.bib(*first)
    world.edit.edit("r1", {"venue": "Mine"})
    before = world.state()

    report = world.bib(*second)
    assert counts(report) == (1, 2, 0, 0, 0)
    assert report.changes.added == {4}
    assert report.changes.changed == {1, 2, 3}
    r1, r2, r3, r4 = world.all()
    assert (r1.title, r1.venue) == ("First paper (revised)", "Mine")
    assert (r2.citekey, r2.citekey_original, r2.citekey_aliases) == ("owl2011", "owl2011", ("r2",))
    assert [paper.missing_in_source for paper in (r1, r2, r3, r4)] == [False, False, True, False]
    after = world.state()

    assert counts(world.bib(*second)) == (0, 0, 0, 3, 0)
    world.history.undo()
    assert _shown(world.state()) == _shown(before)
    world.history.redo()
    assert world.state() == after

    assert counts(world.bib(*first)) == (0, 3, 0, 0, 0)
    assert [paper.title for paper in world.all()][:3] == [
        "First paper",
        "Second paper",
        "Third paper",
    ]
    assert [paper.citekey for paper in world.all()] == ["r1", "r2", "r3", "r4"]
    assert [paper.missing_in_source for paper in world.all()] == [False, False, False, True]


def _shown(state: Any) -> Any:
    """Without what only tells of the past."""
    return {
        table: rows for table, rows in state.items() if table not in ("batch_papers", "sources")
    }


@pytest.mark.parametrize(
    ("problem", "whole"),
    [
        (None, True),
        (ImportProblem("missing-title", "warning", "x"), True),
        (ImportProblem("text-outside-entry", "skipped", "x"), True),
        (ImportProblem("broken-entry", "skipped", "x", is_record=True), False),
        (ImportProblem("file-truncated", "warning", "x"), False),
        (ImportProblem("unclosed-entry", "warning", "x"), False),
    ],
)
def test_missing_is_said_only_of_what_was_read_whole(
    world: Any, entry: Any, problem: ImportProblem | None, whole: bool
) -> None:
    def read(*found: PaperDraft | ImportProblem) -> None:
        run = ImportRun(world.database, null_context(), ("/a.bib",))
        run.read(RecordsAtHand("/a.bib", "bibtex", found))
        run.finish()

    one, two = PaperDraft(citekey="one", title="One"), PaperDraft(citekey="two", title="Two")
    read(one, two)
    read(one, *([problem] if problem else []))
    assert world.papers.get("two").missing_in_source is whole


def test_an_empty_source_removes_and_marks_nothing(world: Any, entry: Any) -> None:
    world.bib(entry("a"), entry("b"))
    before = world.state()
    report = world.bib("")
    assert report.batch is None
    assert "source-empty" in [issue.code for issue in report.issues]
    assert world.state() == before
    world.bib("% only a comment")
    assert world.state() == before


def test_half_a_source_marks_nothing(world: Any, entry: Any) -> None:
    whole = [entry("a", doi="10.5555/a"), entry("b"), entry("c")]
    world.bib(*whole)
    text = "\n".join(whole)
    (world.folder / "refs.bib").write_text(text[: len(text) // 2])
    world.imports.run([world.folder / "refs.bib"])
    assert world.keys() == ["a", "b", "c"]
    assert not any(paper.missing_in_source for paper in world.all())


def test_a_paper_that_another_source_still_has_is_not_missing(world: Any, entry: Any) -> None:
    same = entry("a", "Mud and water", doi="10.5555/x")
    world.bib(same, entry("b"), name="one.bib")
    world.bib(same, entry("c"), name="two.bib")
    world.bib(entry("b"), name="one.bib")
    assert not world.papers.get("a").missing_in_source
    world.bib(entry("c"), name="two.bib")
    assert world.papers.get("a").missing_in_source
    world.bib(same, entry("c"), name="two.bib")
    assert not world.papers.get("a").missing_in_source


def test_only_what_the_source_changed_is_changed(world: Any) -> None:
    """Between two readings others added, edited and joined: that stays."""
    read: dict[str, Any] = {
        "title": "Mud",
        "doi": "10.5555/m",
        "volume": "1",
        "pages": "1-2",
        "keywords": ("mud",),
        "tags": ("source", "old"),
        "collections": (("Water",),),
        "notes": ("old note",),
        "files": (FileLink("old.pdf"),),
        "raw_fields": {"shelf": "A", "room": "1"},
    }
    world.drafts(PaperDraft(**read), source="one")
    world.drafts(PaperDraft(title="Mud", doi="10.5555/m", abstract="From two."), source="two")
    world.edit.tag(1, "mine")
    world.edit.add_to_collection(1, "Mine")
    world.edit.edit(1, {"volume": "9"})
    read |= {
        "title": "Mud, revised",
        "volume": "2",
        "pages": None,
        "issue": "4",
        "keywords": ("dirt", "mud"),
        "tags": ("source", "new"),
        "collections": (("Earth",),),
        "notes": ("new note",),
        "files": (FileLink("new.pdf"),),
        "raw_fields": {"shelf": "B"},
    }
    report = world.drafts(PaperDraft(**read), source="one")
    assert report.updated == 1
    (paper,) = world.all()
    assert (paper.title, paper.volume, paper.pages, paper.issue) == ("Mud, revised", "9", None, "4")
    assert paper.abstract == "From two."
    assert paper.keywords == ("dirt", "mud")
    assert paper.tags == ("mine", "new", "source")
    assert set(paper.collections) == {("Earth",), ("Mine",)}
    assert (paper.notes, paper.files) == (("new note",), (FileLink("new.pdf"),))
    assert dict(paper.raw_fields) == {"shelf": "B"}


def test_one_source_does_not_undo_what_another_gave(world: Any, draft: Any) -> None:
    world.drafts(draft("Mud", doi="10.5555/m", venue="From one"), source="one")
    world.drafts(draft("Mud", doi="10.5555/m", venue="From two"), source="two")
    world.drafts(draft("Mud", doi="10.5555/m", venue="From two, changed"), source="two")
    assert world.papers.get(1).venue == "From one"
    world.drafts(draft("Mud", doi="10.5555/m"), source="two")
    assert world.papers.get(1).venue == "From one"


def test_a_field_that_a_user_emptied_stays_empty(world: Any, entry: Any) -> None:
    world.bib(entry("a", "Mud", abstract="Wrong."))
    world.edit.edit("a", {"abstract": ""})
    world.bib(entry("a", "Mud", abstract="Wrong again.", volume="4"))
    world.bib(entry("z", "Mud", abstract="From elsewhere."), name="two.bib")
    paper = world.papers.get("a")
    assert (paper.abstract, paper.volume) == (None, "4")


def test_authors_and_dates_are_updated_whole(world: Any, draft: Any) -> None:
    world.drafts(draft("Mud", citekey="a", year=None, year_raw="in press"))
    world.drafts(
        PaperDraft(citekey="a", title="Mud", authors=(Author("Owl", "Amelia"),), year=2011)
    )
    (paper,) = world.all()
    assert paper.authors == (Author("Owl", "Amelia"),)
    assert (paper.year, paper.year_raw) == (2011, None)


def test_a_key_that_now_stands_for_another_work(world: Any, entry: Any, counts: Any) -> None:
    world.bib(entry("smith", "Mud and water", doi="10.5555/a"))
    world.edit.tag("smith", "mine")
    report = world.bib(entry("smith", "Flights of owls", doi="10.5555/b"))
    assert counts(report) == (1, 0, 0, 0, 0)
    old, new = world.all()
    assert (old.title, old.tags, old.missing_in_source) == ("Mud and water", ("mine",), True)
    assert (new.title, new.citekey, new.citekey_original) == ("Flights of owls", "smitha", "smith")
    again = world.bib(entry("smith", "Flights of owls", doi="10.5555/b"))
    assert counts(again) == (0, 0, 0, 1, 0)


def test_repeated_keys_may_change_places(world: Any, entry: Any, counts: Any) -> None:
    moss = entry("stone", "Moss on walls", doi="10.5555/moss")
    lichen = entry("stone", "Lichen on walls", doi="10.5555/lichen")
    world.bib(moss, lichen)
    assert counts(world.bib(lichen, moss)) == (0, 0, 0, 2, 0)
    changed = entry("stone", "Moss on walls", doi="10.5555/moss", volume="3")
    assert counts(world.bib(lichen, changed)) == (0, 1, 0, 1, 0)
    assert [(paper.title, paper.volume) for paper in world.all()] == [
        ("Moss on walls", "3"),
        ("Lichen on walls", None),
    ]


def test_a_repeat_that_comes_later_leaves_the_old_key_alone(world: Any, entry: Any) -> None:
    first = entry("good", "Mud and water", doi="10.5555/x")
    world.bib(first)
    world.bib(entry("added", "Mud and water", doi="10.5555/x"), first)
    (paper,) = world.all()
    assert (paper.citekey, paper.citekey_aliases) == ("good", ("added",))


def test_keys_that_swap_their_owner(world: Any, entry: Any) -> None:
    world.bib(entry("old", "Mud and water"))
    report = world.bib(entry("new", "Mud and water"), entry("old", "Flights of owls"))
    assert (report.added, report.updated) == (1, 1)
    assert [(paper.citekey, paper.title) for paper in world.all()] == [
        ("new", "Mud and water"),
        ("old", "Flights of owls"),
    ]
    world.history.undo()
    assert [(paper.citekey, paper.title) for paper in world.all()] == [("old", "Mud and water")]
    world.history.redo()
    assert [(paper.citekey, paper.title) for paper in world.all()] == [
        ("new", "Mud and water"),
        ("old", "Flights of owls"),
    ]


def test_a_key_that_the_user_set_stays(world: Any, entry: Any) -> None:
    world.bib(entry("a", "Mud and water"))
    world.edit.edit("a", {"citekey": "mine"})
    world.bib(entry("b", "Mud and water"))
    (paper,) = world.all()
    assert paper.citekey == "mine"
    assert set(paper.citekey_aliases) == {"a", "b"}


def test_undo_of_an_import_leaves_later_edits(world: Any, entry: Any) -> None:
    world.bib(entry("a", "Mud", venue="x"))
    report = world.bib(entry("a", "Mud, revised", volume="4", keywords="k"), entry("b"))
    world.edit.edit("a", {"title": "Mine"})
    world.edit.tag("b", "gone with it")
    world.history.undo_batch(report.batch)
    paper = world.papers.get("a")
    assert (paper.title, paper.volume, paper.keywords) == ("Mine", None, ())
    assert world.keys() == ["a"]
    assert [batch.undone for batch in world.imports.batches()] == [True, False]
    world.bib(entry("a", "Mud, revised", volume="4", keywords="k"), entry("b"))
    assert world.papers.get("a").volume == "4"
    assert world.keys() == ["a", "b"]


def test_undo_takes_back_what_an_import_made(world: Any, draft: Any) -> None:
    world.drafts(draft("Mud", doi="10.5555/m", tags=("old",)), source="one")
    before = world.state()
    world.drafts(
        draft("Mud", doi="10.5555/m", tags=("new",), collections=(("In", "Box"),), notes=("n",)),
        draft("Water", tags=("new", "other"), collections=(("In",),), references=()),
        source="two",
    )
    after = world.state()
    assert world.count("tags") == 3
    world.history.undo()
    assert _shown(world.state()) == _shown(before)
    world.history.redo()
    assert world.state() == after


def test_undo_and_import_again(world: Any, entry: Any, counts: Any) -> None:
    for _ in range(2):
        assert counts(world.bib(entry("a"), entry("b"))) == (2, 0, 0, 0, 0)
        world.history.undo()
        assert world.all() == []
        assert world.count("records") == 0
