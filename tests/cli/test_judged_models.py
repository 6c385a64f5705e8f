"""What was said of trained models where they are listed, and a run without a name."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.window_train.trainable import make, put_result, put_run

from litscape.library import Library
from litscape_trainer.choosing import NOT_BETTER
from litscape_trainer.runs.alive import born

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

WHEN = "2026-11-30T10:00:00+00:00"


def test_verdicts_of_trained_models_are_listed(cli: Cli, tmp_path: Path) -> None:
    place = make(tmp_path)
    there = ("--library", place)
    with Library.open(place, create=False) as library:
        old = library.models.active_version()
        new = next(
            one.version
            for one in library.models.available()
            if one.source == "folder" and one.version != old
        )
    run = put_run(place, "done")
    put_result(run, old, new, "worse", -0.03)
    result = run.result()
    assert result is not None
    run.put_result(replace(result, made_at=WHEN, sentence="Worse on 60 papers."))
    listed = {one["version"]: one for one in cli("models", "list", *there, "--json").json}
    assert (listed[new]["verdict"], listed[new]["judged_at"]) == ("worse", WHEN)
    assert (listed[old]["verdict"], listed[old]["judged_at"]) == (None, None)
    lines = [line for line in cli("models", "list", *there).out.splitlines() if new in line]
    assert len(lines) == 1
    assert lines[0].rstrip().endswith("worse, 2026-11-30")
    assert cli("models", "show", new, *there, "--json").json["verdict"] == "worse"
    assert (listed[new]["unchanged"], listed[old]["unchanged"]) == (False, None)
    run.put_result(replace(result, made_at=WHEN, notes=(f"All steps were made. {NOT_BETTER}",)))
    assert "the same as its base: no change was kept" in cli("models", "list", *there).out
    assert cli("models", "show", new, *there, "--json").json["unchanged"] is True
    run.put_state(replace(run.stored(), layered=True))
    assert cli("models", "show", new, *there, "--json").json["unchanged"] is False


def test_a_run_is_named(cli: Cli, tmp_path: Path) -> None:
    place = tmp_path / "lib"
    Library.open(place).close()
    for word in ("", " "):
        cli("train", "show", word, "--library", place).refused("Which run?", "train list")
    put_run(place, "cancelled")
    cli("train", "show", "", "--library", place).refused("Which run?")
    assert cli("train", "show", "2026", "--library", place, "--json").json["status"] == "cancelled"


@pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")
def test_ctrl_c_ends_the_waiting_and_not_the_run(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "lib"
    Library.open(place).close()
    pressed = partial(os.kill, os.getpid(), signal.SIGINT)
    monkeypatch.setattr("litscape_app.cli.commands.train.time.sleep", lambda _s: pressed())
    run = put_run(place, "running", pid=os.getpid(), born=born(os.getpid()), phase="training").id
    for form in ((), ("--json",)):
        ran = cli("train", "resume", run, "--library", place, *form)
        assert ran.code == 130
        assert f"the run {run} goes on. Stop it with `litscape train cancel {run}`" in ran.err
        assert "Stop" not in ran.err.replace("Stop it with", "")
        assert (json.loads(ran.out)["status"] == "running") if form else not ran.out


def test_a_recipe_is_written_under_a_name_that_can_be_given_again(cli: Cli, tmp_path: Path) -> None:
    there = ("train", "write-recipe", "--recipe", "head")
    cli(*there, tmp_path / "mine.txt").refused("ends in .toml")
    cli("train", "write-recipe", tmp_path / "mine.toml").refused("--recipe")
    assert cli(*there, tmp_path / "mine.toml").code == 0
    assert cli(*there[:2], "--recipe", tmp_path / "mine.toml", tmp_path / "two.toml").code == 0
    assert sorted(one.name for one in tmp_path.glob("*.t*")) == ["mine.toml", "two.toml"]


def test_a_base_model_that_is_a_missing_folder_is_told_as_one(cli: Cli, tmp_path: Path) -> None:
    Library.open(tmp_path / "lib").close()
    start = ("train", "--recipe", "head", "--library", tmp_path / "lib", "--base")
    cli(*start, tmp_path / "none").refused("There is no folder", "none")
    cli(*start, "unknown").refused("no model version 'unknown'")
