"""Mendeley Desktop's database: what comes in, what does not, and that it is never touched."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import UserError
from litscape.importers.registry import open_source
from litscape.paper import Author, FileLink
from litscape_app.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.library import Library
    from litscape.paper import ImportReport, Paper

Make = Any


def papers(library: Library) -> dict[str, Paper]:
    return {paper.title or "": paper for paper in library.papers}


def outcome(report: ImportReport) -> tuple[int, ...]:
    found = (report.added, report.updated, report.merged, report.unchanged, report.skipped)
    assert report.records == sum(found)
    return found


def codes(report: ImportReport) -> list[str]:
    return sorted(issue.code for issue in report.issues)


def test_a_document_with_all_that_belongs_to_it(
    maker: Make, library: Library, tmp_path: Path
) -> None:
    there = tmp_path / "Mud & rivers, 1.pdf"
    there.write_bytes(b"%PDF-1.4")
    made = maker()
    number = made.document(
        "Sediment in <i>rivers</i>",
        abstract="Mud &lt; sand.",
        year=2015, month=3, day=12,
        publication="Journal of Mud", volume="4", issue="2", pages="10--20", publisher="Mud Press",
        doi="https://doi.org/10.5555/MUD.1", pmid=90000001, arxivId="1903.00001v2",
        isbn="978-0-306-40615-7", issn="12345679", citationKey="gull2015", shortTitle="Sediment",
        note="<p>An <b>old</b> note</p>", added=1420070400000, favourite="true", read="true",
        city="Kiel",
    )  # fmt: skip
    made.person(number, "Gull", "Petra")
    made.person(number, "van der Tern", "Lars")
    made.person(number, "Mud Society", None)
    made.person(number, "Editor", "Ed", "Editor")
    for keyword in ("silt", "clay"):
        made.add("DocumentKeywords", documentId=number, keyword=keyword)
    made.add("DocumentTags", documentId=number, tag="to read")
    made.add("DocumentUrls", documentId=number, position=1, url=b"https://example.org/b")
    made.add("DocumentUrls", documentId=number, position=0, url="https://example.org/a")
    made.add("DocumentNotes", documentId=number, text="<m:bold>New</m:bold> note")
    made.add("FileNotes", documentId=number, page=3, note="Look here")
    top = made.add("Folders", name="Water", parentId=-1)
    below = made.add("Folders", name="Rivers", parentId=top)
    made.add("DocumentFolders", documentId=number, folderId=below)
    for place, address in enumerate(
        (there.as_uri(), "file:///C:/Papers/mud%20b.pdf", "file://host/share/c.pdf", "")
    ):
        made.add("DocumentFiles", documentId=number, hash=str(place))
        made.add("Files", hash=str(place), localUrl=address)
    report = library.import_file(made.file)
    assert outcome(report) == (1, 0, 0, 0, 0)
    (found,) = library.papers
    assert (found.title, found.abstract, found.type) == (
        "Sediment in rivers",
        "Mud < sand.",
        "article",
    )
    assert found.authors == (
        Author("Gull", "Petra"),
        Author("Tern", "Lars", "van der"),
        Author(literal="Mud Society"),
    )
    assert (found.year, found.month, found.day) == (2015, 3, 12)
    assert (found.venue, found.volume, found.issue, found.pages) == (
        *("Journal of Mud", "4", "2"),
        "10-20",
    )
    assert (found.doi, found.pmid, found.arxiv) == ("10.5555/mud.1", "90000001", "1903.00001")
    assert (found.isbn, found.identifiers["issn"]) == ("9780306406157", "1234-5679")
    assert (found.citekey, found.url) == ("gull2015", "https://example.org/a")
    assert (set(found.keywords), found.tags) == ({"silt", "clay"}, ("to read",))
    assert found.collections == (("Water", "Rivers"),)
    assert set(found.notes) == {"An old note", "New note", "Page 3: Look here"}
    assert set(found.files) == {
        FileLink(str(there), None, "application/pdf", None, True),
        FileLink("C:/Papers/mud b.pdf", None, "application/pdf"),
        FileLink("//host/share/c.pdf", None, "application/pdf"),
    }
    raw = found.raw_fields
    assert (raw["editor"], raw["shorttitle"], raw["city"]) == ("Editor, Ed", "Sediment", "Kiel")
    assert (raw["urls"], raw["favourite"]) == ("https://example.org/b", "yes")
    assert raw["dateadded"] == "2015-01-01 00:00:00"
    assert (found.read_state, raw["read"]) == ("read", "yes")


def test_the_trash_never_comes_in(maker: Make, library: Library) -> None:
    made = maker()
    made.document("Kept")
    for flag in (1, "true"):
        made.document("Gone", deletionPending=flag)
    number = made.document("In the trash")
    made.run(f"UPDATE RemoteDocuments SET inTrash = 'true' WHERE documentId = {number}")
    assert outcome(library.import_file(made.file)) == (1, 0, 0, 0, 0)
    assert list(papers(library)) == ["Kept"]


@pytest.mark.parametrize(
    ("name", "kind", "kept"),
    [
        ("JournalArticle", "article", None),
        ("MagazineArticle", "article", "MagazineArticle"),
        ("ConferenceProceedings", "inproceedings", None),
        ("BookSection", "incollection", None),
        ("Thesis", "thesis", None),
        ("WorkingPaper", "report", "WorkingPaper"),
        ("Generic", "misc", None),
        ("HolographicMemo", "holographicmemo", "HolographicMemo"),
        (None, None, None),
    ],
)
def test_types(
    maker: Make, library: Library, name: str | None, kind: str | None, kept: str | None
) -> None:
    made = maker()
    made.document("One", type=name)
    library.import_file(made.file)
    (found,) = library.papers
    assert (found.type, found.raw_fields.get("documenttype")) == (kind, kept)


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"year": 2011, "month": 0, "day": 0}, (2011, None, None, None)),
        ({"year": 2011, "month": 11}, (2011, None, 11, None)),
        ({"year": 20111, "month": 13}, (None, "20111", None, None)),
        ({"year": "in press"}, (None, "in press", None, None)),
        ({"day": 5}, (None, None, None, None)),
        ({"year": 0}, (None, None, None, None)),
    ],
)
def test_dates(
    maker: Make, library: Library, columns: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    made = maker()
    made.document("One", **columns)
    library.import_file(made.file)
    (found,) = library.papers
    assert (found.year, found.year_raw, found.month, found.day) == expected


def test_groups_folders_in_a_circle_and_what_is_cited(maker: Make, library: Library) -> None:
    made = maker()
    mine = made.document("Mine")
    theirs = made.document("Theirs", group=3, confirmed="false")
    made.run("""
        INSERT INTO Folders(id, name, parentId) VALUES (1, 'A', 2), (2, 'B', 1), (3, 'Team', 0),
          (4, '  ', 99);
        INSERT INTO RemoteFolders(folderId, groupId) VALUES (1, 0), (3, 3);
        INSERT INTO DocumentFolders(documentId, folderId) VALUES (1, 1), (1, 4), (1, 77), (2, 3);
        INSERT INTO FileHighlights(documentId) VALUES (1), (1);
    """)
    made.add("DocumentReferences", documentId=mine, referencedDocumentId=theirs)
    report = library.import_file(made.file)
    found = papers(library)
    assert set(found["Mine"].collections) == {("B", "A"), ("Folder 4",)}
    assert found["Theirs"].collections == (("Mud lab", "Team"),)
    assert found["Theirs"].raw_fields["group"] == "Mud lab"
    assert found["Theirs"].raw_fields["confirmed"] == "no"
    assert found["Mine"].cites == (found["Theirs"].id,)
    assert codes(report) == ["annotations-left-out", "unconfirmed-details"]


def test_importing_again_is_an_update(maker: Make, library: Library) -> None:
    made = maker()
    for title in ("One", "Two", "Three"):
        made.document(title)
    assert outcome(library.import_file(made.file)) == (3, 0, 0, 0, 0)
    assert library.import_file(made.file).batch is None
    made.run("""
        UPDATE Documents SET title = 'Two, corrected' WHERE id = 2;
        DELETE FROM Documents WHERE id = 3;
    """)
    made.document("Four")
    assert outcome(library.import_file(made.file)) == (1, 1, 0, 1, 0)
    found = papers(library)
    assert set(found) == {"One", "Two, corrected", "Three", "Four"}
    assert [title for title, paper in found.items() if paper.missing_in_source] == ["Three"]


def test_an_old_schema_with_few_tables_and_a_new_one_with_more(
    maker: Make, library: Library
) -> None:
    old = maker(
        "old.sqlite",
        """CREATE TABLE Documents (id INTEGER PRIMARY KEY, title, year, deletionPending);
        CREATE TABLE DocumentContributors (documentId, lastName);
        INSERT INTO Documents VALUES (1, 'Old', 2009, 0), (2, NULL, 2010, NULL);
        INSERT INTO DocumentContributors VALUES (1, 'Gull'), (9, 'Nobody');""",
    )
    report = library.import_file(old.file)
    assert outcome(report) == (2, 0, 0, 0, 0)
    assert codes(report) == ["missing-title"]
    assert papers(library)["Old"].authors == (Author(literal="Gull"),)
    new = maker()
    new.run("ALTER TABLE Documents ADD COLUMN \"eBook 'id'\"; DROP TABLE Files; DROP TABLE Groups")
    number = new.document("New", group=3)
    new.run("UPDATE Documents SET \"eBook 'id'\" = 'E-1'")
    new.add("DocumentFiles", documentId=number, hash="a")
    library.import_file(new.file)
    found = papers(library)["New"]
    assert (found.raw_fields["ebook 'id'"], found.raw_fields["group"]) == ("E-1", "Group 3")
    assert found.files == ()


def test_what_is_only_in_the_log_comes_in_and_nothing_is_written(
    maker: Make, library: Library
) -> None:
    made = maker()
    made.document("First")
    with closing(sqlite3.connect(made.file)) as running:
        running.execute("PRAGMA journal_mode = WAL")
        running.execute("PRAGMA locking_mode = EXCLUSIVE")
        running.execute("INSERT INTO Documents(uuid, title) VALUES ('late', 'Second')")
        running.commit()
        folder = made.file.parent
        before = {path.name: path.read_bytes() for path in folder.glob("*.sqlite*")}
        assert outcome(library.import_file(made.file)) == (2, 0, 0, 0, 0)
        assert {path.name: path.read_bytes() for path in folder.glob("*.sqlite*")} == before
    assert set(papers(library)) == {"First", "Second"}


def test_an_encrypted_database_says_what_to_do(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "me@example.org@www.mendeley.com.sqlite"
    path.write_bytes(os.urandom(8192))
    with pytest.raises(UserError, match=r"Mendeley Desktop 1\.19 .* Export as BibTeX or RIS"):
        library.import_file(path)


def test_found_by_content_and_not_by_name(maker: Make, tmp_path: Path) -> None:
    assert open_source(maker("papers.txt").file).kind == "mendeley"
    other = maker("www.mendeley.com.sqlite", "CREATE TABLE Documents (id, title)")
    with pytest.raises(UserError, match="is an SQLite database"):
        open_source(other.file)
    with pytest.raises(UserError, match="not one of Mendeley Desktop"):
        open_source(other.file, "mendeley")
    with pytest.raises(UserError, match="There is no file"):
        open_source(tmp_path / "nothing.sqlite", "mendeley")
    empty = maker("odd.sqlite", "CREATE TABLE Documents (a); CREATE TABLE DocumentContributors (b)")
    with pytest.raises(UserError, match="not one of Mendeley Desktop"):
        list(open_source(empty.file).read())


def test_on_the_command_line(
    maker: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = maker()
    made.document("One")
    assert main(["--library", str(tmp_path / "lib"), "import", str(made.file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["added"] == 1
