"""Old data is sacred: one stored library per released schema opens, whole, today."""

from __future__ import annotations

import gzip
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from litscape.errors import EnvironmentFault, NewerLibraryError
from litscape.papers import Papers
from litscape.store import papers as store
from litscape.store.backup import papers_in
from litscape.store.database import Database
from litscape.store.functions import add_functions
from litscape.store.integrity import check
from litscape.store.migrations import known_version, prepare, schema_version
from litscape.store.places import FILE, backups
from litscape.store.upgrades import Migration, statements

STORED = sorted((Path(__file__).parents[1] / "data" / "libraries").glob("schema-*.sqlite.gz"))


def unpack(stored: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    with gzip.open(stored) as source, (folder / FILE).open("wb") as target:
        shutil.copyfileobj(source, target)
    return folder


def schema_of(folder: Path) -> set[tuple[str, str, str]]:
    """Type, name and SQL of everything in a library's schema, without comments and line ends."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        rows = connection.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
        ).fetchall()
    return {
        (kind, name, " ".join(re.sub("--.*", "", sql or "").split())) for kind, name, sql in rows
    }


def upgrade(folder: Path, *steps: Migration) -> None:
    prepare(folder / FILE, read_only=False, create=False, busy_seconds=0, migrations=steps)


def add_mood(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE papers ADD COLUMN mood TEXT")


def set_mood(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE papers SET mood = 'calm'")


def fail(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE left_behind(x)")
    raise RuntimeError("on purpose")


def test_every_released_schema_has_a_stored_library() -> None:
    numbers = [int(path.name.removeprefix("schema-").split(".")[0]) for path in STORED]
    assert numbers == list(range(1, schema_version() + 1))


@pytest.mark.parametrize("stored", STORED, ids=lambda path: str(path.name))
def test_a_stored_library_opens_whole(stored: Path, tmp_path: Path) -> None:
    folder = unpack(stored, tmp_path / "old")
    with Database.open(folder) as database:
        assert check(database) == []
        papers = Papers(database)
        first = papers.get("heron2019")
        assert first.title == "Rivers “under” pressure"
        assert [author.display for author in first.authors] == ["Max van Heron Jr.", "Pond Trust"]
        assert first.doi == "10.5555/heron.2019"
        assert first.identifiers == {"openalex": "W1"}
        assert first.keywords == ("water", "flow")
        assert first.tags == ("to read",)
        assert first.collections == (("Water", "Rivers"),)
        assert first.notes == ("A note.",)
        assert first.files[0].path == "storage/AB/heron.pdf"
        assert first.references[0].extra == {"pages": "1-2"}
        assert first.cites == (papers.resolve("egret2011"),)
        assert first.raw_fields == {"langid": "english"}
        assert len(papers) == 2
        assert papers.get("trashed").trashed_at is not None
    with Database.open(tmp_path / "new"):
        pass
    assert schema_of(folder) == schema_of(tmp_path / "new")


def test_schema_2_finds_and_sorts_by_plain_letters(tmp_path: Path) -> None:
    folder = unpack(STORED[0], tmp_path)
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO papers(citekey, title, authors_text, sort_title, sort_authors, added_at,"
            " modified_at) VALUES ('x', 'Straßen in Łódź', '', 'strassen in łodz', '', '', '')"
        )
        connection.execute(
            "INSERT INTO papers_fts(rowid, title, abstract, authors_text, venue, keywords_text)"
            " SELECT id, title, abstract, authors_text, venue, keywords_text FROM papers"
            " WHERE citekey = 'x'"
        )
    with Database.open(folder) as database:
        assert check(database) == []
        with database.read() as conn:
            (found,) = conn.exec_driver_sql(
                "SELECT rowid FROM papers_fts WHERE papers_fts MATCH 'strassen AND lodz'"
            ).scalars()
            sql = "SELECT sort_title FROM papers WHERE id = ?"
            assert conn.exec_driver_sql(sql, (found,)).scalar_one() == "strassen in lodz"


def test_schema_8_takes_the_marks_of_jabref(tmp_path: Path) -> None:
    folder = unpack(STORED[6], tmp_path)
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        add_functions(connection)
        connection.execute(
            "UPDATE papers SET raw_fields = json_set(raw_fields, '$.readstatus', 'Skimmed',"
            " '$.ranking', 'rank4') WHERE citekey = 'egret2011'"
        )
        connection.execute(
            "UPDATE papers SET raw_fields = json_set(raw_fields, '$.ranking', 'good')"
            " WHERE citekey = 'heron2019'"
        )
    with Database.open(folder) as database:
        papers = Papers(database)
        marked, other = papers.get("egret2011"), papers.get("heron2019")
        assert (marked.read_state, marked.rating, marked.read_at) == ("reading", 4, None)
        assert marked.raw_fields["readstatus"] == "Skimmed"
        assert (other.read_state, other.rating) == (None, None)


def test_schema_7_finds_signs_of_scripts_without_blanks(tmp_path: Path) -> None:
    folder = unpack(STORED[5], tmp_path)
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        add_functions(connection)
        connection.execute(
            "INSERT INTO papers(citekey, title, authors_text, sort_title, sort_authors, added_at,"
            " modified_at) VALUES ('x', '图像分割综述', '王明', '图像分割综述', '王明', '', '')"
        )
        connection.execute("INSERT INTO papers_fts(papers_fts) VALUES ('rebuild')")
    with Database.open(folder) as database:
        assert not [problem for problem in check(database) if "text index" in problem]
        with database.read() as conn:
            sql = "SELECT count(*) FROM papers_fts WHERE papers_fts MATCH ?"
            for query in ('"分 割"', "明", "rivers"):
                assert conn.exec_driver_sql(sql, (query,)).scalar_one() == 1, query


def test_an_upgrade_runs_the_missing_steps_after_a_backup(tmp_path: Path) -> None:
    folder = unpack(STORED[0], tmp_path)
    steps = (add_mood, *[set_mood] * (schema_version() - 1))
    upgrade(folder, *steps)
    with closing(sqlite3.connect(folder / FILE)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (schema_version() + 1,)
        assert connection.execute("SELECT DISTINCT mood FROM papers").fetchall() == [("calm",)]
    (kept,) = backups(folder)
    assert kept.name.endswith("-schema-1.sqlite")
    assert papers_in(kept) == 3
    upgrade(folder, *steps)  # nothing left to do
    assert backups(folder) == (kept,)
    with pytest.raises(NewerLibraryError):
        Database.open(folder)


def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path) -> None:
    folder = unpack(STORED[0], tmp_path)
    before = schema_of(folder)
    with pytest.raises(RuntimeError, match="on purpose"):
        upgrade(folder, add_mood, fail)
    assert schema_of(folder) == before
    with closing(sqlite3.connect(folder / FILE)) as connection:
        assert known_version(connection, folder / FILE) == 1
    assert len(backups(folder)) == 1


def test_an_older_library_is_not_upgraded_while_only_read(tmp_path: Path) -> None:
    folder = unpack(STORED[0], tmp_path)
    with pytest.raises(EnvironmentFault, match="older form"):
        prepare(folder / FILE, read_only=True, create=False, busy_seconds=0, migrations=(add_mood,))


def test_the_schema_splits_into_statements_that_hold_whole_triggers() -> None:
    script = (Path(store.__file__).parent / "schema.sql").read_text("utf-8")
    parts = list(statements(script))
    assert "".join(parts).strip() == script.strip()
    triggers = [part for part in parts if "CREATE TRIGGER" in part]
    assert len(triggers) == 3
    assert all(part.rstrip().endswith("END;") for part in triggers)
