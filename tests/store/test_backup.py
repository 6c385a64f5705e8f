from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from litscape.errors import EnvironmentFault, LibraryBusyError, NewerLibraryError, UserError
from litscape.paper import PaperDraft
from litscape.papers import Papers
from litscape.store.backup import backup, papers_in, restore_backup
from litscape.store.bulk import delete_papers
from litscape.store.database import Database
from litscape.store.integrity import check
from litscape.store.places import FILE, backups

if TYPE_CHECKING:
    from pathlib import Path

AddPapers = Callable[..., list[int]]
SOME = [PaperDraft(title=f"Title {n}") for n in range(5)]


def citekeys(folder: Path) -> list[str]:
    with Database.open(folder, create=False) as database:
        assert check(database) == []
        return [paper.citekey for paper in Papers(database)]


def put_vector(database: Database, paper: int, row: int, fingerprint: bytes) -> None:
    with database.write() as conn:
        conn.exec_driver_sql(
            "INSERT OR IGNORE INTO models(id, version, name, dim, location, card, added_at)"
            " VALUES (1, 'minilm-1', 'MiniLM', 384, '', '{}', '')"
        )
        conn.exec_driver_sql(
            "INSERT OR REPLACE INTO vector_rows(model_id, paper_id, row, fingerprint, backend)"
            " VALUES (1, ?, ?, ?, 'torch')",
            (paper, row, fingerprint),
        )


def vector_papers(folder: Path) -> list[int]:
    with Database.open(folder) as database, database.read() as conn:
        return list(
            conn.exec_driver_sql("SELECT paper_id FROM vector_rows ORDER BY paper_id").scalars()
        )


def test_a_dated_backup_while_somebody_writes(database: Database, add: AddPapers) -> None:
    add(database, *SOME)
    with database.write() as conn:
        delete_papers(conn, [1])
        file = backup(database)
    assert file.parent == database.folder / "backups"
    assert file.name.startswith("20")
    assert papers_in(file) == 5  # what was not committed is not in it
    assert backups(database.folder) == (file,)
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name]
    assert backup(database) != file


def test_a_backup_into_a_folder_or_a_file(
    database: Database, add: AddPapers, tmp_path: Path
) -> None:
    add(database, *SOME)
    (tmp_path / "stick").mkdir()
    dated = backup(database, tmp_path / "stick")
    assert dated.parent == tmp_path / "stick"
    assert dated.stem.endswith("-library")
    named = backup(database, tmp_path / "new folder" / "mine.sqlite")
    assert papers_in(dated) == papers_in(named) == 5
    assert backup(database, database.folder).parent == database.folder / "backups"


def test_a_fuller_backup_is_replaced_only_when_told_so(
    database: Database, add: AddPapers, tmp_path: Path
) -> None:
    target = tmp_path / "mine.sqlite"
    add(database, *SOME)
    backup(database, target)
    add(database, PaperDraft())
    backup(database, target)  # fuller than before: fine
    assert papers_in(target) == 6
    with database.write() as conn:
        delete_papers(conn, [1, 2])
    with pytest.raises(UserError, match="holds 6 papers, the library only 4"):
        backup(database, target)
    assert papers_in(target) == 6
    backup(database, target, replace=True)
    assert papers_in(target) == 4


