"""``litscape evaluate``: measuring, the list of what was measured, and too little to measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evaluation.small_library import make

from litscape_app.cli.main import parse

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli


def test_search_is_measured_and_listed(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "measured"
    make(folder, vectors=False)
    there = ("--library", folder)
    assert cli("evaluate", "list", *there, "--json").json == []
    tasks = ("--task", "citations", "--task", "cocitation", "--by", "paper")
    main, few = cli("evaluate", "search", *tasks, *there, "--json").json
    documented = parse(["evaluate", "search"]).command.keys
    assert set(main) == set(few) == set(documented)
    assert (main["task"], main["part"], main["queries"], main["number"]) == (
        "citations", "dev", 59, 1,
    )  # fmt: skip
    words, tfidf = main["figures"]
    assert (words["system"], tfidf["system"]) == ("words", "tfidf")
    value = words["estimates"]["nDCG@10"]
    assert value["low"] < value["mean"] < value["high"]
    assert value["n"] == 59
    assert any("litscape embed" in note or "similarity" in note for note in main["notes"])
    assert (few["queries"], few["figures"], few["number"]) == (0, [], None)
    assert "Too small" in few["sentences"][0]
    (listed,) = cli("evaluate", "list", *there, "--json").json
    assert listed["report"] == main
    told = cli("evaluate", "show", "1", *there).out
    assert f"{100 * value['mean']:.1f} [{100 * value['low']:.1f}" in told
    assert cli("evaluate", "forget", "1", *there, "--json").json == {"number": 1}
    cli("evaluate", "show", "1", *there).refused("no measurement 1")
    cli("evaluate", "search", "--task", "titels", *there).refused("titles")
