"""Marking, the reading list, notes, citing and opening on the command line."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.cli.conftest import Cli


def test_marks_are_set_listed_and_undone(cli: Cli, filled: Path) -> None:
    done = cli("mark", "bell1876", "--read", "--rating", "4", "--colour", "red", "--json")
    assert done.json["changed"] == [1]
    one, other = cli("list", "--sort", "rating", "--descending", "--json").json
    assert (one["read_state"], one["rating"], one["colour"]) == ("read", 4, "red")
    assert (other["read_state"], other["rating"], other["listed"]) == (None, None, False)
    assert [row["id"] for row in cli("list", "--is", "unread", "--json").json] == [2]
    assert [row["id"] for row in cli("list", "--is", "read", "--is", "rated", "--json").json] == [1]
    assert cli("show", "1", "--json").json[0]["read_at"] is not None
    assert "already" in cli("mark", "1", "--read").out
    cli("mark", "1", "2", "--unread", "--rating", "0", "--colour", "none")
    assert cli("show", "1", "--json").json[0]["rating"] is None
    assert "Mark" in cli("undo").out
    assert cli("show", "1", "--json").json[0]["rating"] == 4
    cli("mark", "1").refused("read state")
    cli("mark", "1", "--rating", "6").refused("0 to 5")
    cli("mark", "1", "--colour", "pink").refused("orange")
    cli("mark", "1", "--read", "--unread").refused("--read")


def test_the_reading_list(cli: Cli, filled: Path) -> None:
    assert "empty" in cli("reading-list").out
    assert cli("reading-list", "add", "1", "2", "--json").json["changed"] == [1, 2]
    assert "already" in cli("reading-list", "add", "2").out
    cli("reading-list", "move", "darwin1859", "1")
    listed = cli("reading-list", "--json").json
    assert [(one["place"], one["citekey"]) for one in listed] == [
        (1, "darwin1859"),
        (2, "bell1876"),
    ]
    assert "place 2, the last one," in cli("reading-list", "move", "darwin1859", "99").out
    assert cli("reading-list", "remove", "2").out.startswith("Took 1 paper")
    cli("reading-list", "move", "2", "1").refused("not in the reading list")
    cli("reading-list", "add", "1", "--place", "0").refused("whole number")


def test_notes_one_by_one(cli: Cli, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("note", "add", "bell1876", "First; with a semicolon")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"Zweite\nZeile")))
    cli("note", "add", "1", "-")
    cli("note", "edit", "1", "1", "First, anew")
    texts = [(one["number"], one["text"]) for one in cli("note", "list", "1", "2", "--json").json]
    assert texts == [(1, "First, anew"), (2, "Zweite\nZeile")]
    cli("note", "delete", "1", "1")
    assert [one["text"] for one in cli("note", "list", "1", "--json").json] == ["Zweite\nZeile"]
    cli("note", "delete", "1", "2").refused("one note")
    cli("note", "add", "1", " ").refused("text")


def test_citations_in_styles_and_bibtex(cli: Cli, filled: Path, tmp_path: Path) -> None:
    said = cli("cite", "bell1876", "darwin1859")
    assert said.out.splitlines() == [
        "Bell, A., & Watson, T. A. (1876). Researches in Telephony."
        " Proceedings of the American Academy. https://doi.org/10.5555/tel.1",
        "Darwin, C. (1859). On the Origin of Species.",
    ]
    assert cli("cite", "1", "--in-text").out == "(Bell & Watson, 1876)\n"
    assert "<i>Proceedings" in cli("cite", "1", "--format", "html", "--style", "ieee").out
    record = cli("cite", "1", "2", "--style", "vancouver", "--json").json
    assert (record["style"], record["ids"], len(record["entries"])) == ("Vancouver", [1, 2], 2)
    assert "@article{bell1876," in cli("cite", "1", "--format", "bibtex").out
    cli("cite", "1", "--style", "vancuver").refused("vancouver")
    cli("cite", "1", "--style", tmp_path / "none.csl").refused("no style file")
    odd = tmp_path / "odd.csl"
    odd.write_text("<style>", encoding="utf-8")
    cli("cite", "1", "--style", odd).refused("can't be read")


def test_opening_says_where_or_why_not(cli: Cli, filled: Path, tmp_path: Path) -> None:
    assert cli("open", "1", "--doi", "--print").out == "https://doi.org/10.5555/tel.1\n"
    cli("open", "2", "--doi").refused("no DOI")
    cli("open", "1", "--zotero").refused("Zotero")
    cli("open", "1", "--pdf").refused("no PDF")
    assert cli("open", "1", "--print").out == "https://doi.org/10.5555/tel.1\n"
    cli("open", "2").refused("no PDF attached, and no DOI")
    there = tmp_path / "there.pdf"
    cli("edit", "1", "--set", f"files={tmp_path / 'gone.pdf'}")
    cli("open", "1", "--pdf").refused("gone.pdf", "moved")
    there.write_bytes(b"%PDF-1.4")
    cli("edit", "1", "--set", f"files={tmp_path / 'gone.pdf'}; {there}")
    answer = cli("open", "1", "--print", "--json").json
    assert answer == {"id": 1, "way": "pdf", "target": str(there), "opened": False}
