"""How much of a run is done: it grows over all its parts, and one count goes over a measurement."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.evaluation.protocol import ask
from litscape.evaluation.records import Question
from litscape.jobs.context import Event, JobCancelledError, JobContext, Progress
from litscape_app.cli.commands.train_words import told_state
from litscape_trainer.recipes import recipe
from litscape_trainer.runs.budgets import _First
from litscape_trainer.runs.control import Control
from litscape_trainer.runs.folder import RunFolder
from litscape_trainer.runs.meter import Meter
from litscape_trainer.runs.records import RunState
from litscape_trainer.runs.shares import PARTS, Seconds, phase_of
from litscape_trainer.verdict.counting import Counting

if TYPE_CHECKING:
    from pathlib import Path


def test_questions_of_several_rankings_are_one_count() -> None:
    heard: list[Progress] = []

    def hear(event: Event) -> None:
        assert isinstance(event.value, Progress)
        heard.append(event.value)

    ctx = JobContext(hear)
    pool = np.arange(1, 9)
    questions = tuple(Question("", paper, pool[pool != paper], {1: 1}) for paper in (2, 3, 4))
    count = Counting(ctx, 9, "Asking")
    for name in ("Words", "Base model", "New model"):
        ask(name, lambda one: one.candidates, questions, count.part(len(questions)))
    assert [one.done for one in heard] == list(range(9))
    assert {one.total for one in heard} == {9}
    assert heard[4].text == "Asking (Base model)"
    ctx.cancel()
    with pytest.raises(JobCancelledError):
        count.part(3).check()


def test_the_share_of_a_run_grows_over_its_parts_and_never_goes_back(tmp_path: Path) -> None:
    state = RunState("run", "citation-infonce", status="running")
    folder = RunFolder.make(tmp_path, recipe("citation-infonce"), state)
    control = Control(folder, state, Meter(state))
    control.plan = Seconds(5, 60, 60, 20, 1500, 60, 60)
    seen = []
    for part in PARTS:
        control.enter(part, part)
        seen.append(control.state.share)
        assert control.state.phase == phase_of(part)
        for done in range(4):
            if part == "training":
                control.hear({"kind": "step", "step": done, "steps": 4})
            else:
                control.ctx.progress(done, 4, "Doing")
            seen.append(control.state.share)
    assert seen == sorted(seen)
    assert 0 < seen[5] < 0.01  # reading begins
    assert seen[-1] > 0.98
    control.plan = Seconds(training=1e6)  # what is known better later takes nothing back
    control.enter("training", "Again")
    assert control.state.share == seen[-1]
    assert folder.stored().share == seen[-1]


def test_texts_read_for_a_measurement_are_told_and_count_nothing(tmp_path: Path) -> None:
    state = RunState("run", "head", status="running")
    control = Control(RunFolder.make(tmp_path, recipe("head"), state), state, Meter(state))
    control.enter("measuring", "Asking")
    control.ctx.progress(10, 100, "Asking (all-MiniLM-L6-v2)")
    before = control.state
    assert before.text == "Asking (all-MiniLM-L6-v2): 10 of 100"
    control.ctx.progress(1900, None, "The model reads 1,900 of 2,000 abstracts")
    assert control.state.share == before.share
    assert control.state.text == "The model reads 1,900 of 2,000 abstracts"


def test_what_comes_first_has_a_clause_of_its_own() -> None:
    first = _First(missing=3455, reading=360.0, layer=60.0)
    assert first.sentence == (
        "Reading 3,455 papers first: about 6 minutes, once; a layer on the stored vectors: about "
        "60 seconds."
    )
    assert first.seconds == 420
    assert _First().sentence == ""


def test_the_baseline_is_named_for_what_it_is() -> None:
    state = RunState(
        "run", "citation-infonce", status="running", phase="training", step=3, steps=9,
        dev=0.52, dev_base=0.5, share=0.41,
    )  # fmt: skip
    assert told_state(state) == ("run: running (41 %), step 3 of 9, dev nDCG@10 52.0 (before 50.0)")
    layered = RunState.from_json({**state.to_json(), "layered": True})
    assert "(with the layer it began with 50.0)" in told_state(layered)


def test_a_status_is_said_once() -> None:
    over = RunState(id="run", recipe="head", status="cancelled", text="Cancelled. All is there.")
    assert told_state(over) == "run: cancelled. All is there."
    resting = replace(over, status="paused", text="Paused; go on with: litscape train resume run")
    assert told_state(resting) == "run: paused. Go on with: litscape train resume run"
    assert told_state(replace(resting, text="Paused")) == "run: paused"
    assert told_state(replace(over, text="It was so.")) == "run: cancelled. It was so."
