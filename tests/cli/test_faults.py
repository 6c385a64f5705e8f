"""Bad input on the command line: one clear sentence, status 2, nothing lost."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

POWERS = "-dac_override,-dac_read_search"
"""Without these not even root may read and write everything."""
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00" + bytes(range(256)) * 8
HTML = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>@article{a,</body></html>"


@pytest.fixture
def bound() -> list[str]:
    """What to put before a program's name so that file permissions count for it."""
    if os.name != "posix":
        pytest.skip("permissions work otherwise here")
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        pytest.skip("root may read and write everything")
    return ["setpriv", "--bounding-set", POWERS, "--inh-caps", POWERS]


def held(cli: Cli) -> int:
    return len(cli("list", "--json").json)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("picture.bib", PNG),
        ("zeros.ris", bytes(5000)),
        ("page.bib", HTML.encode()),
        ("words.txt", b"Dear reader,\n\nthis is a letter and no library.\n"),
    ],
)
def test_no_known_kind(cli: Cli, filled: Path, tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    cli("import", path, "--json").refused(name)
    assert held(cli) == 2
    assert path.read_bytes() == content


def test_sources_that_are_not_there(cli: Cli, filled: Path, tmp_path: Path) -> None:
    cli("import", tmp_path / "none.bib").refused("none.bib")
    cli("import", "zotero:http://127.0.0.1:1").refused("Allow other applications")
    assert held(cli) == 2


def test_one_bad_source_among_good_ones(cli: Cli, bib: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    cli("--library", library, "import", bib, tmp_path / "none.bib", "--json").refused("none.bib")
    assert cli("--library", library, "export", "--format", "jsonl", "-").out == ""


def test_a_failed_first_import_leaves_no_default_library_behind(cli: Cli, tmp_path: Path) -> None:
    cli("--library", tmp_path / "new", "import", tmp_path / "none.bib").refused("none.bib")
    assert cli("--library", tmp_path / "new", "export", "--format", "jsonl", "-").out == ""


def test_an_unreadable_source(program: Cli, filled: Path, bib: Path, bound: list[str]) -> None:
    bib.chmod(0)
    program("import", bib, prefix=bound).refused(str(bib), "permission")


def test_wrong_options(cli: Cli, filled: Path, bib: Path) -> None:
    cli("import", bib, "--kind", "docx").refused("docx")
    cli("import", bib, "--encoding", "klingon").refused("klingon")
    cli("import", bib, "--collection", "/").refused("needs a name")


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b" \n\n"])
def test_an_empty_file_is_reported(cli: Cli, filled: Path, bib: Path, content: bytes) -> None:
    bib.write_bytes(content)
    report = cli("import", bib, "--json").json
    assert (report["records"], report["batch"]) == (0, None)
    assert [one["code"] for one in report["issues"]] == ["source-empty"]
    assert held(cli) == 2


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252"])
def test_another_encoding(cli: Cli, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "other.bib"
    entry = (
        "@book{{b{0}, title={{Über die Größe der Flüsse in Öland}}, author={{Müller, Jürgen}}}}\n"
    )
    path.write_bytes("".join(entry.format(number) for number in range(9)).encode(encoding))
    report = cli("--library", tmp_path / "library", "import", path, "--json").json
    assert report["added"] == 9
    guessed = [one["code"] for one in report["issues"] if one["code"] == "encoding-guessed"]
    assert len(guessed) == (0 if encoding == "utf-16" else 1)
    assert cli("list", "--json").json[0]["title"] == "Über die Größe der Flüsse in Öland"


def test_a_half_written_file_gives_what_is_whole(cli: Cli, bib: Path, tmp_path: Path) -> None:
    report = cli("--library", tmp_path / "library", "import", bib, "--json").json
    assert (report["added"], report["skipped"]) == (2, 1)
    assert "Never closed" in next(one["raw"] for one in report["issues"] if one["raw"])


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_a_file_name_that_is_no_text(program: Cli, tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.bib")
    Path(name).write_text("@book{a, title={A}}\n@book{a, title={B}}", encoding="utf-8")
    library = os.fsdecode(os.fsencode(tmp_path) + b"/biblioth\xe8que")
    report = program("--library", library, "import", name, "--json").json
    assert report["added"] == 2
    assert {one["source"] for one in report["issues"]} == {str(tmp_path / r"caf\udce9.bib")}
    assert program("import", name, "--json").json["unchanged"] == 2
    assert program("info", "--json").json["folder"] == library


@pytest.mark.parametrize("damage", ["garbage", "cut", "empty", "foreign"])
def test_a_damaged_library(cli: Cli, filled: Path, bib: Path, damage: str) -> None:
    backup = cli("backup", "--json").json["file"]
    file = filled / "library.sqlite"
    content = file.read_bytes()
    file.unlink()
    if damage == "foreign":
        with closing(sqlite3.connect(file)) as other:
            other.execute("CREATE TABLE songs (name)")
    else:
        file.write_bytes({"garbage": PNG, "cut": content[:20_000], "empty": b""}[damage])
    before = file.read_bytes()
    for command in (("list",), ("import", bib), ("undo",), ("info",)):
        cli(*command, "--json").refused(str(file), Path(backup).name)
    checked = cli("library", "check", "--json")
    (problem,) = json.loads(checked.out)["problems"]
    assert (checked.code, checked.err) == (3, "")
    assert str(file) in problem
    assert Path(backup).name in problem
    assert file.read_bytes() == before
    cli("library", "restore", backup)
    assert held(cli) == 2


def test_a_library_of_a_later_release(cli: Cli, filled: Path, bib: Path) -> None:
    with closing(sqlite3.connect(filled / "library.sqlite")) as other:
        other.execute("PRAGMA user_version = 999")
    for command in (("list",), ("import", bib), ("edit", "1", "--set", "title=x"), ("info",)):
        cli(*command, "--json").refused("later release", "update")


def test_a_library_that_another_program_is_writing(cli: Cli, filled: Path, bib: Path) -> None:
    with closing(sqlite3.connect(filled / "library.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE papers SET volume = '9' WHERE id = 1")
        assert held(cli) == 2
        cli("edit", "1", "--set", "title=x").refused("nother program", "again")
        other.execute("ROLLBACK")
    assert cli("edit", "1", "--set", "title=x").code == 0


def test_two_imports_at_once(filled: Path, home: Path, tmp_path: Path, cli: Cli) -> None:
    paths = []
    for letter in "ab":
        path = tmp_path / f"{letter}.bib"
        entries = (f"@book{{{letter}{n}, title={{Title {letter} {n}}}}}\n" for n in range(300))
        path.write_text("".join(entries), encoding="utf-8")
        paths.append(path)
    command = [sys.executable, "-m", "litscape_app", "--library", str(filled), "import", "--json"]
    running = [
        subprocess.Popen([*command, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for path in paths
    ]
    outcomes = [(*one.communicate(timeout=120), one.returncode) for one in running]
    added = 0
    for out, err, code in outcomes:
        assert code in (0, 2), err
        assert b"Traceback" not in err
        added += json.loads(out)["added"] if code == 0 else 0
    assert added >= 300
    assert held(cli) == 2 + added


def test_a_library_that_cannot_be_written(
    program: Cli, filled: Path, bib: Path, bound: list[str]
) -> None:
    bib.write_text("@book{new, title={New}}", encoding="utf-8")
    for path in (*filled.iterdir(), filled):
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert len(program("list", "--json", prefix=bound).json) == 2
        words = program("search", "telephony", "--mode", "lexical", "--json", prefix=bound)
        assert [one["citekey"] for one in words.json] == ["bell1876"]
        exported = program("export", "--format", "jsonl", "-", prefix=bound)
        assert exported.out.count("\n") == 2
        for command in (("import", bib), ("edit", "1", "--set", "title=x"), ("undo",)):
            program(*command, prefix=bound).refused(str(filled))
    finally:
        for path in (filled, *filled.iterdir()):
            path.chmod(path.stat().st_mode | 0o222)


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on the size of files")
def test_a_disk_that_is_full(filled: Path, home: Path, tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "big.bib"
    filler = "word " * 200
    entries = (f"@book{{k{n}, title={{T {n}}}, abstract={{{filler}}}}}\n" for n in range(3000))
    path.write_text("".join(entries), encoding="utf-8")
    limit = 1_000_000
    done = subprocess.run(
        [sys.executable, "-m", "litscape_app", "--library", str(filled), "import", str(path)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1
    there = len(cli("list", "--json").json) - 2
    assert "full" in done.stderr or "failed" in done.stderr
    assert (f"({there:,} added): import the same again" in done.stderr) == bool(there)
    assert cli("library", "check", "--json").json["sound"] is True
    assert [one["citekey"] for one in cli("list", "--json").json][:2] == ["bell1876", "darwin1859"]


def test_model_folders_that_cannot_serve(cli: Cli, filled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    cli("models", "add-folder", folder).refused(str(folder))
    folder.mkdir()
    cli("models", "add-folder", folder).refused(str(folder))
    (folder / "config.json").write_text('{"model_type": "bert", "hidden_size": 8}')
    cli("models", "add-folder", folder).refused("weights")
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04N.")
    cli("models", "add-folder", folder).refused("safetensors")
    cli("models", "use", "no-such-version").refused("no-such-version")
    cli("models", "add-hub", "intfloat/e5-small").refused("consent", "--allow-network")
    cli("models", "add-hub", "intfloat/e5-small", "--allow-network").refused("be reached")
    cli("embed", "--model", "no-such-version").refused("no-such-version")
    cli("embed", "--device", "abacus").refused("auto, cpu, cuda, mps")
    assert len(cli("models", "--json").json) == 1


def test_a_bug_is_logged_and_said(
    cli: Cli, filled: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from litscape.papers import Papers

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("made for the test")

    monkeypatch.setattr(Papers, "ids", broken)
    ran = cli("list", "--json")
    log = home / "log" / "litscape.log"
    assert (ran.code, ran.out) == (1, "")
    assert str(log) in ran.err
    assert "Traceback" not in ran.err
    assert "Traceback" in log.read_text(encoding="utf-8")


def test_a_bug_in_a_child_is_one_line(
    cli: Cli, filled: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from litscape.papers import Papers

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(
            "a bug in a child:\nTraceback (most recent call last):\n  x\nKeyError: 7"
        )

    monkeypatch.setattr(Papers, "ids", broken)
    ran = cli("list")
    assert ran.code == 1
    assert "KeyError: 7." in ran.err
    assert "Traceback" not in ran.err
    assert "Traceback" in (home / "log" / "litscape.log").read_text(encoding="utf-8")
