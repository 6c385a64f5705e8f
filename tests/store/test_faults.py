"""Each fault of the surroundings ends in one clear sentence, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from typing import TYPE_CHECKING

import pytest

from litscape.errors import EnvironmentFault, NewerLibraryError
from litscape.paper import PaperDraft
from litscape.papers import Papers
from litscape.store.backup import backup
from litscape.store.bulk import NewPaper, insert_papers
from litscape.store.database import Database
from litscape.store.integrity import check
from litscape.store.places import FILE
from litscape.store.settings import put_setting

if TYPE_CHECKING:
    from pathlib import Path

Privileges = Callable[[], AbstractContextManager[None]]
posix = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")


def fill(folder: Path, papers: int = 300) -> None:
    drafts = [
        NewPaper(n, f"k{n}", PaperDraft(title=f"Title {n}", abstract=f"word{n} " * 200))
        for n in range(1, papers + 1)
    ]
    with Database.open(folder) as database, database.write() as conn:
        insert_papers(conn, drafts)


def one_sentence(error: BaseException) -> str:
    text = str(error)
    assert text.endswith(".")
    assert "\n" not in text
    assert "Traceback" not in text
    return text


@pytest.mark.parametrize(
    "content",
    [b"@article{a, title={b}}\n" * 20, b"\x00" * 5000, b"SQLite format 3\x00", os.urandom(9000)],
    ids=["text", "zeros", "head only", "noise"],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes, read_only: bool) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(EnvironmentFault, match="is damaged or is no Litscape library") as caught:
        Database.open(tmp_path, read_only=read_only)
    assert str(tmp_path / FILE) in one_sentence(caught.value)
    assert (tmp_path / FILE).read_bytes() == content


def test_the_database_of_another_program(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as other:
        other.execute("CREATE TABLE items(x)")
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(EnvironmentFault, match="is no Litscape library") as caught:
        Database.open(tmp_path)
    one_sentence(caught.value)
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_library_that_was_cut_off(tmp_path: Path, share: float) -> None:
    fill(tmp_path)
    size = (tmp_path / FILE).stat().st_size
    os.truncate(tmp_path / FILE, int(size * share))
    with pytest.raises(EnvironmentFault, match="is cut off; restore it from a backup") as caught:
        Database.open(tmp_path)
    one_sentence(caught.value)


def test_the_newest_backup_is_named(tmp_path: Path) -> None:
    fill(tmp_path)
    with Database.open(tmp_path) as database:
        older = backup(database)
        os.utime(older, (1, 1))
        newest = backup(database)
    os.truncate(tmp_path / FILE, 5000)
    with pytest.raises(EnvironmentFault) as caught:
        Database.open(tmp_path)
    assert f"restore the backup {newest}." in one_sentence(caught.value)


def test_an_emptied_library_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    fill(tmp_path)
    with Database.open(tmp_path) as database:
        backup(database)
    os.truncate(tmp_path / FILE, 0)
    with pytest.raises(EnvironmentFault, match="is empty; restore the backup"):
        Database.open(tmp_path)


def test_an_empty_file_in_a_fresh_folder_becomes_a_library(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()  # what a crash in the first moment leaves
    with pytest.raises(EnvironmentFault, match="is empty"):
        Database.open(tmp_path, read_only=True)
    with Database.open(tmp_path) as database:
        assert check(database) == []


def test_damage_found_while_reading(tmp_path: Path) -> None:
    fill(tmp_path)
    file = tmp_path / FILE
    data = bytearray(file.read_bytes())
    data[4096 * 3 :] = os.urandom(len(data) - 4096 * 3)
    file.write_bytes(data)

    def use() -> None:
        with Database.open(tmp_path) as database:
            list(Papers(database))

    with pytest.raises(EnvironmentFault, match="is damaged") as caught:
        use()
    one_sentence(caught.value)


def test_a_library_of_a_later_release(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute("PRAGMA user_version = 99")
    for read_only in (False, True):
        with pytest.raises(NewerLibraryError, match="later release of Litscape") as caught:
            Database.open(tmp_path, read_only=read_only)
        one_sentence(caught.value)


def test_a_library_opened_for_reading_refuses_to_write(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    with Database.open(tmp_path, read_only=True) as database:
        assert len(Papers(database)) == 5
        assert database.data_version() > 0
        with (
            pytest.raises(EnvironmentFault, match="open for reading only") as caught,
            database.write(),
        ):
            pass
        one_sentence(caught.value)
        assert check(database) == []


@posix
@pytest.mark.parametrize("what", ["folder", "file", "both"])
def test_without_permission_to_write(
    open_place: Path, without_privileges: Privileges, what: str
) -> None:
    folder = open_place / "library"
    fill(folder, 5)
    folder.chmod(0o777 if what == "file" else 0o555)
    (folder / FILE).chmod(0o666 if what == "folder" else 0o444)
    before = (folder / FILE).read_bytes()
    with without_privileges():
        with pytest.raises(EnvironmentFault, match="open it for reading only") as caught:
            Database.open(folder)
        one_sentence(caught.value)
        with Database.open(folder, read_only=True) as database:
            papers = Papers(database)
            assert [paper.citekey for paper in papers] == ["k1", "k2", "k3", "k4", "k5"]
            assert check(database) == []
    assert (folder / FILE).read_bytes() == before


@posix
def test_a_log_left_in_a_folder_that_cannot_be_written(
    open_place: Path, without_privileges: Privileges
) -> None:
    folder = open_place / "library"
    fill(open_place / "made", 5)
    folder.mkdir()
    with Database.open(open_place / "made") as database:
        with database.write() as conn:
            put_setting(conn, "x", 1)
        for path in (open_place / "made").iterdir():
            if not path.name.endswith("-shm"):
                shutil.copyfile(path, folder / path.name)
    folder.chmod(0o555)
    with (
        without_privileges(),
        pytest.raises(EnvironmentFault, match="was not closed properly") as caught,
    ):
        Database.open(folder, read_only=True)
    one_sentence(caught.value)


@posix
def test_a_folder_that_may_not_be_looked_into(
    open_place: Path, without_privileges: Privileges
) -> None:
    folder = open_place / "library"
    fill(folder, 1)
    folder.chmod(0o000)
    with without_privileges():
        for read_only in (False, True):
            with pytest.raises(EnvironmentFault, match="permission") as caught:
                Database.open(folder, read_only=read_only)
            one_sentence(caught.value)


@posix
def test_no_permission_to_make_a_library(open_place: Path, without_privileges: Privileges) -> None:
    open_place.chmod(0o555)
    with without_privileges(), pytest.raises(EnvironmentFault, match="permissions") as caught:
        Database.open(open_place / "library")
    one_sentence(caught.value)


def test_a_limit_of_the_file_reached(tmp_path: Path) -> None:
    fill(tmp_path, 50)

    def write_too_much() -> None:
        with database.write() as conn:
            pages = conn.exec_driver_sql("PRAGMA page_count").scalar_one()
            conn.exec_driver_sql(f"PRAGMA max_page_count = {pages + 20}")
            insert_papers(
                conn,
                [NewPaper(n, f"n{n}", PaperDraft(abstract="x" * 9000)) for n in range(100, 200)],
            )

    with Database.open(tmp_path) as database:
        with pytest.raises(EnvironmentFault, match="The disk is full: the library") as caught:
            write_too_much()
        one_sentence(caught.value)
        assert len(Papers(database)) == 50
        assert check(database) == []
        with database.write() as conn:
            put_setting(conn, "x", "still works")


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    disk = tmp_path / "disk"
    disk.mkdir()
    try:
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)], capture_output=True
        )
    except OSError:
        pytest.skip("no mount command")
    if made.returncode:
        pytest.skip("no right to mount a small disk")
    return disk


def test_a_full_disk(small_disk: Path) -> None:
    try:
        fill(small_disk, 50)
        with Database.open(small_disk) as database:
            with pytest.raises(EnvironmentFault, match="disk") as caught, database.write() as conn:
                insert_papers(
                    conn,
                    [
                        NewPaper(n, f"n{n}", PaperDraft(abstract=f"x{n} " * 3000))
                        for n in range(100, 900)
                    ],
                )
            one_sentence(caught.value)
            assert len(Papers(database)) == 50
            filler = small_disk / "filler"
            with pytest.raises(OSError, match="No space"):
                filler.write_bytes(b"x" * 4_000_000)
            with pytest.raises(EnvironmentFault, match="backup") as caught:
                backup(database)
            one_sentence(caught.value)
            assert not list(small_disk.glob("backups/*.new"))
        with Database.open(small_disk, read_only=True) as database:
            assert check(database) == []
    finally:
        subprocess.run(["umount", str(small_disk)], check=True)
