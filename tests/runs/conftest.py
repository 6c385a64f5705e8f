"""One library in which a run of the tiny encoder was killed once and came to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.runs.library import (
    add_paper,
    asked_when_training,
    kill,
    make_library,
    queue_again,
    quick,
    until_step,
)

from litscape.library import Library
from litscape_trainer.recipes import recipe
from litscape_trainer.runs import Training, child

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def trained(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, str]]:
    """The library's folder, and the id of a run of it that ended.

    Its process was killed in the midst of the training; this one went on, paused, and did the
    rest, while a paper came into the library.
    """
    folder = tmp_path_factory.mktemp("training")
    place = folder / "lib"
    steps = ("steps=8", "dev_every=0.25", "patience=9", "head_first=true")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITSCAPE_HOME", str(folder / "home"))
        make_library(folder)
        with Library.open(place, create=False) as library:
            training = Training(library)
            run = training.start(quick(recipe("citation-infonce"), *steps)).id
            until_step(training, run, 2)
            kill(training, run)
            queue_again(training, run)
            add_paper(library)
            with asked_when_training(training, run, "pause"):
                child.main(place)
            paused = training.get(run)
            # On a busy machine the few steps may be over before they are asked to rest.
            if paused.status != "done":
                assert paused.status == "paused", paused
                assert paused.phase in ("training", "embedding", "measuring"), paused
                assert paused.step >= 1
                queue_again(training, run)
                child.main(place)
        yield place, run
