"""What records cite: links in the library, and references until the cited work comes in."""

from __future__ import annotations

from typing import Any

from litscape.paper import PaperDraft, Reference


def _cited(world: Any) -> dict[str, list[str]]:
    keys = {paper.id: paper.citekey for paper in world.all()}
    return {paper.citekey: [keys[other] for other in paper.cites] for paper in world.all()}


def test_links_inside_a_source(world: Any) -> None:
    report = world.drafts(
        PaperDraft(source_id="1", citekey="a", title="A", cites=("2", "3", "2", "1", "77")),
        PaperDraft(source_id="2", citekey="b", title="B", cites=("1",)),
        PaperDraft(source_id="3", citekey="c", title="C"),
    )
    assert report.added == 3
    assert _cited(world) == {"a": ["b", "c"], "b": ["a"], "c": []}
    assert [ref.source_id for ref in world.papers.get("a").references] == ["77"]
    assert world.count("citations") == 3


def test_links_across_batches_and_forward(world: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("litscape.importers.run.BATCH", 2)
    drafts = [
        PaperDraft(source_id=f"s{n}", citekey=f"k{n}", title=f"T{n}", cites=(f"s{(n + 3) % 7}",))
        for n in range(7)
    ]
    world.drafts(*drafts)
    assert _cited(world) == {f"k{n}": [f"k{(n + 3) % 7}"] for n in range(7)}
    assert world.count("references") == 0


def test_ids_of_a_source_mean_its_own_records(world: Any) -> None:
    world.drafts(PaperDraft(source_id="1", citekey="other", title="Other"), source="one")
    world.drafts(PaperDraft(source_id="9", citekey="a", title="A", cites=("1",)), source="two")
    assert _cited(world) == {"other": [], "a": []}
    world.drafts(PaperDraft(source_id="1", citekey="b", title="B"), source="two")
    assert _cited(world) == {"other": [], "a": ["b"], "b": []}


def test_citekeys_of_the_library_are_tried_last(world: Any) -> None:
    world.drafts(PaperDraft(citekey="known", title="Known"), source="one")
    world.drafts(
        PaperDraft(citekey="a", title="A", cites=("known", "10.5555/X", "unknown")),
        PaperDraft(citekey="b", title="B", doi="10.5555/x"),
        source="two",
    )
    assert _cited(world)["a"] == ["known", "b"]
    assert [ref.source_id for ref in world.papers.get("a").references] == ["unknown"]


def test_references_are_linked_when_the_work_comes_in(world: Any) -> None:
    references = (Reference(doi="10.5555/mud"), Reference(raw="Reed 1999"))
    world.drafts(PaperDraft(citekey="a", title="A", references=references), source="one")
    before = world.state()
    report = world.drafts(PaperDraft(citekey="b", title="Mud", doi="10.5555/mud"), source="two")
    assert report.changes.changed == {1}
    assert _cited(world)["a"] == ["b"]
    assert [ref.raw for ref in world.papers.get("a").references] == ["Reed 1999"]
    after = world.state()
    world.history.undo()
    undone = world.state()
    del undone["sources"], before["sources"]
    assert undone == before
    world.history.redo()
    assert world.state() == after


def test_links_from_references_to_what_is_there(world: Any) -> None:
    world.drafts(PaperDraft(citekey="b", title="Mud", doi="10.5555/mud"), source="one")
    report = world.drafts(
        PaperDraft(citekey="a", title="A", references=(Reference(doi="10.5555/mud"),)), source="two"
    )
    assert _cited(world) == {"b": [], "a": ["b"]}
    assert report.changes.changed == frozenset()


def test_updates_add_links(world: Any) -> None:
    def read(*cites: str) -> Any:
        return world.drafts(
            PaperDraft(source_id="1", citekey="a", title="A", cites=cites),
            PaperDraft(source_id="2", citekey="b", title="B"),
            PaperDraft(source_id="3", citekey="c", title="C"),
        )

    read("2")
    before = world.state()
    assert read("2", "3").updated == 1
    assert _cited(world)["a"] == ["b", "c"]
    world.history.undo()
    undone = world.state()
    assert undone["citations"] == before["citations"]
    assert undone["references"] == before["references"]


def test_a_removed_paper_is_linked_again_when_it_comes_back(world: Any) -> None:
    b = PaperDraft(citekey="b", title="B", doi="10.5555/b")
    world.drafts(PaperDraft(citekey="a", title="A", cites=("b",)), b)
    world.edit.delete_forever("b")
    assert [ref.doi for ref in world.papers.get("a").references] == ["10.5555/b"]
    world.drafts(b)
    assert _cited(world)["a"] == ["b"]
    assert world.papers.get("a").references == ()
