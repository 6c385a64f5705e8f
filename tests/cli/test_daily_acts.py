"""Adding, tagging, sorting into collections, deleting, listing, showing."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

from litscape.library import Library
from litscape_app.cli.commands.listing import SHOW_KEYS
from litscape_app.cli.records import ROW_KEYS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.cli.conftest import Cli


def titles(cli: Cli, *options: str) -> list[str]:
    return [one["title"] for one in cli("list", *options, "--json").json]


def test_add_by_hand(cli: Cli, filled: Path) -> None:
    options = ("--author", "Curie, Marie", "--author", "Curie, Pierre", "--year", "1898")
    added = cli(
        "add", "--title", "Sur une substance", *options, "--tag", "t", "--collection", "A/B"
    )
    assert "1 added" in added.out
    paper = cli("show", "3", "--json").json[0]
    assert paper["title"] == "Sur une substance"
    assert [one["family"] for one in paper["authors"]] == ["Curie", "Curie"]
    assert (paper["year"], paper["tags"], paper["collections"]) == (1898, ["t"], [["A", "B"]])


def test_two_papers_by_hand_are_two(cli: Cli, filled: Path) -> None:
    for title in ("One thing", "Another thing"):
        record = cli(
            "add", "--title", title, "--author", "Curie, Marie", "--year", "1898", "--json"
        )
        assert record.json["added"] == 1
        assert len(record.json["ids"]) == 1
    assert len(titles(cli)) == 4


def test_the_same_title_by_others_is_another_paper(cli: Cli, filled: Path) -> None:
    for author in ("Doe, J", "Roe, K"):
        record = cli("add", "--title", "Editorial", "--author", author, "--year", "2020", "--json")
        assert (record.json["added"], record.json["updated"]) == (1, 0)
    found = cli("list", "--json").json[2:]
    assert [one["authors"] for one in found] == ["J Doe", "K Roe"]
    assert cli("history", "--json").json[0]["title"] == "Add “Editorial”"


def test_add_bibtex_from_stdin_and_file(
    cli: Cli, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "@misc{new1, title={Pasted — ä}}\n@misc{new2, title={Pasted too}}".encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    assert cli("add", "--bibtex", "-", "--json").json["added"] == 2
    path = tmp_path / "one.bib"
    path.write_text("@misc{new3, title={From a file}}", encoding="utf-8")
    assert cli("add", "--bibtex", path, "--json").json["added"] == 1
    assert titles(cli)[2:] == ["Pasted — ä", "Pasted too", "From a file"]
    path.write_text("nothing of the kind", encoding="utf-8")
    cli("add", "--bibtex", path).refused("no BibTeX entry")
    cli("add", "--bibtex", tmp_path / "none.bib").refused("none.bib")


def test_add_mistakes(cli: Cli, filled: Path) -> None:
    cli("add").refused("--title")
    cli("add", "--doi", "10.5555/x").refused("consent", "--allow-network", "lookup_consent")
    cli("add", "--arxiv", "1903.00001").refused("consent")
    assert len(titles(cli)) == 2


def test_tags(cli: Cli, filled: Path) -> None:
    assert len(cli("tag", "add", "old", "1", "darwin1859", "--json").json["changed"]) == 2
    cli("tag", "add", "phone", "bell1876")
    assert cli("tag", "--json").json == [{"name": "old", "count": 2}, {"name": "phone", "count": 1}]
    cli("tag", "rename", "phone", "telephone")
    cli("tag", "remove", "old", "bell1876")
    assert titles(cli, "--tag", "telephone") == ["Researches in Telephony"]
    assert cli("tag", "delete", "old", "--json").json["structure"] is True
    assert [one["name"] for one in cli("tag", "list", "--json").json] == ["telephone"]
    cli("tag", "rename", "none", "x").refused("none")
    cli("tag", "delete", "none").refused("none")
    cli("tag", "add", "x", "nobody").refused("nobody")
    cli("undo")
    assert [one["name"] for one in cli("tag", "--json").json] == ["old", "telephone"]


def test_collections(cli: Cli, filled: Path) -> None:
    def paths() -> list[tuple[str, int]]:
        return [(one["path"], one["count"]) for one in cli("collection", "--json").json]

    cli("collection", "create", "Science/Life")
    cli("collection", "add", "Science/Life", "darwin1859")
    cli("collection", "add", "Wires", "bell1876")
    assert paths() == [("Science", 1), ("Science/Life", 1), ("Wires", 1)]
    cli("collection", "rename", "Science/Life", "Biology")
    cli("collection", "move", "Wires", "Science")
    assert paths() == [("Science", 2), ("Science/Biology", 1), ("Science/Wires", 1)]
    assert len(titles(cli, "--collection", "Science")) == 2
    cli("collection", "move", "Science/Wires")
    cli("collection", "remove", "Wires", "bell1876")
    cli("collection", "delete", "Wires")
    assert paths() == [("Science", 1), ("Science/Biology", 1)]
    cli("collection", "move", "Science", "Science/Biology").refused()
    cli("collection", "delete", "Nowhere").refused("no collection “Nowhere”")
    cli("collection", "create", "/").refused("needs a name")
    assert len(titles(cli)) == 2


def test_trash(cli: Cli, filled: Path) -> None:
    assert cli("delete", "bell1876", "--json").json["removed"] == [1]
    assert titles(cli) == ["On the Origin of Species"]
    assert [one["citekey"] for one in cli("trash", "--json").json] == ["bell1876"]
    assert cli("restore", "bell1876", "--json").json["added"] == [1]
    cli("delete", "bell1876")
    cli("trash", "empty")
    assert cli("trash", "--json").json == []
    cli("delete", "darwin1859", "--forever")
    assert titles(cli) == []
    assert "empty" in cli("trash").out
    cli("delete", "bell1876").refused("bell1876")


def test_list_and_show(cli: Cli, filled: Path) -> None:
    rows = cli("list", "--sort", "title", "--json").json
    assert [row["citekey"] for row in rows] == ["darwin1859", "bell1876"]
    assert all(set(row) == set(ROW_KEYS) for row in rows)
    assert [row["year"] for row in cli("list", "--sort", "year", "-n", "1", "--json").json] == [
        1859
    ]
    assert titles(cli, "--year", "1900-") == []
    cli("list", "--year", "then").refused("2010-2015")
    cli("list", "-n", "-1").refused()
    shown = cli("show", "bell1876", "darwin1859", "--json").json
    assert [set(one) for one in shown] == [set(SHOW_KEYS)] * 2
    text = cli("show", "10.5555/tel.1").out
    assert "Alexander Bell; Thomas A. Watson" in text
    assert "abstract" not in text
    cli("show", "nobody").refused("nobody")


def test_references_are_shown_as_text(cli: Cli, filled: Path, tmp_path: Path) -> None:
    links = tmp_path / "links.csv"
    links.write_text("bell1876,10.5555/new\nbell1876,pmid:7\n", "utf-8")
    cli("citations", "add", links)
    shown = cli("show", "bell1876").out
    assert "10.5555/new; pmid:7" in shown
    assert "{" not in shown
    assert "Researches in Telephony" in cli("list").out


def test_tables_cut_long_cells_and_turn_no_writing(cli: Cli, tmp_path: Path) -> None:
    title = "\u202e" + "Long " * 1000 + "end"
    library = tmp_path / "library"
    assert cli("--library", library, "add", "--title", "Short").code == 0
    with Library.open(library) as opened:
        opened.edit.edit(1, {"title": title})
    for command in (("list",), ("search", "long", "--mode", "lexical"), ("tag", "add", "x", "1")):
        out = cli("--library", library, *command).out
        assert "\u202e" not in out
        assert len(out) < 500, command
    shown = cli("--library", library, "show", "1").out
    assert "\u202e" not in shown
    assert shown.count("Long") >= 1000
    assert cli("--library", library, "list", "--json").json[0]["title"] == title
