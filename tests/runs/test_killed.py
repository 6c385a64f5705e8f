"""A run that is killed again and again: it goes on each time, and the library loses nothing."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest
from tests.runs.library import kill, make_library, quick

from litscape.library import Library
from litscape_trainer.recipes import recipe
from litscape_trainer.runs import Training
from litscape_trainer.runs.queue import reap

if TYPE_CHECKING:
    from pathlib import Path

KILLS = int(os.environ.get("LITSCAPE_KILLS", "0"))
"""Each takes some seconds; one kill is part of every run of the other tests here."""


@pytest.mark.slow
@pytest.mark.skipif(not KILLS, reason="LITSCAPE_KILLS says how often to kill")
def test_a_run_that_is_killed_at_any_point_comes_to_its_end(tmp_path: Path) -> None:
    version = make_library(tmp_path)
    draw = random.Random(20)
    ended = 0
    with Library.open(tmp_path / "lib", create=False) as library:
        training = Training(library)
        papers = list(library.papers.ids())
        while ended < KILLS:
            run = training.start(quick(recipe("citation-infonce"), "steps=60", "patience=99")).id
            while ended < KILLS and not training.get(run).ended:
                until(training, run, ended=False)
                time.sleep(draw.uniform(0, 15))
                ended += kill(training, run)
                assert list(library.papers.ids()) == papers
                assert library.models.active_version() == version
                if training.get(run).status == "interrupted":
                    training.resume(run)
            until(training, run, ended=True)
            assert training.result(run) is not None, training.get(run).text


def until(training: Training, run: str, *, ended: bool) -> None:
    """Wait until a run has begun, or has ended, with patience for a loaded machine."""
    for _look in range(6000):
        reap()
        state = training.get(run)
        if state.ended or not (ended or state.status == "queued"):
            return
        time.sleep(0.1)
    raise AssertionError(f"it did not come about: {training.get(run)}")
