from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from litscape.errors import LibraryBusyError, UserError
from litscape.store.database import Database
from litscape.store.places import FILE
from litscape.store.settings import get_setting, put_setting

if TYPE_CHECKING:
    from pathlib import Path

HOLD_THE_WRITE_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
connection.execute("INSERT INTO settings VALUES ('theirs', '1')")
print("held", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
connection.close()
"""

OPEN_WRITE_AND_CLOSE = """
import sys
from pathlib import Path
from litscape.store.database import Database
from litscape.store.settings import get_setting, put_setting
with Database.open(Path(sys.argv[1])) as database, database.write() as conn:
    put_setting(conn, "theirs", get_setting(conn, "ours"))
"""


def test_a_new_library_is_one_file_once_closed(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "new library"
    with Database.open(folder) as database, database.write() as conn:
        put_setting(conn, "x", 1)
    assert [path.name for path in folder.iterdir()] == [FILE]


def test_journal_and_keys_are_as_promised(database: Database) -> None:
    with database.write() as conn:
        assert conn.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert conn.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        assert conn.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        with pytest.raises(sa.exc.IntegrityError):
            conn.exec_driver_sql("INSERT INTO authors(paper_id, position) VALUES (99, 0)")


def test_committed_values_are_there_after_reopening(tmp_path: Path) -> None:
    with Database.open(tmp_path) as database, database.write() as conn:
        put_setting(conn, "name", {"a": ["ü"]})
    with Database.open(tmp_path, create=False) as database, database.read() as conn:
        assert get_setting(conn, "name") == {"a": ["ü"]}
        assert get_setting(conn, "other", 7) == 7


def test_a_failed_write_leaves_nothing_not_even_a_table(database: Database) -> None:
    def fail() -> None:
        with database.write() as conn:
            conn.exec_driver_sql("CREATE TABLE left_behind(x)")
            put_setting(conn, "x", 1)
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        fail()
    with database.read() as conn:
        assert get_setting(conn, "x") is None
        assert (
            conn.exec_driver_sql(
                "SELECT count(*) FROM sqlite_master WHERE name = 'left_behind'"
            ).scalar()
            == 0
        )
    with database.write() as conn:
        put_setting(conn, "x", 2)


def test_a_setting_put_to_none_is_gone(database: Database) -> None:
    with database.write() as conn:
        put_setting(conn, "x", 1)
        put_setting(conn, "x", 2)
        assert get_setting(conn, "x") == 2
        put_setting(conn, "x", None)
        assert get_setting(conn, "x", "none") == "none"


def test_reading_sees_one_state(database: Database) -> None:
    with database.read() as before:
        assert get_setting(before, "x") is None
        with database.write() as conn:
            put_setting(conn, "x", 1)
        assert get_setting(before, "x") is None
    with database.read() as after:
        assert get_setting(after, "x") == 1


def test_writing_through_a_reading_connection_is_refused(database: Database) -> None:
    with pytest.raises(Exception, match="can't be written"), database.read() as conn:
        put_setting(conn, "x", 1)


def test_many_threads_read_and_write_at_once(database: Database) -> None:
    def act(number: int) -> int:
        with database.write() as conn:
            seen = get_setting(conn, "count", 0)
            put_setting(conn, "count", seen + 1)
        with database.read() as conn:
            return int(get_setting(conn, "count"))

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(act, range(60)))
    with database.read() as conn:
        assert get_setting(conn, "count") == 60


def test_more_readers_than_the_pool_keeps(database: Database) -> None:
    gate = threading.Barrier(10)

    def act(_number: int) -> int:
        with database.read() as conn:
            gate.wait(timeout=30)
            return int(conn.exec_driver_sql("SELECT count(*) FROM papers").scalar_one())

    with ThreadPoolExecutor(10) as pool:
        assert list(pool.map(act, range(10))) == [0] * 10


def test_data_version_moves_with_commits_of_anybody(database: Database) -> None:
    first = database.data_version()
    assert database.data_version() == first
    with database.write() as conn:
        put_setting(conn, "x", 1)
    second = database.data_version()
    assert second != first
    with Database.open(database.folder) as other, other.write() as conn:
        put_setting(conn, "x", 2)
    assert database.data_version() != second


def test_write_inside_write_is_a_bug_not_a_deadlock(database: Database) -> None:
    with (
        database.write(),
        pytest.raises(RuntimeError, match=r"inside write\(\)"),
        database.write(),
    ):
        pass


def test_another_program_writing_is_waited_for_then_named(tmp_path: Path) -> None:
    with Database.open(tmp_path, busy_seconds=0.2) as database:
        with subprocess.Popen(
            [sys.executable, "-c", HOLD_THE_WRITE_LOCK, str(tmp_path / FILE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            with database.read() as conn:  # readers never wait
                assert get_setting(conn, "theirs") is None
            with (
                pytest.raises(LibraryBusyError, match="Another program is writing"),
                database.write() as conn,
            ):
                put_setting(conn, "ours", 1)
            other.communicate("go\n")
        with database.write() as conn:
            assert get_setting(conn, "theirs") == 1
            put_setting(conn, "ours", 1)


def test_another_program_that_closes_never_takes_itself_for_the_last(tmp_path: Path) -> None:
    """It would fold the log back and delete it, and what is written here then be lost."""
    with Database.open(tmp_path) as database:
        with database.read():
            Database.open(tmp_path).close()  # opening again must not end the locks of the first
        for value in (1, 2, 3):
            with database.write() as conn:
                put_setting(conn, "ours", value)
            command = [sys.executable, "-c", OPEN_WRITE_AND_CLOSE, str(tmp_path)]
            subprocess.run(command, check=True)
            with database.read() as conn:
                assert get_setting(conn, "theirs") == value


def test_opening_while_another_program_writes(tmp_path: Path) -> None:
    with (
        Database.open(tmp_path) as first,
        first.write(),
        Database.open(tmp_path, busy_seconds=0.1) as second,
        second.read() as conn,
    ):
        assert get_setting(conn, "x") is None


def test_closing_while_a_thread_reads(tmp_path: Path) -> None:
    database = Database.open(tmp_path)
    with database.read() as conn:
        conn.exec_driver_sql("SELECT count(*) FROM papers")
        database.close()
        assert conn.exec_driver_sql("SELECT count(*) FROM papers").scalar() == 0
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    with pytest.raises(UserError, match="has been closed"), database.read():
        pass
    with pytest.raises(UserError, match="has been closed"), database.write():
        pass
    database.close()


def test_opening_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no library in"):
        Database.open(tmp_path / "none", create=False)
    with pytest.raises(UserError, match="There is no library in"):
        Database.open(tmp_path / "none", read_only=True)
    assert not (tmp_path / "none").exists()


def test_opening_a_file_as_a_library(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@article{a}")
    with pytest.raises(UserError, match="is a file; a library is a folder"):
        Database.open(tmp_path / "refs.bib")


def test_folder_names_that_an_address_would_misread(tmp_path: Path) -> None:
    folder = tmp_path / "50% of ?x=1#é"
    with Database.open(folder) as database, database.write() as conn:
        put_setting(conn, "x", 1)
    assert (folder / FILE).exists()
    with Database.open(folder, read_only=True) as database, database.read() as conn:
        assert get_setting(conn, "x") == 1


def test_a_library_moves_with_its_folder(tmp_path: Path) -> None:
    with Database.open(tmp_path / "here") as database, database.write() as conn:
        put_setting(conn, "x", 1)
    (tmp_path / "here").rename(tmp_path / "there")
    with Database.open(tmp_path / "there") as database, database.read() as conn:
        assert get_setting(conn, "x") == 1
    assert str(tmp_path).encode() not in (tmp_path / "there" / FILE).read_bytes()


def test_two_programs_make_one_library_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(lambda _n: Database.open(tmp_path / "one"), range(6)))
    try:
        with opened[0].write() as conn:
            put_setting(conn, "x", 1)
        for database in opened:
            with database.read() as conn:
                assert get_setting(conn, "x") == 1
    finally:
        for database in opened:
            database.close()
