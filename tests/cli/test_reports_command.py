"""``litscape reports``: list, show, undo; and imports that leave all or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

BIB = "@article{%s, title = {On %s}, year = {2001}}\n"


def test_earlier_reports(cli: Cli, tmp_path: Path) -> None:
    library = tmp_path / "library"
    first, second = tmp_path / "first.bib", tmp_path / "second.bib"
    first.write_text(BIB % ("mud", "mud") + "@misc{untitled, year = {1999}}\n", "utf-8")
    second.write_text(BIB % ("tide", "tides"), "utf-8")
    said = [cli("--library", library, "import", one, "--json").json for one in (first, second)]
    assert cli("reports", "show", said[0]["batch"], "--json").json == said[0]
    assert cli("reports", "show", "--json").json == said[1]
    assert "has no title" in cli("reports", "show", 1).out
    listed = cli("reports", "--json").json
    assert [(one["state"], one["added"]) for one in listed] == [("done", 1), ("done", 2)]
    assert listed[1]["sources"] == [str(first)]
    undone = cli("reports", "undo", 1, "--json").json
    assert len(undone["removed"]) == 2
    assert [one["state"] for one in cli("reports", "--json").json] == ["done", "undone"]
    assert "undone" in cli("reports").out
    cli("reports", "undo", 1).refused("undone already")
    cli("reports", "show", 9).refused("There is no import 9")


def test_nothing_was_imported_yet(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert cli("--library", folder, "reports", "--json").json == []
    cli("--library", folder, "reports", "show").refused("Nothing has been imported")
    assert list(folder.iterdir()) == []


def test_all_or_nothing(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "some.bib"
    file.write_text(BIB % ("mud", "mud"), "utf-8")
    done = cli("--library", tmp_path / "library", "import", file, "--all-or-nothing", "--json")
    assert done.json["added"] == 1
