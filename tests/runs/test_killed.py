"""A run that is killed again and again: it goes on each time, and the library loses nothing."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest
from tests.runs.library import kill, make_library, queue_again, quick, until_step

from litscape.library import Library
from litscape_trainer.recipes import recipe
from litscape_trainer.runs import Training, child

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
                until_step(training, run, draw.randrange(60))
                time.sleep(draw.random())
                kill(training, run)
                ended += 1
                assert list(library.papers.ids()) == papers
                assert library.models.active_version() == version
                if training.get(run).status == "interrupted":
                    training.resume(run)
            kill(training, run)
            if training.get(run).status == "interrupted":
                queue_again(training, run)
                child.main(tmp_path / "lib")
            assert training.result(run) is not None, training.get(run).text
