"""Which library a command means, and care for one."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli


def test_the_library_opened_last_is_the_default(cli: Cli, filled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert cli("info", "--json").json["folder"] == str(filled)
    assert cli("library", "new", other, "--json").json == {"path": str(other), "papers": 0}
    assert cli("info", "--json").json["folder"] == str(other)
    assert cli("library", "open", filled, "--json").json["papers"] == 2
    assert [one["path"] for one in cli("library", "--json").json] == [str(filled), str(other)]
    shutil.rmtree(filled)
    cli("info").refused(str(filled), "no longer there")
    assert [one["exists"] for one in cli("library", "list", "--json").json] == [False, True]
    cli("library", "forget", filled)
    assert cli("info", "--json").json["folder"] == str(other)


def test_library_mistakes(cli: Cli, filled: Path, tmp_path: Path) -> None:
    cli("library", "new", filled).refused("already")
    cli("library", "open", tmp_path / "none").refused("no library")
    assert not (tmp_path / "none").exists()
    cli("library", "forget", tmp_path / "none").refused()
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").write_bytes(b"x")
    for arguments in (("import", tmp_path / "x.bib"), ("list",), ("export", "--format=csv", "-")):
        cli("--library", tmp_path / "photos", *arguments).refused("holds other files")
    cli("--library", tmp_path / "photos" / "a.jpg", "list").refused("is a file")
    cli("--library", tmp_path / "none", "info").refused("no library at")
    assert [one.name for one in (tmp_path / "photos").iterdir()] == ["a.jpg"]


def test_the_example_library(cli: Cli, tmp_path: Path) -> None:
    first = cli("library", "example", "--json").json
    assert first["papers"] == 480
    assert cli("library", "example", "--json").json == first
    info = cli("info", "--json").json
    assert (info["papers"], info["with_abstracts"], info["citations"]) == (480, 480, 4331)


def test_backup_and_restore(cli: Cli, filled: Path, tmp_path: Path) -> None:
    backup = cli("backup", "--json").json["file"]
    assert cli("library", "backup", tmp_path / "copy.sqlite", "--json").json["file"] == str(
        tmp_path / "copy.sqlite"
    )
    cli("delete", "1", "2", "--forever")
    assert cli("list", "--json").json == []
    restored = cli("library", "restore", backup, "--json").json
    assert restored["path"] == str(filled)
    assert len(cli("list", "--json").json) == 2
    cli("library", "restore", tmp_path / "none.sqlite").refused("none.sqlite")


def test_check(cli: Cli, filled: Path) -> None:
    assert cli("library", "check", "--json").json == {"sound": True, "problems": []}


def test_info_counts(cli: Cli, filled: Path) -> None:
    cli("delete", "bell1876")
    info = cli("info", "--json").json
    assert (info["papers"], info["with_abstracts"], info["trashed"], info["embedded"]) == (
        1,
        1,
        1,
        0,
    )
    assert info["last_import"] is not None
    assert "papers" in cli("info").out
