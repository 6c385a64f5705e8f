"""An import is taken back from under later ones: what they gave stays, what it gave goes."""

from __future__ import annotations

from typing import Any

from litscape.duplicates.facade import Duplicates


def test_older_values_do_not_come_back(world: Any, draft: Any) -> None:
    """Two versions of a source that joined a paper from elsewhere, undone oldest first."""
    world.drafts(draft("Mud", doi="10.5555/m"), source="base")
    mine = {"title": "Mud", "doi": "10.5555/m", "citekey": "k", "source_id": "k"}
    first = world.drafts(draft(**mine, abstract="Old.", tags=("t", "old")), source="s")
    second = world.drafts(draft(**mine, abstract="New.", tags=("t", "new")), source="s")
    world.history.undo_batch(first.batch)
    (paper,) = world.all()
    assert (paper.abstract, paper.tags) == ("New.", ("new", "t"))
    assert world.drafts(draft(**mine, abstract="New.", tags=("t", "new")), source="s").unchanged
    world.history.undo_batch(second.batch)
    (paper,) = world.all()
    assert (paper.abstract, paper.tags, paper.citekey_aliases) == (None, (), ())
    assert world.count("records") == 1
    world.history.redo()
    world.history.redo()
    (paper,) = world.all()
    assert (paper.abstract, paper.tags) == ("New.", ("new", "t"))
    assert world.count("records") == 2


def test_a_paper_stays_where_another_import_has_it_too(world: Any, draft: Any) -> None:
    one = world.drafts(
        draft("Mud", doi="10.5555/m", citekey="a", abstract="Of one.", volume="1"), source="one"
    )
    two = world.drafts(
        draft("Mud", doi="10.5555/m", citekey="b", abstract="Of two.", issue="2"), source="two"
    )
    world.edit.edit(1, {"pages": "7"})
    world.edit.tag(1, "mine")
    assert world.papers.get(1).abstract == "Of one."
    told = world.history.undo_batch(one.batch)
    assert (told.changed, told.removed) == ({1}, frozenset())
    paper = world.papers.get(1)
    assert (paper.citekey, paper.abstract, paper.volume, paper.issue) == ("b", "Of two.", None, "2")
    assert (paper.pages, paper.tags, paper.citekey_aliases) == ("7", ("mine",), ())
    assert world.count("records") == 1
    world.history.redo()
    paper = world.papers.get(1)
    assert (paper.citekey, paper.abstract, paper.volume) == ("a", "Of one.", "1")
    world.history.undo_batch(two.batch)
    world.history.undo_batch(one.batch)
    assert world.all() == []


def test_papers_that_nothing_else_brought_go(world: Any, entry: Any) -> None:
    first = world.bib(entry("a"), entry("b"), entry("c"))
    world.bib(entry("a"), entry("b", volume="2"), entry("d"))
    world.history.undo_batch(first.batch)
    assert world.keys() == ["b", "d"]
    assert world.papers.get("b").volume == "2"
    world.bib(entry("a"), entry("b", volume="2"), entry("d"))
    assert sorted(world.keys()) == ["a", "b", "d"]


def test_missing_is_worked_out_anew(world: Any, entry: Any) -> None:
    shared = {"doi": "10.5555/a"}
    world.bib(entry("a", "Mud", **shared), entry("b"), name="one.bib")
    other = world.bib(entry("x", "Mud", **shared), name="two.bib")
    world.bib(entry("b"), name="one.bib")
    assert not world.papers.get("a").missing_in_source
    world.history.undo_batch(other.batch)
    assert world.papers.get("a").missing_in_source
    world.history.redo()
    assert not world.papers.get("a").missing_in_source


def test_an_update_of_a_merged_paper_outlives_the_merge(world: Any, entry: Any) -> None:
    """The merge goes with the import that brought the kept paper; the other is up to date."""
    first = world.bib(entry("a", "Mud in rivers"), name="one.bib")
    world.bib(entry("b", "Slime in lakes"), name="two.bib")
    merges = Duplicates(world.database)
    merges.merge([1, 2], keep=1)
    world.bib(entry("b", "Slime in lakes", volume="9"), name="two.bib")
    world.edit.tag(1, "mine")
    assert world.papers.get(1).volume == "9"
    world.history.undo_batch(first.batch)
    (paper,) = world.all()
    assert (paper.id, paper.title, paper.volume) == (2, "Slime in lakes", "9")
    assert paper.tags == ("mine",)
    assert world.bib(entry("b", "Slime in lakes", volume="9"), name="two.bib").unchanged == 1
    assert len(world.all()) == 1


def test_a_tag_goes_with_the_last_import_that_gives_it(world: Any, draft: Any) -> None:
    batches = [
        world.drafts(
            draft("Mud", doi="10.5555/m", tags=("wet",), collections=(("In", name),)), source=name
        ).batch
        for name in ("one", "two")
    ]
    for batch in batches:
        world.history.undo_batch(batch)
    assert (world.count("papers"), world.count("tags"), world.count("collections")) == (0, 0, 0)


def test_a_key_that_a_later_paper_got_stays_there(world: Any, draft: Any) -> None:
    def record(key: str, **more: Any) -> Any:
        return draft("Mud", doi="10.5555/m", citekey=key, zotero_key="K", library="user", **more)

    world.drafts(record("first"), source="s")
    renamed = world.drafts(record("second"), source="s")
    assert world.keys() == ["second"]
    world.drafts(draft("Water", citekey="first"), source="elsewhere")
    world.drafts(record("second", volume="3"), source="s")
    world.history.undo_batch(renamed.batch)
    assert sorted(world.keys()) == ["first", "second"]
    assert world.papers.get(1).volume == "3"
