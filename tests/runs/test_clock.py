"""A training that takes longer than was timed ends in time, and keeps its best."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from litscape_trainer.recipes import recipe
from litscape_trainer.runs.clock import Clock
from litscape_trainer.runs.control import Control
from litscape_trainer.runs.folder import RunFolder
from litscape_trainer.runs.meter import Meter
from litscape_trainer.runs.records import RunState
from litscape_trainer.runs.shares import Seconds

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def control(tmp_path: Path) -> Control:
    state = RunState("run", "citation-infonce", status="running")
    found = Control(
        RunFolder.make(tmp_path, recipe("citation-infonce"), state), state, Meter(state)
    )
    found.plan = Seconds(training=400.0, embedding=60.0, measuring=40.0)
    return found


def spend(control: Control, seconds: float) -> None:
    control.state = replace(control.state, seconds=seconds)


def test_it_stops_when_what_comes_after_would_be_too_late(control: Control) -> None:
    clock = Clock(10.0, control)
    spend(control, 499.0)
    assert clock.wish() == "go"
    assert not clock.notes
    spend(control, 501.0)
    assert clock.wish() == "stop"
    assert "the 10 min were nearly over" in " ".join(clock.notes)


def test_what_a_person_wishes_comes_first_and_without_minutes_there_is_no_end(
    control: Control,
) -> None:
    spend(control, 1e6)
    assert Clock(None, control).wish() == "go"
    control.folder.ask("pause")
    clock = Clock(10.0, control)
    assert clock.wish() == "pause"
    assert clock.notes == ()
