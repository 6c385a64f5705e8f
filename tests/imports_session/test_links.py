"""What records cite: links in the library, and references until the cited work comes in."""

from __future__ import annotations

from typing import Any

import pytest

from litscape.paper import Author, PaperDraft, Reference


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


def test_a_link_names_the_source_whose_id_it_was_found_by(world: Any) -> None:
    """Also where the citing paper is in several sources."""
    world.drafts(PaperDraft(source_id="x", citekey="a", title="A", doi="10.5555/a"), source="one")
    world.drafts(
        PaperDraft(source_id="1", citekey="a", title="A", doi="10.5555/a", cites=("2", "3")),
        PaperDraft(source_id="2", citekey="b", title="B"),
        source="two",
    )
    world.drafts(PaperDraft(source_id="3", citekey="c", title="C"), source="two")
    with world.database.read() as conn:
        found = conn.exec_driver_sql("SELECT DISTINCT source FROM citations").scalars().all()
        two = conn.exec_driver_sql("SELECT id FROM sources WHERE location LIKE '%two'").scalar()
    assert _cited(world)["a"] == ["b", "c"]
    assert found == [f"import:{two}"]


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


def _origins(world: Any) -> list[tuple[Any, ...]]:
    with world.database.read() as conn:
        sql = "SELECT citing, cited, source, method, score FROM citations ORDER BY 1, 2"
        return [tuple(row) for row in conn.exec_driver_sql(sql)]


RIVERS = PaperDraft(
    citekey="b",
    title="Rivers under pressure",
    authors=(Author("Heron", "Max"),),
    year=2019,
    volume="12",
    pages="101-118",
)
BY_TITLE = Reference(
    "Heron M., Rivers under pressure, (2019)", title="Rivers under pressure", year=2019
)
BY_PLACE = Reference(
    "Heron M, 2019, WATER, V12, P101",
    year=2019,
    extra={"author": "Heron M", "volume": "12", "page": "101"},
)


@pytest.mark.parametrize(("reference", "method"), [(BY_TITLE, "title"), (BY_PLACE, "place")])
def test_works_without_identifier_are_found_whichever_comes_first(
    world: Any, reference: Reference, method: str
) -> None:
    citing = PaperDraft(citekey="a", title="A", references=(reference,))
    world.drafts(citing, source="one")
    before = world.state()
    world.drafts(RIVERS, source="two")
    assert _cited(world)["a"] == ["b"]
    assert world.papers.get("a").references == ()
    ((_, _, source, found, score),) = _origins(world)
    assert (source, found) == ("import:1", method)
    assert score == (1.0 if method == "title" else 0.9)
    world.history.undo()
    undone = world.state()
    del undone["sources"], before["sources"]
    assert undone == before
    world.history.redo()
    again = PaperDraft(citekey="c", title="C", references=(reference,))
    world.drafts(again, source="three")
    assert _cited(world)["c"] == ["b"]


def test_a_link_keeps_by_which_identifier_it_was_found(world: Any) -> None:
    world.drafts(PaperDraft(citekey="b", title="B", doi="10.5555/b", pmid="77"), source="one")
    world.drafts(
        PaperDraft(citekey="a", title="A", references=(Reference(doi="10.5555/b"),)),
        PaperDraft(citekey="c", title="C", references=(Reference(source_id="pmid:77"),)),
        source="two",
    )
    assert [row[2:] for row in _origins(world)] == [
        ("import:2", "doi", 1.0),
        ("import:2", "pmid", 1.0),
    ]
    world.edit.delete_forever("a")
    world.history.undo()
    assert [row[3] for row in _origins(world)] == ["doi", "pmid"]


def test_a_paper_added_by_hand_is_linked_as_well(world: Any) -> None:
    world.drafts(PaperDraft(citekey="a", title="A", references=(BY_TITLE,)), source="one")
    changes = world.edit.add(RIVERS)
    assert _cited(world)["a"] == ["b"]
    assert (changes.added, changes.changed) == ({2}, {1})
    world.history.undo()
    assert world.papers.get("a").references == (BY_TITLE,)


def test_a_corrected_paper_is_linked(world: Any) -> None:
    references = (Reference(doi="10.5555/b"), BY_TITLE)
    world.drafts(PaperDraft(citekey="a", title="A", references=references), source="one")
    world.edit.add(PaperDraft(citekey="b", title="B"))
    world.edit.add(PaperDraft(citekey="c", title="Rivers", authors=(Author("Heron", "Max"),)))
    assert _cited(world)["a"] == []
    assert world.edit.edit("b", {"doi": "10.5555/b"}).changed == {1, 2}
    world.edit.edit("c", {"title": "Rivers under pressure", "year": 2019})
    assert _cited(world)["a"] == ["b", "c"]
    world.history.undo()
    assert _cited(world)["a"] == ["b"]
    assert world.papers.get("c").title == "Rivers"
    assert world.papers.get("a").references == (BY_TITLE,)