@pytest.mark.parametrize("replace", [False, True])
def test_a_backup_never_replaces_something_else(
    database: Database, tmp_path: Path, replace: bool
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all, " * 50)
    with pytest.raises(UserError, match="is no backup of a library"):
        backup(database, letter, replace=replace)
    with pytest.raises(UserError, match="is the library itself"):
        backup(database, database.file, replace=replace)
    assert letter.read_text().startswith("Dear all")


def test_a_backup_where_nothing_can_be_written(database: Database, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EnvironmentFault, match=r"The backup .* can't be written"):
        backup(database, tmp_path / "file" / "below" / "x.sqlite")


def test_restoring_keeps_what_it_replaces(tmp_path: Path, add: AddPapers) -> None:
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        add(database, *SOME)
        file = backup(database)
        add(database, PaperDraft(citekey="later"))
    kept = restore_backup(folder, file)
    assert citekeys(folder) == ["p1", "p2", "p3", "p4", "p5"]
    assert kept is not None
    assert kept.parent == folder / "backups" / "replaced"
    assert papers_in(kept) == 6
    assert backups(folder) == (file,)
    assert sorted(path.name for path in folder.iterdir()) == ["backups", FILE]
    restore_backup(folder, kept)  # and back again
    assert len(citekeys(folder)) == 6


def test_restoring_into_an_empty_place(tmp_path: Path, add: AddPapers) -> None:
    with Database.open(tmp_path / "one") as database:
        add(database, *SOME)
        put_vector(database, 1, 0, b"x")
        file = backup(database)
    assert restore_backup(tmp_path / "two", file) is None
    assert len(citekeys(tmp_path / "two")) == 5
    assert vector_papers(tmp_path / "two") == []


def test_vectors_made_since_the_backup_are_forgotten(tmp_path: Path, add: AddPapers) -> None:
    with Database.open(tmp_path) as database:
        add(database, *SOME)
        for paper in (1, 2, 3, 4):
            put_vector(database, paper, paper, b"old")
        file = backup(database)
        put_vector(database, 2, 2, b"new")  # edited and embedded again, same row
        with database.write() as conn:
            conn.exec_driver_sql("DELETE FROM vector_rows WHERE paper_id = 3")
        put_vector(database, 5, 3, b"row used again")
        put_vector(database, 4, 9, b"old")  # moved
    restore_backup(tmp_path, file)
    assert vector_papers(tmp_path) == [1]


def test_restoring_over_a_damaged_library(tmp_path: Path, add: AddPapers) -> None:
    with Database.open(tmp_path) as database:
        add(database, *SOME)
        put_vector(database, 1, 0, b"x")
        file = backup(database)
        with database.write() as conn:  # leave a log behind, as a crash does
            conn.exec_driver_sql("UPDATE papers SET title = 'late'")
        shutil.copyfile(tmp_path / (FILE + "-wal"), tmp_path / "wal")
    (tmp_path / FILE).write_bytes(b"broken" * 1000)
    (tmp_path / "wal").rename(tmp_path / (FILE + "-wal"))
    kept = restore_backup(tmp_path, file)
    assert kept is not None
    assert kept.read_bytes() == b"broken" * 1000
    assert kept.with_name(kept.name + "-wal").exists()
    assert len(citekeys(tmp_path)) == 5
    assert vector_papers(tmp_path) == []
    with Database.open(tmp_path) as database:
        assert Papers(database).get(1).title == "Title 0"


def test_a_library_in_use_is_not_replaced(database: Database, add: AddPapers) -> None:
    add(database, *SOME)
    file = backup(database)
    add(database, PaperDraft())
    with pytest.raises(LibraryBusyError, match="close it everywhere"):
        restore_backup(database.folder, file)
    assert len(Papers(database)) == 6
    add(database, PaperDraft())
    assert check(database) == []


def test_what_is_no_good_backup_is_refused(tmp_path: Path, add: AddPapers) -> None:
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        add(database, *SOME)
        good = backup(database)
    cut, text, empty, newer, foreign = (
        tmp_path / name for name in ("cut", "text", "empty", "newer", "foreign")
    )
    shutil.copyfile(good, cut)
    os.truncate(cut, good.stat().st_size // 2)
    text.write_text("Dear all, " * 50)
    empty.touch()
    shutil.copyfile(good, newer)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE x(y)")
    for file in (cut, text, empty, foreign, tmp_path / "missing"):
        with pytest.raises(EnvironmentFault) as caught:
            restore_backup(folder, file)
        assert str(file) in str(caught.value)
    with pytest.raises(NewerLibraryError):
        restore_backup(folder, newer)
    with pytest.raises(UserError, match="is the library itself"):
        restore_backup(folder, folder / FILE)
    assert len(citekeys(folder)) == 5
    assert not list(folder.glob("*.part*"))


def test_a_damaged_backup_is_refused(tmp_path: Path, add: AddPapers) -> None:
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        add(database, *(PaperDraft(abstract="x" * 3000) for _ in range(50)))
        file = backup(database)
    data = bytearray(file.read_bytes())
    data[4096 * 20 : 4096 * 60] = os.urandom(4096 * 40)
    file.write_bytes(data)
    with pytest.raises(EnvironmentFault, match="damaged"):
        restore_backup(folder, file)
    assert len(citekeys(folder)) == 50


def test_a_backup_that_is_refused_makes_no_folder(tmp_path: Path) -> None:
    (tmp_path / "empty.sqlite").touch()
    (tmp_path / "text.sqlite").write_text("no backup", encoding="utf-8")
    for name in ("missing.sqlite", "empty.sqlite", "text.sqlite"):
        with pytest.raises(EnvironmentFault, match=name):
            restore_backup(tmp_path / "deep" / "er", tmp_path / name)
    with pytest.raises(UserError, match="is a file; a library is a folder"):
        restore_backup(tmp_path / "text.sqlite", tmp_path / "missing.sqlite")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["empty.sqlite", "text.sqlite"]


_WRITER = """
import sys
from pathlib import Path
from litscape.edits import Editor
from litscape.errors import LitscapeError
from litscape.paper import PaperDraft
from litscape.store.database import Database

n = 0
while True:
    try:
        with Database.open(Path(sys.argv[1]), create=False) as database:
            Editor(database).add(PaperDraft(citekey=f"w{n}", title="Written meanwhile"))
    except LitscapeError:
        continue
    print(f"w{n}", flush=True)
    n += 1
"""


def test_nothing_that_another_program_writes_meanwhile_is_lost(
    tmp_path: Path, add: AddPapers
) -> None:
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        add(database, *SOME)
        file = backup(database)
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(folder)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        written = [writer.stdout.readline().strip() for _ in range(3)]
        kept = None
        for _ in range(1000):
            try:
                kept = restore_backup(folder, file)
                break
            except LibraryBusyError:
                continue
        written += [writer.stdout.readline().strip() for _ in range(3)]
        writer.kill()
        written += writer.stdout.read().split()
    assert kept is not None
    with closing(sqlite3.connect(kept)) as connection:
        before = {key for (key,) in connection.execute("SELECT citekey FROM papers")}
    assert set(written) <= before | set(citekeys(folder))
