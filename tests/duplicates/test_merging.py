"""Several papers become one: nothing is lost, and all of it can be taken back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import UserError
from litscape.importers.opened import RecordsAtHand
from litscape.paper import Author, FileLink, PaperDraft, Reference
from litscape.store.undo import apply_change

if TYPE_CHECKING:
    from collections.abc import Callable

World = Any
ENTRY = """@article{%s, title = {%s}, author = {Owl, Amy}, year = %s, doi = {%s},
  abstract = {%s}}"""


def test_the_union_of_everything(world: World) -> None:
    a = world.add(
        tags=("x",),
        collections=(("Water",),),
        notes=("One.",),
        files=(FileLink("a.pdf"),),
        keywords=("mud", "Water"),
        doi="10.5555/a",
        identifiers={"openalex": "W1"},
        references=(Reference(raw="Reed 1999"),),
        raw_fields={"shelf": "B"},
        fields=("Zoology",),
        citekey="first",
    )
    b = world.add(
        tags=("y",),
        collections=(("Water", "Rivers"),),
        notes=("One.", "Two."),
        files=(FileLink("a.pdf"), FileLink("b.pdf")),
        keywords=("water", "flow"),
        doi="10.5555/b",
        pmid="11",
        identifiers={"openalex": "W2", "s2": "S"},
        references=(Reference(raw="Reed 1999"), Reference(doi="10.5555/r")),
        raw_fields={"shelf": "C", "langid": "en"},
        fields=("Botany",),
        citekey="second",
        citekey_aliases=("older",),
    )
    changes = world.find.merge([a, b], keep=a)
    assert (changes.changed, changes.removed) == ({a}, {b})
    (paper,) = world.library.papers
    assert paper.id == a
    assert paper.tags == ("x", "y")
    assert paper.collections == (("Water",), ("Water", "Rivers"))
    assert paper.notes == ("One.", "Two.")
    assert [link.path for link in paper.files] == ["a.pdf", "b.pdf"]
    assert paper.keywords == ("mud", "Water", "flow")
    assert (paper.doi, paper.pmid) == ("10.5555/a", "11")
    assert paper.identifiers == {
        "doi.2": "10.5555/b",
        "openalex": "W1",
        "openalex.2": "W2",
        "s2": "S",
    }
    assert paper.references == (Reference(raw="Reed 1999"), Reference(doi="10.5555/r"))
    assert paper.raw_fields == {"shelf": "B", "langid": "en"}
    assert paper.fields == ("Zoology", "Botany")
    assert paper.citekey_aliases == ("older", "second")
    for name in ("second", "older", "doi:10.5555/b", "10.5555/b"):
        assert world.library.papers.get(name).id == a


def test_the_fuller_value_by_default(world: World) -> None:
    a = world.add("Mud and water", abstract="Short.", pages="7", venue="J. Mud", volume="3")
    b = world.add(
        "Mud and water: a study",
        abstract="Long and longer.",
        pages="7-19",
        venue="Journal of Mud",
        people=("Owl", "Teal"),
        issue="2",
        month=5,
    )
    c = world.add("Mud and water", venue="Proceedings of Water", publisher="Elsewhere")
    world.find.merge([a, b, c], keep=a)
    paper = world.library.papers.get(a)
    assert paper.title == "Mud and water: a study"
    assert paper.abstract == "Long and longer."
    assert (paper.pages, paper.volume, paper.issue) == ("7-19", "3", "2")
    assert paper.venue == "Journal of Mud"
    assert [author.family for author in paper.authors] == ["Owl", "Teal"]
    assert paper.publisher is None  # that of another venue is no help


def test_a_year_takes_its_month_along(world: World) -> None:
    a = world.add(year=None, year_raw="in press", month=3)
    b = world.add(year=2011, month=None)
    world.find.merge([a, b], keep=a)
    paper = world.library.papers.get(a)
    assert (paper.year, paper.year_raw, paper.month) == (2011, None, None)


def test_what_was_chosen_counts(world: World) -> None:
    a = world.add("Mud", doi="10.5555/a", abstract="Mine.")
    b = world.add("Water", doi="10.5555/b", citekey="b", abstract="Theirs, and longer than mine.")
    world.find.merge([a, b], keep="key1", fields={"title": "b", "doi": b, "abstract": a})
    paper = world.library.papers.get(a)
    assert (paper.title, paper.doi, paper.abstract) == ("Water", "10.5555/b", "Mine.")
    assert paper.identifiers == {"doi.2": "10.5555/a"}


def test_what_a_person_set_wins_and_stays_theirs(world: World) -> None:
    a = world.add("Mud and water: a long title", venue="One")
    b = world.add("Mud and water")
    world.library.edit.edit(b, {"title": "Mud & water"})
    world.find.merge([a, b], keep=a)
    assert world.library.papers.get(a).title == "Mud & water"
    assert (a, "title") in world.rows("user_edits")


def test_the_published_version_stays_by_default(world: World) -> None:
    a = world.add(
        arxiv="1903.00001", venue="arXiv", abstract="Much.", url="https://e.org", pages="1-9"
    )
    b = world.add(doi="10.5555/b", venue="Journal of Mud")
    assert world.find.compare([a, b]).kept == b
    world.find.merge([a, b])
    (paper,) = world.library.papers
    assert (paper.id, paper.arxiv, paper.abstract) == (b, "1903.00001", "Much.")
    assert (paper.venue, paper.pages) == ("Journal of Mud", None)


def test_citations_in_both_directions(world: World) -> None:
    a, b, c, other, cited = (world.add(f"Paper number {n}") for n in range(5))
    world.cite((other, a), (other, b), (c, b), (b, cited), (a, c), (b, a), (a, b), (cited, b))
    before = world.export(), sorted(world.rows("citations"))
    world.find.merge([a, b], keep=a)
    links = {(row[0], row[1]) for row in world.rows("citations")}
    assert links == {(other, a), (c, a), (a, cited), (a, c), (cited, a)}
    assert world.rows("references") == []
    after = world.export()
    world.library.history.undo()
    assert (world.export(), sorted(world.rows("citations"))) == before
    assert world.rows("references") == []
    world.library.history.redo()
    assert world.export() == after


def test_a_paper_never_cites_itself(world: World) -> None:
    a, b = world.add(), world.add()
    world.cite((b, a))
    world.find.merge([a, b])
    assert world.rows("citations") == []


def test_three_become_one(world: World) -> None:
    ids = [world.add(doi="10.5555/a", tags=(name,)) for name in "xyz"]
    before = world.export()
    changes = world.find.merge_certain()
    assert changes.removed == set(ids[1:])
    (paper,) = world.library.papers
    assert paper.tags == ("x", "y", "z")
    assert paper.identifiers == {}
    world.library.history.undo()
    assert world.export() == before


def test_many_groups_are_one_change(world: World) -> None:
    for n in range(5):
        for _ in range(2):
            world.add(f"Study number {n} of rivers", doi=f"10.5555/{n}")
    before = world.export()
    changes = world.find.merge_certain()
    assert len(changes.removed) == 5
    assert len(world.library.history.entries()) == 1
    assert "5 groups" in world.library.history.entries()[0].title
    assert world.groups() == []
    world.library.history.undo()
    assert world.export() == before
    assert len(world.groups()) == 5


def test_merging_across_the_trash(world: World) -> None:
    a = world.add(tags=("x",))
    b = world.add(tags=("y",), abstract="Much is told here.", doi="10.5555/b")
    world.library.edit.trash([b])
    before = world.export()
    assert world.find.compare([a, b]).kept == a
    changes = world.find.merge([a, b], keep=b)
    assert changes.added == {b}
    assert changes.removed == {a}
    (paper,) = world.library.papers
    assert (paper.id, paper.tags, paper.trashed_at) == (b, ("x", "y"), None)
    world.library.history.undo()
    assert world.export() == before
    assert world.library.papers.get(b).trashed_at is not None


def test_later_edits_outlive_the_undo_of_a_merge(world: World) -> None:
    a, b = world.add(tags=("x",)), world.add(tags=("y",))
    merged = world.find.merge([a, b], keep=a)
    world.library.edit.edit(a, {"title": "Another title"})
    world.library.edit.tag([a], ["later"])
    with world.library.database.write() as conn:
        apply_change(conn, merged.change_id, "undo")
    assert world.library.papers.get(a).title == "Another title"
    assert world.library.papers.get(a).tags == ("later", "x")
    assert world.library.papers.get(b).tags == ("y",)


def test_vectors_come_back_with_their_paper(world: World) -> None:
    a, b = world.add(), world.add()
    with world.library.database.write() as conn:
        conn.exec_driver_sql("INSERT INTO models VALUES (1, 'm', 'M', 3, '', '{}', '2026')")
        for row, paper in enumerate((a, b)):
            conn.exec_driver_sql(
                "INSERT INTO vector_rows VALUES (1, ?, ?, x'00', 'torch')", (paper, row)
            )
    before = sorted(world.rows("vector_rows"))
    world.find.merge([a, b], keep=a)
    world.library.history.undo()
    assert sorted(world.rows("vector_rows")) == before


# -- sources -------------------------------------------------------------------------------------


def two_files(world: World) -> tuple[int, int]:
    world.bib(ENTRY % ("one", "Mud and water in rivers", 2010, "10.5555/a", "First."), "one.bib")
    world.bib(ENTRY % ("two", "On mud", 2012, "10.5555/b", "Second."), "two.bib")
    a, b = (world.library.papers.id_of(key) for key in ("one", "two"))
    return a, b


@pytest.mark.parametrize("kept", [0, 1])
def test_either_source_read_again_reaches_the_merged_paper(world: World, kept: int) -> None:
    ids = two_files(world)
    world.find.merge(ids, keep=ids[kept], fields={"abstract": ids[1], "title": ids[0]})
    for name in ("one.bib", "two.bib"):
        report = world.library.imports.run([world.folder / name])
        assert (report.added, report.unchanged) == (0, 1)
    report = world.bib(ENTRY % ("two", "On mud", 2012, "10.5555/b", "Second, mended."), "two.bib")
    assert (report.added, report.updated) == (0, 1)
    report = world.bib(
        ENTRY % ("one", "Mud and water in all rivers", 2010, "10.5555/a", "First."), "one.bib"
    )
    assert (report.added, report.updated) == (0, 1)
    (paper,) = world.library.papers
    assert paper.id == ids[kept]
    assert paper.abstract == "Second, mended."
    assert paper.title == "Mud and water in all rivers"
    assert not paper.missing_in_source


def test_a_third_source_joins_by_the_doi_of_the_absorbed_paper(world: World) -> None:
    ids = two_files(world)
    world.find.merge(ids, keep=ids[0], fields={"title": ids[1]})
    report = world.bib(ENTRY % ("three", "On mud", 2012, "10.5555/b", "Third."), "three.bib")
    assert (report.added, report.merged) == (0, 1)


def test_an_item_of_zotero_is_known_again_whatever_way_it_comes(world: World) -> None:
    items = [PaperDraft(title=f"Mud {key}", library="user", zotero_key=key) for key in "ABC"]
    imports = world.library.imports
    imports.run_open([RecordsAtHand("zotero.sqlite", "zotero", items)])
    world.find.merge(world.library.papers.ids().tolist())
    report = imports.run_open([RecordsAtHand("http://127.0.0.1:23119", "zotero", items)])
    assert (report.added, report.merged, len(world.library.papers)) == (0, 3, 1)


def test_a_later_paper_that_cites_the_absorbed_one_cites_the_merged_one(world: World) -> None:
    ids = two_files(world)
    world.find.merge(ids, keep=ids[0])
    world.library.imports.run_drafts(
        [PaperDraft(title="Late", references=(Reference(doi="10.5555/b"),))]
    )
    late = max(paper.id for paper in world.library.papers)
    assert world.library.papers.get(late).cites == (ids[0],)


def test_so_does_one_that_names_it_by_another_identifier(world: World) -> None:
    imports = world.library.imports
    papers = [PaperDraft(title=f"Mud {n}", identifiers={"openalex": f"W{n}"}) for n in (1, 2)]
    imports.run_drafts(papers)
    ids = world.library.papers.ids().tolist()
    world.find.merge(ids, keep=ids[0])
    late = PaperDraft(title="Late", references=(Reference(source_id="openalex:W2"),))
    imports.run_drafts([late])
    assert world.library.papers.get(max(world.library.papers.ids())).cites == (ids[0],)


def test_undo_gives_the_sources_their_papers_back(world: World) -> None:
    ids = two_files(world)
    before = world.export(), sorted(world.rows("records")), sorted(world.rows("batch_papers"))
    world.find.merge(ids, keep=ids[0])
    assert {row[3] for row in world.rows("records")} == {ids[0]}
    after = world.export(), sorted(world.rows("records"))
    world.library.history.undo()
    assert (
        world.export(),
        sorted(world.rows("records")),
        sorted(world.rows("batch_papers")),
    ) == before
    world.library.history.redo()
    assert (world.export(), sorted(world.rows("records"))) == after
    world.library.history.undo()
    report = world.bib(ENTRY % ("two", "On mud", 2012, "10.5555/b", "New."), "two.bib")
    assert (report.added, report.updated) == (0, 1)
    assert world.library.papers.get(ids[1]).abstract == "New."


@pytest.mark.parametrize("kept", [0, 1])
def test_an_import_that_is_undone_after_a_merge(world: World, kept: int) -> None:
    ids = two_files(world)
    both = world.export()
    world.find.merge(ids, keep=ids[kept])
    merged = world.export()
    batch = world.library.imports.batches()[0].id  # the one that brought the second paper
    world.library.history.undo_batch(batch)
    (paper,) = world.library.papers  # that of the other file is as it was, with its record
    assert paper.id == ids[0]
    assert world.export() == both.splitlines(keepends=True)[0]
    report = world.library.imports.run([world.folder / "one.bib"])
    assert (report.added, report.unchanged) == (0, 1)
    world.library.history.redo()
    assert world.export() == both
    world.library.history.redo()
    assert world.export() == merged


def test_undoing_an_import_undoes_chains_of_merges_and_no_others(world: World) -> None:
    ids = two_files(world)
    batch = world.library.imports.batches()[0].id
    others = [world.add("Owls of the night", doi="10.5555/o", people=("Teal",)) for _ in range(3)]
    world.find.merge(ids, keep=ids[0])
    world.find.merge(others[:2], keep=others[0])
    world.find.merge([ids[0], others[2]], keep=others[2])
    told = world.library.history.undo_batch(batch)
    assert sorted(paper.id for paper in world.library.papers) == [ids[0], others[0], others[2]]
    assert (told.added, told.removed) == ({ids[0]}, frozenset())


def test_records_missing_in_one_source_do_not_make_the_paper_missing(world: World) -> None:
    ids = two_files(world)
    world.bib(ENTRY % ("else", "Owls", 2012, "10.5555/o", "Owls."), "two.bib")
    assert world.library.papers.get(ids[1]).missing_in_source
    world.find.merge(ids, keep=ids[1])
    assert not world.library.papers.get(ids[1]).missing_in_source


# -- mistakes ------------------------------------------------------------------------------------


def test_mistakes_are_told_and_change_nothing(world: World) -> None:
    a, b, c = (world.add() for _ in range(3))
    before = world.export()
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: world.find.merge([a]), "at least two"),
        (lambda: world.find.merge([a, a]), "at least two"),
        (lambda: world.find.merge([a, 99]), "99"),
        (lambda: world.find.merge([a, b], keep=c), "none of the papers"),
        (lambda: world.find.merge([a, b], fields={"title": c}), "none of the papers"),
        (lambda: world.find.merge([a, b], fields={"mood": a}), "mood"),
        (lambda: world.find.refuse([a]), "at least two"),
        (lambda: world.find.merge([]), "No paper"),
    ]
    for call, words in wrong:
        with pytest.raises(UserError, match=words):
            call()
    assert world.export() == before
    assert world.library.history.entries() == []


def test_what_is_compared(world: World) -> None:
    a = world.add(people=("Owl",), doi="10.5555/a")
    b = world.add(people=("Owl", "Teal"), doi="10.5555/a", abstract="Much.")
    found = world.find.compare([a, b])
    assert found.differing == {"authors", "abstract"}
    assert (found.chosen["authors"], found.chosen["abstract"]) == (b, b)
    assert found.kept == b
    assert [paper.id for paper in found.papers] == [a, b]


def test_the_export_of_a_merged_paper_comes_in_whole(world: World, make_world: Any) -> None:
    a = world.add(doi="10.5555/a", people=("Owl",))
    b = world.add(doi="10.5555/b", authors=(Author(literal="Mud Club"),))
    world.find.merge([a, b])
    other = make_world()
    file = world.folder.parent / "all.jsonl"
    file.write_text(world.export(), "utf-8")
    other.library.imports.run([file])
    (line,) = other.export().splitlines()
    assert json.loads(line)["identifiers"] == {"doi.2": "10.5555/b"}
