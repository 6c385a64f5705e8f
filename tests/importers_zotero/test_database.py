"""Zotero's database: what comes in, what does not, and that it is never touched."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import UserError
from litscape.importers.base import ReadOptions
from litscape.importers.registry import open_source
from litscape.importers.zotero_sqlite import libraries
from litscape.paper import Author, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable

GROUP, FEED = 2, 3


def codes(report: Any) -> list[tuple[str, str, str | None]]:
    return [(one.code, one.severity, one.zotero_key) for one in report.issues]


def test_a_library_with_trash_notes_and_files(world: Any, data: Path, counts: Any) -> None:
    report = world.take(data / "trash-notes-attachments.sqlite", "user")
    assert counts(report) == (3, 0, 0, 0, 0)
    found = world.by_key()
    assert set(found) == {"user:AAAA2222", "user:BBBB2222", "user:MMMM2222"}
    kept, book, talk = (found[f"user:{key}"] for key in ("AAAA2222", "BBBB2222", "MMMM2222"))
    assert (kept.citekey, kept.doi, kept.pmid) == ("stork2015", "10.5555/zot.1", "123")
    assert (kept.year, kept.month, kept.day, kept.venue) == (2015, 3, None, "Journal of Mud")
    assert kept.authors == (Author("Stork", "Sam"), Author(literal="Mud Society"))
    assert kept.raw_fields["editor"] == "Editor, Ed"
    assert (kept.tags, kept.keywords, kept.notes) == (("mud",), ("auto tag",), ("My note",))
    stored, linked = sorted(kept.files, key=lambda link: link.base or "")
    assert Path(stored.path) == data / "storage" / "DDDD2222" / "kept article.pdf"
    assert (stored.title, stored.mime, stored.exists) == ("Full text", "application/pdf", False)
    assert (linked.path, linked.base) == ("sub/linked.pdf", "linked-attachment-base-directory")
    assert set(book.collections) == {("Water", "Lakes"), ("Water", "Rivers")}
    assert (book.citekey, book.type, book.year, book.year_raw) == (
        "stork1999",
        "book",
        1999,
        "c. 1999",
    )
    assert (talk.year, talk.year_raw, talk.venue) == (None, "in press", "Mud Meeting")
    assert ("attachment-without-parent", "note", "GGGG2222") in codes(report)
    assert ("note-without-parent", "note", "IIII2222") in codes(report)
    assert "annotations-left-out" in [code for code, _severity, _key in codes(report)]


def test_group_libraries_go_by_their_number_on_the_web(world: Any, data: Path, counts: Any) -> None:
    file = data / "trash-notes-attachments.sqlite"
    assert counts(world.take(file, "group:777")) == (2, 0, 0, 0, 0)
    assert set(world.by_key()) == {"group:777:JJJJ2222", "group:777:AAAA2222"}
    assert counts(world.take(file)) == (3, 0, 0, 2, 0)
    assert len(world.papers) == 5
    with pytest.raises(UserError, match=r"no library group:2; it has user, group:777"):
        world.take(file, "group:2")
    with pytest.raises(UserError, match="names no Zotero library"):
        world.take(file, "group:Mud lab")


def test_libraries_and_collections_to_choose_from(data: Path) -> None:
    user, group = libraries(data / "trash-notes-attachments.sqlite")
    assert (user.name, user.items, group.name, group.title) == ("user", 3, "group:777", "Mud lab")
    assert [path for _key, path, _above in user.collections] == [
        ("Water",),
        ("Water", "Lakes"),
        ("Water", "Rivers"),
    ]


_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA locking_mode=EXCLUSIVE")
connection.execute("PRAGMA journal_mode=WAL")
connection.execute("BEGIN EXCLUSIVE")
connection.execute("UPDATE items SET version = version + 1")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_running_zotero_is_read_whole_and_left_alone(world: Any, data: Path, counts: Any) -> None:
    file = data / "running-wal-lock.sqlite"
    log = data / "running-wal-lock.sqlite-wal"
    before = sorted(path.name for path in data.iterdir()), log.read_bytes()
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        try:
            assert holder.stdout.readline() == "held\n"
            held = file.read_bytes(), log.read_bytes()
            names = sorted(path.name for path in data.iterdir())
            report = world.take(file, "user")
            assert (file.read_bytes(), log.read_bytes()) == held
            assert sorted(path.name for path in data.iterdir()) == names
        finally:
            holder.stdin.close()
    assert "running-wal-lock.sqlite-wal" in before[0]
    assert counts(report) == (4, 0, 0, 0, 0)
    assert world.by_key()["user:WWWW2222"].title == "Added today, only in the WAL"


def test_a_folder_with_the_database_and_a_folder_without(maker: Any, world: Any) -> None:
    made = maker("data/zotero.sqlite")
    made.item("AAAA2222", title="In a folder")
    assert world.take(made.file.parent).added == 1
    assert open_source(made.file.parent).location == str(made.file)


def test_an_old_schema_without_the_late_tables(maker: Any, world: Any, counts: Any) -> None:
    made = maker(new=False)
    item = made.item("AAAA2222", title="Old", extra="bibtex: old1999\nDOI: 10.5555/OLD")
    made.collection("Inner", item, parent=made.collection("Outer"))
    assert counts(world.take(made.file)) == (1, 0, 0, 0, 0)
    paper = world.by_key()["user:AAAA2222"]
    assert (paper.citekey, paper.doi) == ("old1999", "10.5555/old")
    assert paper.collections == (("Outer", "Inner"),)
    assert "extra" not in paper.raw_fields


def test_what_lies_in_the_trash_takes_along_what_hangs_on_it(maker: Any, world: Any) -> None:
    made = maker()
    gone, kept = made.item("GONE2222", title="Gone"), made.item("KEPT2222", title="Kept")
    made.note("NOTE2222", "<p>of the gone</p>", gone)
    made.trash(made.note("NOTE3333", "<p>thrown away</p>", kept))
    made.trash(gone)
    above = made.collection("Thrown")
    made.collection("Below", kept, parent=above)
    made.write("INSERT INTO deletedCollections VALUES (?, '')", above)
    report = world.take(made.file)
    assert list(world.by_key()) == ["user:KEPT2222"]
    assert world.by_key()["user:KEPT2222"].notes == ()
    assert world.by_key()["user:KEPT2222"].collections == ()
    assert report.issues == ()


def test_feeds_are_never_read(maker: Any, world: Any) -> None:
    made = maker()
    made.item("FEED2222", title="News", library=FEED)
    assert world.take(made.file).records == 0
    with pytest.raises(UserError, match="has no library group:3"):
        world.take(made.file, "group:3")


def test_related_items_addresses_and_retractions_are_kept(maker: Any, world: Any) -> None:
    made = maker()
    item = made.item("AAAA2222", title="One")
    for place in ("users/local/AbC123/items/BBBB2222", "groups/777/items/CCCC2222"):
        made.write("INSERT INTO itemRelations VALUES (?, 2, ?)", item, f"http://zotero.org/{place}")
    made.write("INSERT INTO itemRelations VALUES (?, 1, 'http://zotero.org/users/1/items/X')", item)
    made.write('INSERT INTO retractedItems VALUES (?, \'{"reasons": ["Mud"]}\', 0)', item)
    made.file_of("LINK2222", None, item, 3, title="Blog", url="https://example.org/post")
    world.take(made.file)
    paper = world.by_key()["user:AAAA2222"]
    assert paper.raw_fields["related"] == "group:777:CCCC2222; user:BBBB2222"
    assert paper.raw_fields["retracted"] == '{"reasons": ["Mud"]}'
    assert paper.raw_fields["links"] == "Blog: https://example.org/post"
    assert paper.files == ()


@pytest.mark.parametrize(
    ("path", "mode", "ends"),
    [
        ("storage:a b.pdf", 0, "storage/FILE2222/a b.pdf"),
        ("storage:../../../etc/passwd", 1, "storage/FILE2222/passwd"),
        ("storage:..", 0, "storage/FILE2222/_"),
        ("/home/me/c.pdf", 2, "/home/me/c.pdf"),
        ("C:\\Users\\me\\d.pdf", 2, "C:\\Users\\me\\d.pdf"),
    ],
)
def test_where_files_lie(maker: Any, world: Any, path: str, mode: int, ends: str) -> None:
    made = maker()
    made.file_of("FILE2222", path, made.item("AAAA2222", title="One"), mode)
    world.take(made.file)
    (link,) = world.by_key()["user:AAAA2222"].files
    assert link.path.endswith(ends)
    if mode < 2:
        assert Path(link.path).is_relative_to(made.file.parent)


def test_a_stored_file_that_is_there(maker: Any, world: Any) -> None:
    made = maker()
    made.file_of("FILE2222", "storage:a.pdf", made.item("AAAA2222", title="One"))
    stored = made.file.parent / "storage" / "FILE2222" / "a.pdf"
    stored.parent.mkdir(parents=True)
    stored.write_bytes(b"%PDF")
    world.take(made.file)
    assert world.by_key()["user:AAAA2222"].files[0].exists is True


def test_importing_again_is_an_update(maker: Any, world: Any, counts: Any) -> None:
    made = maker()
    one, two = made.item("AAAA2222", title="One"), made.item("BBBB2222", title="Two")
    made.item("CCCC2222", title="Of the group", library=GROUP)
    made.tag(one, "mud")
    assert counts(world.take(made.file)) == (3, 0, 0, 0, 0)
    assert counts(world.take(made.file)) == (0, 0, 0, 3, 0)
    world.edit.edit([world.by_key()["user:AAAA2222"].id], {"volume": "7"})
    made.set(one, "title", "One, again")
    made.set(one, "volume", "8")
    made.note("NOTE2222", "<p>Seen</p>", one)
    made.trash(two)
    assert counts(world.take(made.file)) == (0, 1, 0, 1, 0)
    found = world.by_key()
    changed = found["user:AAAA2222"]
    assert (changed.title, changed.volume, changed.notes) == ("One, again", "7", ("Seen",))
    assert found["user:BBBB2222"].missing_in_source
    assert not found["group:777:CCCC2222"].missing_in_source
    made.write("DELETE FROM deletedItems")
    assert counts(world.take(made.file)) == (0, 1, 0, 2, 0)
    assert not world.by_key()["user:BBBB2222"].missing_in_source


def test_what_was_not_asked_for_is_not_missing(maker: Any, world: Any, counts: Any) -> None:
    made = maker()
    one, two = made.item("AAAA2222", title="One"), made.item("BBBB2222", title="Two")
    three = made.item("CCCC2222", title="Three")
    made.item("DDDD2222", title="Of the group", library=GROUP)
    above = made.collection("Above", one)
    made.collection("Below", two, parent=above)
    assert world.take(made.file).added == 4
    key = f"user/COL{above:05}"
    assert counts(world.take(made.file, inside=(key,))) == (0, 0, 0, 2, 0)
    made.trash(two)
    assert counts(world.take(made.file, inside=(key,))) == (0, 0, 0, 1, 0)
    assert {k for k, p in world.by_key().items() if p.missing_in_source} == {"user:BBBB2222"}
    made.trash(three)
    world.take(made.file, "group:777")
    assert {k for k, p in world.by_key().items() if p.missing_in_source} == {"user:BBBB2222"}


def test_one_work_in_two_libraries_becomes_one_paper(maker: Any, world: Any, counts: Any) -> None:
    made = maker()
    made.item("AAAA2222", title="Mud", DOI="10.5555/m")
    made.item("BBBB2222", title="Mud", DOI="10.5555/m", library=GROUP)
    made.item("AAAA2222", title="Another", library=GROUP)
    assert counts(world.take(made.file)) == (2, 0, 1, 0, 0)
    assert counts(world.take(made.file)) == (0, 0, 0, 3, 0)


def test_a_database_that_is_not_zoteros(tmp_path: Path) -> None:
    file = tmp_path / "zotero.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE documents (id INTEGER)")
    with pytest.raises(UserError, match=r"but not Zotero's"):
        open_source(file)
    with pytest.raises(UserError, match="SQLite database"):
        open_source(file.rename(tmp_path / "other.sqlite"))


def test_views_in_place_of_tables_are_not_looked_at(maker: Any) -> None:
    made = maker()
    made.run("DROP TABLE tags; CREATE VIEW tags AS WITH RECURSIVE n(tagID, name) AS"
             " (SELECT 1, '' UNION ALL SELECT tagID + 1, '' FROM n) SELECT * FROM n;")  # fmt: skip
    with pytest.raises(UserError, match="not Zotero's"):
        list(open_source(made.file).read())


def test_zotero_4_and_damaged_files_are_refused_in_a_sentence(maker: Any) -> None:
    old = maker("old/zotero.sqlite", new=False)
    old.run("ALTER TABLE libraries RENAME COLUMN type TO libraryType")
    with pytest.raises(UserError, match="Zotero 4"):
        list(open_source(old.file).read())
    bad = maker("bad/zotero.sqlite")
    content = bad.file.read_bytes()
    bad.file.write_bytes(content[:4096] + b"\xff" * 4096 + content[8192:])
    with pytest.raises(UserError, match=r"damaged|can't be read"):
        list(open_source(bad.file).read())


def test_a_file_that_vanished(maker: Any) -> None:
    made = maker()
    opened = open_source(made.file)
    made.file.unlink()
    with pytest.raises(UserError, match="no file"):
        list(opened.read())


def test_text_that_is_no_utf8_and_numbers_as_values(maker: Any) -> None:
    made = maker()
    item = made.item("AAAA2222", title="One", volume=7)
    made.write("INSERT INTO itemDataValues VALUES (900, CAST(x'4dfc64' AS TEXT))")
    made.write("UPDATE itemData SET valueID = 900 WHERE itemID = ? AND valueID = 1", item)
    (draft,) = [one for one in open_source(made.file).read() if isinstance(one, PaperDraft)]
    assert (draft.title, draft.volume) == ("M\ufffdd", "7")


@pytest.mark.parametrize(
    "options", [ReadOptions(zotero_collections=("COLA",)), ReadOptions(zotero_libraries=("mine",))]
)
def test_a_choice_that_says_nothing(maker: Any, options: ReadOptions) -> None:
    with pytest.raises(UserError, match="names no Zotero"):
        open_source(maker().file, options=options)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "number"), [("test-resources_db_zotero", 4), ("zotero_zotero", 49), ("jurism", 0)]
)
def test_real_databases(
    shared: Path, world: Any, counts: Callable[..., Any], name: str, number: int
) -> None:
    files = [*(shared / "imports/files/zotero-sqlite").glob(f"*/*{name}.sqlite")]
    assert files
    assert sum(counts(world.take(files[0]))) == number
    assert sum(counts(world.take(files[0]))[3:4]) == number


@pytest.mark.parametrize("name", ["zotero.sqlite", "copy.sqlite", "library.db"])
@pytest.mark.parametrize("kept", [100, 5000, 40_000])
def test_a_database_that_was_cut_off_is_told_to_be_damaged(
    tmp_path: Path, name: str, kept: int
) -> None:
    whole = Path(__file__).parents[1] / "data" / "zotero" / "trash-notes-attachments.sqlite"
    path = tmp_path / name
    path.write_bytes(whole.read_bytes()[:kept])
    with pytest.raises(UserError, match=r"damaged") as told:
        [*open_source(path).read()]
    assert str(path) in str(told.value)
    assert "no known kind" not in str(told.value)
