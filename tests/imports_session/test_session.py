"""Records come in, meet the library, and are counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from litscape.errors import LibraryBusyError, UserError
from litscape.history import IMPORT_LEASE
from litscape.paper import Author, FileLink, ImportProblem, PaperDraft, Reference
from litscape.store.leases import Lease


def test_one_key_for_two_works(world: Any, entry: Any, counts: Any) -> None:
    report = world.bib(
        entry("stone2011", "Moss on north walls", doi="10.5555/moss.1"),
        entry("stone2011", "Lichen on south walls", doi="10.5555/lichen.2"),
        entry("stone2011", "Ferns in cellars", author="Fern, Bo"),
    )
    assert counts(report) == (3, 0, 0, 0, 0)
    assert world.keys() == ["stone2011", "stone2011a", "stone2011b"]
    assert {paper.citekey_original for paper in world.all()} == {"stone2011"}
    assert [(i.code, i.severity, i.line, i.citekey) for i in report.issues] == [
        ("duplicate-key", "warning", 2, "stone2011"),
        ("duplicate-key", "warning", 3, "stone2011"),
    ]
    assert all(issue.raw and issue.raw.startswith("@article{stone2011") for issue in report.issues)
    assert counts(world.bib(*(world.folder / "refs.bib").read_text().splitlines())) == (
        0,
        0,
        0,
        3,
        0,
    )


def test_one_entry_pasted_twice(world: Any, entry: Any, counts: Any) -> None:
    report = world.bib(
        entry("hale", "Tides and tables", note="first"),
        entry("hale", "Tides and tables", isbn="978-0-00-000000-2", keywords="sea"),
    )
    assert counts(report) == (1, 0, 1, 0, 0)
    paper = world.papers.get("hale")
    assert (paper.isbn, paper.keywords) == ("9780000000002", ("sea",))
    assert [(i.code, i.line) for i in report.issues] == [("duplicate-record", 2)]
    assert world.count("records") == 2


def test_one_work_under_two_keys(world: Any, entry: Any, counts: Any) -> None:
    """A DOI joins them; without one, equal titles only suggest it."""
    report = world.bib(
        entry("a", "Mud and water", doi="10.5555/x"),
        entry("b", "Mud and Water", doi="https://doi.org/10.5555/X", volume="4"),
        entry("c", "Flights of the owls"),
        entry("d", "Flights of the owls"),
    )
    assert counts(report) == (3, 0, 1, 0, 0)
    paper = world.papers.get("a")
    assert paper.citekey_aliases == ("b",)
    assert paper.volume == "4"
    ids = tuple(world.papers.get(key).id for key in "cd")
    assert report.suggested_merges == (ids,)


def test_chapters_with_the_doi_of_their_book_are_only_suggested(world: Any, draft: Any) -> None:
    report = world.drafts(
        draft("The book of mud", type="book", doi="10.5555/book", citekey="book"),
        draft("Mud in spring", type="chapter", doi="10.5555/book", citekey="one"),
        draft("Mud in autumn", type="chapter", doi="10.5555/book", citekey="two"),
    )
    assert (report.added, report.merged) == (3, 0)
    assert set(report.suggested_merges) == {(1, 2), (1, 3), (2, 3)}


def test_preprint_and_published_version_are_only_suggested(world: Any, draft: Any) -> None:
    report = world.drafts(
        draft("Mud and water in rivers", doi="10.48550/arxiv.1903.00001", year=2019),
        draft("Mud and Water in Rivers", doi="10.5555/mud.7", year=2020),
        draft("Mud and water in rivers, part II", doi="10.5555/mud.8", year=2020),
    )
    assert report.added == 3
    assert report.suggested_merges == ((1, 2),)


@pytest.mark.parametrize(
    "same",
    [
        {"arxiv": "1903.00001"},
        {"pmid": "90000001"},
        {"identifiers": {"openalex": "W1"}},
        {"library": "user", "zotero_key": "ABCD1234"},
        {"citekey": "owl2010"},
        {"isbn": "9780000000002", "type": "book"},
    ],
)
def test_papers_from_two_sources_join(world: Any, draft: Any, same: Any, counts: Any) -> None:
    world.drafts(draft("Mud and water", venue="Mud", tags=("a",), **same), source="one")
    again = draft("Mud and water", venue="Other", volume="4", tags=("b",), **same)
    report = world.drafts(again, source="two")
    assert counts(report) == (0, 0, 1, 0, 0)
    (paper,) = world.all()
    assert (paper.venue, paper.volume, paper.tags) == ("Mud", "4", ("a", "b"))
    assert report.changes.changed == {1}
    assert counts(world.drafts(again, source="two")) == (0, 0, 0, 1, 0)


def test_a_shared_issn_joins_nothing(world: Any, draft: Any) -> None:
    issn = {"identifiers": {"issn": "1234-5678"}}
    report = world.drafts(draft("Mud", **issn), draft("Water", **issn))
    assert (report.added, report.suggested_merges) == (2, ())


def test_a_moved_copy_of_a_file_adds_nothing(world: Any, entry: Any, counts: Any) -> None:
    entries = [entry("a", "Mud and water"), entry("b", "Flights of owls")]
    world.bib(*entries)
    report = world.bib(*entries, name="copy.bib")
    assert counts(report) == (0, 0, 2, 0, 0)
    assert [(i.code, i.severity) for i in report.issues] == [("joined", "note")] * 2
    assert world.count("records") == 4


def test_a_joined_record_fills_gaps_and_keeps_everything(world: Any) -> None:
    one = PaperDraft(
        title="Mud",
        doi="10.5555/m",
        year_raw="in press",
        keywords=("mud",),
        tags=("a",),
        collections=(("Water",),),
        notes=("mine",),
        files=(FileLink("a.pdf"),),
        raw_fields={"shelf": "B"},
        identifiers={"openalex": "W1"},
        references=(Reference(doi="10.5555/r1"),),
    )
    two = PaperDraft(
        title="MUD",
        doi="10.5555/m",
        authors=(Author("Owl", "Amy"),),
        more_authors=True,
        year=2010,
        month=3,
        abstract="About mud.",
        keywords=("dirt",),
        tags=("b", "a"),
        collections=(("Earth", "Wet"),),
        notes=("mine", "yours"),
        files=(FileLink("a.pdf", "Again"), FileLink("b.pdf")),
        raw_fields={"shelf": "C", "room": "7"},
        identifiers={"openalex": "W2", "mag": "1"},
        references=(Reference(doi="10.5555/r1", title="R1"), Reference(raw="R2")),
        fields=("Soil",),
    )
    world.drafts(one, source="one")
    world.drafts(two, source="two")
    (paper,) = world.all()
    assert (paper.title, paper.year, paper.year_raw, paper.month) == ("Mud", None, "in press", 3)
    assert (paper.authors, paper.more_authors) == ((Author("Owl", "Amy"),), True)
    assert (paper.abstract, paper.keywords, paper.fields) == ("About mud.", ("mud",), ("Soil",))
    assert (paper.tags, paper.notes) == (("a", "b"), ("mine", "yours"))
    assert set(paper.collections) == {("Water",), ("Earth", "Wet")}
    assert paper.files == (FileLink("a.pdf"), FileLink("b.pdf"))
    assert dict(paper.raw_fields) == {"shelf": "B", "room": "7"}
    assert dict(paper.identifiers) == {"openalex": "W1", "mag": "1"}
    assert [ref.doi or ref.raw for ref in paper.references] == ["10.5555/r1", "R2"]


def test_records_without_keys(world: Any, draft: Any, counts: Any) -> None:
    """Equal ones become one; a title alone is not enough, and each gets a key."""
    anonymous = draft("Index of advertisers", family=None, year=None)
    report = world.drafts(
        draft("Mud and water"),
        draft("Mud and water"),
        draft("Mud and water", pages="7", venue="Mud"),
        anonymous,
        anonymous,
        draft("Index of advertisers", family=None, year=None, notes=("other",)),
    )
    assert counts(report) == (3, 0, 3, 0, 0)
    keys = ["owl2010mud", "index", "indexa"]
    assert world.keys() == keys
    assert {paper.citekey_original for paper in world.all()} == {None}
    assert report.suggested_merges == ((2, 3),)


def test_what_a_reader_says_is_counted_and_kept(world: Any, draft: Any, counts: Any) -> None:
    skipped = ImportProblem("broken-entry", "skipped", "Broken.", 3, raw="@x{", is_record=True)
    loose = ImportProblem("text-outside-entry", "skipped", "Some text.", 9, raw="text")
    noted = ImportProblem("encoding-guessed", "note", "Guessed.", 1)
    report = world.drafts(noted, draft("Mud"), skipped, loose)
    assert counts(report) == (1, 0, 0, 0, 1)
    assert [issue.code for issue in report.issues] == [
        "encoding-guessed",
        "broken-entry",
        "text-outside-entry",
    ]
    assert {issue.source for issue in report.issues} == {"list"}
    stored = world.imports.report(report.batch)
    assert stored.issues == tuple(replace(issue, is_record=False) for issue in report.issues)
    assert counts(stored) == counts(report)
    assert stored.suggested_merges == report.suggested_merges


def test_nothing_new_leaves_no_batch(world: Any, entry: Any, counts: Any) -> None:
    world.bib(entry("a"), entry("b"))
    before = world.state()
    report = world.bib(entry("a"), entry("b"))
    assert report.batch is None
    assert not report.changes
    assert counts(report) == (0, 0, 0, 2, 0)
    assert world.state() == before
    assert len(world.imports.batches()) == 1
    assert len(world.history.entries()) == 1


def test_a_target_collection_takes_all_in(world: Any, entry: Any, counts: Any) -> None:
    world.bib(entry("a"), entry("b"))
    file = world.folder / "refs.bib"
    file.write_text("\n".join([entry("a"), entry("b", note="n"), entry("c")]))
    report = world.imports.run([file], collection=("In", "Box"))
    assert counts(report) == (1, 2, 0, 0, 0)
    assert [paper.collections for paper in world.all()] == [(("In", "Box"),)] * 3
    world.history.undo()
    assert [paper.collections for paper in world.all()] == [(), ()]
    assert world.count("collections") == 0


def test_several_files_are_one_change(world: Any, entry: Any, counts: Any) -> None:
    files = []
    for name in "ab":
        file = world.folder / f"{name}.bib"
        file.write_text(entry(name) + "\n" + entry("both", "Mud and water", doi="10.5555/x"))
        files.append(file)
    report = world.imports.run(files)
    assert counts(report) == (3, 0, 1, 0, 0)
    assert report.sources == tuple(str(file) for file in files)
    assert world.history.entries()[0].title == "Import 2 files"
    world.history.undo()
    assert world.all() == []


def test_a_source_that_can_not_be_read_imports_nothing(world: Any, entry: Any) -> None:
    good = world.folder / "good.bib"
    good.write_text(entry("a"))
    page = world.folder / "page.bib"
    page.write_text("<!DOCTYPE html><html><body>Sign in</body></html>")
    empty = world.folder / "empty"
    empty.mkdir()
    for bad in (page, world.folder / "none.bib", empty):
        with pytest.raises(UserError):
            world.imports.run([good, bad])
    with pytest.raises(UserError):
        world.imports.run([])
    with pytest.raises(UserError):
        world.imports.run([good], kind="nonsense")
    assert world.all() == []
    assert world.imports.batches() == []


def test_a_folder_that_can_not_be_written_is_no_hindrance(world: Any, entry: Any) -> None:
    file = world.folder / "refs.bib"
    file.write_text(entry("a"))
    before = (sorted(world.folder.iterdir()), file.read_bytes(), file.stat().st_mtime_ns)
    world.folder.chmod(0o555)
    try:
        assert world.imports.run([file]).added == 1
    finally:
        world.folder.chmod(0o755)
    assert (sorted(world.folder.iterdir()), file.read_bytes(), file.stat().st_mtime_ns) == before


def test_two_imports_at_once(world: Any, entry: Any) -> None:
    world.bib(entry("a"))
    with Lease(world.database, IMPORT_LEASE):
        with pytest.raises(LibraryBusyError):
            world.bib(entry("b"))
        with pytest.raises(LibraryBusyError):
            world.history.undo()
    assert world.keys() == ["a"]


def test_preview_reads_the_beginning_and_writes_nothing(world: Any, entry: Any) -> None:
    file = world.folder / "refs.bib"
    file.write_text("\n".join(entry(f"k{n}", abstract="x" * 300) for n in range(2000)))
    seen = world.imports.preview(file)
    assert (seen.kind, seen.encoding, seen.guessed) == ("bibtex", "utf-8", False)
    assert [one.citekey for one in seen.drafts] == [f"k{n}" for n in range(20)]
    assert seen.problems == ()
    assert world.all() == []
    with pytest.raises(UserError):
        world.imports.preview(world.folder / "none.bib")
    latin = world.folder / "latin.bib"
    latin.write_bytes(entry("a", "Über Schlamm").encode("latin-1"))
    assert world.imports.preview(latin).guessed
    assert world.imports.preview(latin, encoding="latin-1").drafts[0].title == "Über Schlamm"


def test_pasted_text(world: Any, entry: Any, counts: Any) -> None:
    seen = world.imports.preview_text(entry("a"))
    assert (seen.kind, len(seen.drafts)) == ("bibtex", 1)
    assert counts(world.imports.run_text(entry("a"))) == (1, 0, 0, 0, 0)
    other = entry("a", "Ferns in cellars", author="Fern, Bo", year="1999")
    assert counts(world.imports.run_text(other)) == (1, 0, 0, 0, 0)
    assert not any(paper.missing_in_source for paper in world.all())
    with pytest.raises(UserError):
        world.imports.run_text("just some words")


def test_the_trash(world: Any, entry: Any, draft: Any, counts: Any) -> None:
    """What was thrown away stays away for its own source, but not for who asks for it anew."""
    world.bib(entry("a", "Mud and water", doi="10.5555/x"))
    world.edit.trash("a")
    report = world.bib(entry("a", "Mud and water", doi="10.5555/x", volume="4"))
    assert counts(report) == (0, 1, 0, 0, 0)
    assert [issue.code for issue in report.issues] == ["in-trash"]
    assert world.all() == []
    report = world.drafts(draft("Mud and water", doi="10.5555/x"), source="added")
    assert counts(report) == (1, 0, 0, 0, 0)
    assert report.changes.added == {1}
    assert world.papers.get("a").volume == "4"
    world.history.undo()
    assert world.all() == []


def test_import_into_a_library_with_the_same_keys(world: Any, entry: Any) -> None:
    world.bib(entry("a", "Mud and water"), name="one.bib")
    report = world.bib(entry("a", "Flights of owls"), entry("aa", "Ferns"), name="two.bib")
    assert world.keys() == ["a", "ab", "aa"]  # a key that the source gives comes first
    assert [(issue.code, issue.citekey) for issue in report.issues] == [("duplicate-key", "a")]


def test_keys_that_are_made_give_way_to_those_of_the_source(world: Any, draft: Any) -> None:
    report = world.drafts(draft("Mud and water"), draft("Flights", citekey="owl2010mud"))
    assert world.keys() == ["owl2010muda", "owl2010mud"]
    assert report.issues == ()
