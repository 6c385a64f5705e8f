"""The frame of the command line: options, mistakes, what is loaded, the two streams."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import litscape_app.cli
from litscape_app.cli.main import parse

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

PACKAGE = Path(litscape_app.cli.__file__).parent


@pytest.mark.parametrize(
    "arguments",
    [
        ["--library", "L", "--json", "tag", "add", "old", "7"],
        ["tag", "--library", "L", "--json", "add", "old", "7"],
        ["tag", "add", "--json", "old", "7", "--library", "L"],
        ["--json", "tag", "add", "old", "7", "--library=L"],
    ],
)
def test_common_options_stand_anywhere(arguments: list[str]) -> None:
    args = parse(arguments)
    assert (args.library, args.json, args.name, args.refs) == ("L", True, "old", ["7"])
    assert args.command.name == "add"


def test_a_group_without_a_word_runs_its_default() -> None:
    for group in ("tag", "collection", "trash", "library", "models", "settings"):
        assert parse([group]).command.name == "list"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["frob"], "invalid choice: 'frob'"),
        (["tag", "frob"], "invalid choice: 'frob'"),
        (["import"], "required: SOURCE"),
        (["search", "--mode", "magic", "x"], "invalid choice: 'magic'"),
        (["export", "--format", "docx", "-"], "invalid choice: 'docx'"),
        (["similar", "1", "-k", "many"], "'many' is not a whole number from 1"),
        (["similar", "1", "-k", "9" * 21], "is not a whole number from 1 to 1,000,000"),
        (["similar", "1", "-k", "0"], "is not a whole number from 1"),
        (["history", "-n", "9" * 5000], "is not a whole number"),
        (["list", "-n=-1"], "is not a whole number from 1"),
        (["list", "--library", ""], "needs a folder"),
        (["--library", " ", "info"], "needs a folder"),
        (["edit", "1"], "required: --set"),
        (["info", "--lib", "x"], "unrecognized arguments"),
        (["--json"], "Which command?"),
        (["add", "--doi", "10.1/x", "--title", "y"], "not allowed with"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(cli: Cli, arguments: list[str], words: str) -> None:
    cli(*arguments).refused(words)


def test_help_and_version_go_to_stdout(cli: Cli) -> None:
    shown = cli("--help")
    assert shown.code == 0
    assert "similar" in shown.out
    assert cli("collection", "move", "--help").out.startswith("usage: litscape collection move")
    assert cli("--version").out.startswith("litscape 0")


def test_without_a_library_every_command_says_what_to_do(cli: Cli, bib: Path) -> None:
    for arguments in (
        ["info"],
        ["search", "x"],
        ["import", str(bib)],
        ["export", "--format=csv", "-"],
    ):
        cli(*arguments, "--json").refused("--library DIR", "library example")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="screens are always there")
@pytest.mark.parametrize("arguments", [[], ["--example"], ["--library", "L"]])
def test_without_a_command_the_window_is_wanted(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    cli(*arguments).refused("window", "no screen", "--help")


def test_light_commands_load_nothing_heavy() -> None:
    script = (
        "import sys\nfrom litscape_app.__main__ import main\n"
        "main(sys.argv[1:])\nsys.stderr.write(' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "settings", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stderr.split())
    assert "litscape.settings" in loaded
    heavy = {"PySide6", "torch", "numpy", "sqlalchemy", "transformers", "onnxruntime", "tokenizers"}
    assert not loaded & heavy


def test_the_command_line_never_names_the_window_or_qt() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                assert not name.startswith(("PySide6", "litscape_app.window")), path
