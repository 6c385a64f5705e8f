"""``litscape duplicates``: list, merge, refuse, refused, reconsider."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

BIB = """@article{one, title = {Mud and water in rivers}, author = {Owl, A}, year = 2010,
  doi = {10.5555/a}, journal = {Journal of Mud}}
@article{two, title = {Mud and water in rivers}, author = {Owl, A}, year = 2010,
  doi = {10.5555/b}, keywords = {mud}}
@article{three, title = {Night flights of owls}, author = {Reed, B}, year = 2011, pages = {3-9}}
@article{four, title = {Night flights of owls}, author = {Reed, B}, year = 2011, pages = {3-9}}
"""


@pytest.fixture
def muddy(cli: Cli, tmp_path: Path) -> Path:
    """A library with a pair of two DOIs and a pair that is equal in all."""
    file = tmp_path / "mud.bib"
    file.write_text(BIB, "utf-8")
    folder = tmp_path / "muddy"
    assert cli("--library", folder, "import", file, "--json").code == 0
    return folder


def test_list(cli: Cli, muddy: Path) -> None:
    groups = cli("duplicates", "list", "--json").json
    assert [one["certain"] for one in groups] == [True, False]
    assert [paper["citekey"] for paper in groups[0]["papers"]] == ["three", "four"]
    second = groups[1]
    assert second["ids"] == [1, 2]
    assert second["papers"][0] == {
        "id": 1,
        "citekey": "one",
        "title": "Mud and water in rivers",
        "year": 2010,
        "doi": "10.5555/a",
    }
    assert "different DOIs" in second["why"]
    assert second["pairs"][0]["ids"] == [1, 2]
    assert 0 < second["score"] < groups[0]["score"] <= 1
    told = cli("duplicates").out
    assert "2 groups" in told
    assert "10.5555/b" in told


def test_merge_and_undo(cli: Cli, muddy: Path) -> None:
    before = cli("export", "--format", "jsonl", "-").out
    record = cli(
        "duplicates", "merge", "one", "2", "--keep", "two", "--value", "title=1", "--json"
    ).json
    assert (record["changed"], record["removed"]) == ([2], [1])
    paper = cli("show", "one", "--json").json[0]
    assert (paper["id"], paper["venue"], paper["citekey_aliases"]) == (2, "Journal of Mud", ["one"])
    assert cli("undo", "--json").code == 0
    assert cli("export", "--format", "jsonl", "-").out == before


def test_merge_certain_leaves_two_dois_apart(cli: Cli, muddy: Path) -> None:
    record = cli("duplicates", "merge", "--certain", "--json").json
    assert len(record["removed"]) == 1
    assert [one["ids"] for one in cli("duplicates", "--json").json] == [[1, 2]]
    record = cli("duplicates", "merge", "--certain", "--json").json
    assert record["change"] is None
    assert "Nothing to merge" in cli("duplicates", "merge", "--certain").out


def test_refuse_and_reconsider(cli: Cli, muddy: Path) -> None:
    assert cli("duplicates", "refuse", "one", "two", "--json").json["change"] is not None
    assert [one["ids"] for one in cli("duplicates", "--json").json] == [[3, 4]]
    (refused,) = cli("duplicates", "refused", "--json").json
    assert refused["ids"] == [1, 2]
    assert [paper["citekey"] for paper in refused["papers"]] == ["one", "two"]
    assert "one" in cli("duplicates", "refused").out
    assert cli("duplicates", "reconsider", "one", "two", "--json").code == 0
    assert cli("duplicates", "refused", "--json").json == []
    assert len(cli("duplicates", "--json").json) == 2


def test_an_empty_library(cli: Cli, tmp_path: Path) -> None:
    assert cli("--library", tmp_path / "none", "library", "new", tmp_path / "new").code == 0
    assert cli("duplicates", "--json").json == []
    assert "No duplicates" in cli("duplicates").out
    assert "No papers are kept apart" in cli("duplicates", "refused").out


def test_mistakes(cli: Cli, muddy: Path) -> None:
    cli("duplicates", "merge").refused("--certain")
    cli("duplicates", "merge", "one").refused("at least two")
    cli("duplicates", "merge", "one", "nobody").refused("nobody")
    cli("duplicates", "merge", "one", "two", "--keep", "three").refused("three")
    cli("duplicates", "merge", "one", "two", "--value", "title").refused("title=12")
    cli("duplicates", "merge", "one", "two", "--value", "mood=1").refused("mood")
    cli("duplicates", "merge", "one", "two", "--certain").refused("--certain")
    cli("duplicates", "refuse", "one").refused("at least two")
