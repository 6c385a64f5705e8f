"""``litscape evaluate``: measuring, the list of what was measured, and too little to measure."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.evaluation.small_library import make

from litscape.evaluation.records import Report
from litscape.jobs.context import Event, JobCancelledError
from litscape_app.cli.commands.evaluate import _Done
from litscape_app.cli.main import parse
from litscape_app.cli.progress import ProgressLine
from litscape_app.cli.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.cli.conftest import Cli

    from litscape.jobs import JobContext


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
    too_few = ("evaluate", "search", "--task", "titles", "--most", "60", *there)
    cli(*too_few).refused("titles (100)", "at least --most 100")


def test_each_task_is_told_of_when_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    head = Report("titles", "Known titles", "", "dev", "", 0, 0, "2026", "model", 20)
    report = replace(head, sentences=("Too small.",))
    for as_json in (False, True):
        args = parse(["evaluate", "search", *(["--json"] if as_json else [])])
        done = _Done(Session(args), 6)
        line = ProgressLine(done)
        line(Event("partial", report))
        line(Event("partial", report))
        out, err = capsys.readouterr()
        told = "Known titles (titles, dev)\n  Too small.\n"
        assert out == ("" if as_json else f"{told}\n{told}")
        assert ("Known titles: done (2 of 6)." in err) == as_json


def test_what_was_finished_is_printed_when_it_is_stopped(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = Report("titles", "Known titles", "", "dev", "", 0, 0, "2026", "model", 20)

    def stopped(_library: object, _task: object, ctx: JobContext, _wanted: object) -> None:
        ctx.partial(head)
        raise JobCancelledError

    monkeypatch.setattr("litscape.apart.run_apart", stopped)
    make(tmp_path / "library", papers=3)
    ran = cli("--library", tmp_path / "library", "evaluate", "search", "--json")
    assert ran.code != 0
    assert [one["task"] for one in json.loads(ran.out)] == ["titles"]
    assert "Stopped: 1 of 6 tasks ended." in ran.err
