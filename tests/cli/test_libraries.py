"""Which library a command means, and care for one."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"


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


def test_looking_at_a_library_does_not_make_it_the_default(
    cli: Cli, filled: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(filled, other)
    for command in (
        ("list",),
        ("show", "1"),
        ("search", "telephony", "--mode", "lexical"),
        ("info",),
        ("export", "--format", "jsonl", "-"),
        ("history",),
        ("reports",),
        ("citations",),
        ("library", "check"),
        ("backup",),
    ):
        assert cli("--library", other, *command).code == 0
        assert cli("info", "--json").json["folder"] == str(filled), command
    assert cli("--library", other, "edit", "1", "--set", "year=1999").code == 0
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
    sound = {"sound": True, "problems": [], "mended": [], "backup": None}
    assert cli("library", "check", "--json").json == sound
    assert cli("library", "check", "--repair", "--json").json == sound


def test_an_unsound_library_is_told_and_mended(cli: Cli, filled: Path) -> None:
    with closing(sqlite3.connect(filled / "library.sqlite")) as other, other:
        other.execute("INSERT INTO papers_fts(papers_fts) VALUES ('delete-all')")
        other.execute("INSERT INTO keywords VALUES (77, 0, 'lost')")
    checked = cli("library", "check", "--json")
    assert checked.code == 3
    assert checked.err == ""
    found = json.loads(checked.out)
    assert (found["sound"], len(found["problems"])) == (False, 2)
    assert "--repair" in cli("library", "check").out
    mended = cli("library", "check", "--repair", "--json").json
    assert (mended["sound"], mended["problems"], len(mended["mended"])) == (True, [], 2)
    assert Path(mended["backup"]).is_file()
    assert cli("library", "check").code == 0
    found = cli("search", "telephony", "--mode", "lexical", "--json").json
    assert [one["id"] for one in found] == [1]


def test_damaged_vectors_are_told_and_made_anew(
    cli: Cli, filled: Path, tiny_prepared: None, one_engine: None
) -> None:
    assert cli("models", "add-folder", TINY, "--json").code == 0
    version = cli("models", "--json").json[-1]["version"]
    assert cli("embed", "--model", version, "--json").json["embedded"] == 2
    file = filled / "vectors" / version / "vectors.npy"
    file.write_bytes(file.read_bytes()[:-1] + b"\x7f")
    (problem,) = json.loads(cli("library", "check", "--json").out)["problems"]
    assert problem.startswith(f"1 vector of the model {version}")
    assert cli("info", "--json").json["pending"] == 1
    mended = cli("library", "check", "--repair", "--json").json
    assert (mended["sound"], len(mended["mended"])) == (True, 1)
    assert cli("embed", "--json").json["embedded"] == 1
    assert cli("library", "check").code == 0
    assert cli("info", "--json").json["embedded"] == 2


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


def test_a_damaged_file_is_told_by_the_check(cli: Cli, filled: Path) -> None:
    file = filled / "library.sqlite"
    whole = file.read_bytes()
    file.write_bytes(whole[:2000] + bytes(range(256)) * ((len(whole) - 2000) // 256))
    for more in ((), ("--repair",)):
        told = cli("library", "check", *more, "--json")
        assert told.code == 3
        record = json.loads(told.out)
        assert record["sound"] is False
        assert "backup" in record["problems"][0]
