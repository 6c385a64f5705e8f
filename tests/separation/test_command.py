"""``litscape evaluate topics``: what could be measured, a measurement, its place in the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.conftest import cli  # noqa: F401 - a fixture
from tests.separation.labelled_library import make

from litscape_app.cli.main import parse

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli


def test_topics_are_measured_listed_and_shown_again(cli: Cli, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "library"
    make(folder)
    there = ("--library", folder)
    documented = parse(["evaluate", "topics"]).command.keys
    offers = cli("evaluate", "topics", *there, "--json").json
    assert set(offers) == set(documented)
    usable = {one["labels"]: one["usable"] for one in offers["kinds"]}
    assert (usable["tags"], usable["collections"]) == (4, 0)
    asked = ("evaluate", "topics", "--labels", "tags", "--seeds", "2", *there)
    report = cli(*asked, "--json").json
    assert set(report) == set(documented)
    assert report["heat"]["labels"] == ["corals", "glaciers", "violins", "meteors"]
    assert report["kinds"] is None
    value = report["models"][0]["clusterings"][0]["estimates"]["v"]
    assert value["low"] <= value["mean"] <= value["high"]
    (listed,) = cli("evaluate", "list", *there, "--json").json
    assert (listed["task"], listed["number"]) == ("topics", report["number"])
    assert listed["report"] == report
    told = cli("evaluate", "show", str(report["number"]), *there).out
    assert f"{value['mean']:.3f} [{value['low']:.3f}" in told
    assert "Misfiled? 2 papers have mostly neighbours of another label" in told
    cli("evaluate", "forget", str(report["number"]), *there)
    assert cli("evaluate", "list", *there, "--json").json == []
    cli(*asked, "--model", "nothing").refused("nothing")


def test_the_overlap_of_two_labels(cli: Cli, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "library"
    make(folder)
    asked = ("evaluate", "topics", "--labels", "tags", "--overlap", "violins", "meteors")
    found = cli(*asked, "--library", folder, "--json").json
    assert found["overlap"]["both"] == [101, 102, 103]
    assert found["models"] is None
