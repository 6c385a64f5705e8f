"""A new library that was never used can be taken away; any other stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from litscape.errors import EnvironmentFault
from litscape.paper import PaperDraft
from litscape.store.database import Database
from litscape.store.leases import Lease
from litscape.store.places import FILE
from litscape.store.settings import get_setting, put_setting
from litscape.store.unused import remove_unused

if TYPE_CHECKING:
    from pathlib import Path

AddPapers = Callable[..., list[int]]


def test_a_library_is_made_by_one_alone(tmp_path: Path) -> None:
    with Database.open(tmp_path) as first, Database.open(tmp_path) as second:
        assert (first.made, second.made) == (True, False)
    with Database.open(tmp_path) as later:
        assert not later.made


def test_an_unused_library_goes_with_all_its_files(tmp_path: Path) -> None:
    with Database.open(tmp_path) as database, database.write() as conn:
        put_setting(conn, "x", 1)
    assert remove_unused(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert not remove_unused(tmp_path)


def test_papers_keep_a_library(tmp_path: Path, add: AddPapers) -> None:
    with Database.open(tmp_path) as database:
        add(database, PaperDraft(title="A"))
    assert not remove_unused(tmp_path)
    with Database.open(tmp_path, create=False) as database, database.write() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM papers").scalar() == 1
        assert conn.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_a_tag_alone_keeps_a_library(tmp_path: Path) -> None:
    with Database.open(tmp_path) as database, database.write() as conn:
        conn.exec_driver_sql("INSERT INTO tags(name) VALUES ('to read')")
    assert not remove_unused(tmp_path)


def test_whoever_has_it_open_keeps_a_library(tmp_path: Path) -> None:
    with Database.open(tmp_path) as database:
        with database.read() as conn:
            conn.exec_driver_sql("SELECT count(*) FROM papers")
        assert not remove_unused(tmp_path)
        with database.write() as conn:
            put_setting(conn, "x", 1)
    with Database.open(tmp_path, create=False) as database, database.read() as conn:
        assert get_setting(conn, "x") == 1


def test_a_lease_left_behind_keeps_a_library(tmp_path: Path) -> None:
    with Database.open(tmp_path) as database:
        with Lease(database, "import"), database.read() as conn:
            row = conn.exec_driver_sql("SELECT * FROM leases").one()
        with database.write() as conn:
            conn.exec_driver_sql("INSERT INTO leases VALUES (?, ?, ?, ?)", tuple(row))
    assert not remove_unused(tmp_path)


def test_a_library_that_vanishes_is_not_made_anew_without_its_tables(tmp_path: Path) -> None:
    with Database.open(tmp_path) as database:
        assert remove_unused(tmp_path)  # it has no connection yet
        with pytest.raises(EnvironmentFault, match="can't be opened"), database.read():
            pass
    assert not (tmp_path / FILE).exists()
