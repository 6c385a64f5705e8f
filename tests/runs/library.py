"""A library that a tiny random encoder can be trained on, with that encoder in use."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.evaluation.small_library import make

from litscape.library import Library
from litscape.paper import PaperDraft
from litscape_trainer.runs.folder import RunFolder
from litscape_trainer.runs.queue import reap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape_trainer.recipes import TrainingRecipe
    from litscape_trainer.runs import Training
    from litscape_trainer.runs.records import Request

PAPERS = 320
TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"


def make_library(folder: Path) -> str:
    """Papers of ten subjects that cite each other; returns the tiny model's version."""
    make(folder / "lib", vectors=False, papers=PAPERS)
    shutil.copytree(TINY, folder / "tiny-encoder")
    with Library.open(folder / "lib", create=False) as library:
        card = library.models.add_folder(folder / "tiny-encoder")
        library.models.activate(card.version)
        return card.version


def quick(recipe: TrainingRecipe, *settings: str) -> TrainingRecipe:
    """A recipe of a few steps."""
    for one in ("minutes=none", "steps=6", "batch=16", "max_length=32", "method=full", *settings):
        recipe = recipe.with_set(one)
    return recipe


def until_step(training: Training, run: str, step: int) -> None:
    """Wait until a run's own process has made so many steps, or ended."""
    for _look in range(4800):
        state = training.get(run)
        if state.step >= step or state.ended or state.status == "interrupted":
            return
        time.sleep(0.05)
    raise AssertionError(f"the run did not come so far: {training.get(run)}")


def kill(training: Training, run: str) -> bool:
    """End the process of a run as a power cut would, and wait until it is gone.

    Returns:
        Whether there was one.
    """
    pid = training.get(run).pid
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        while training.get(run).status == "running":
            reap()
            time.sleep(0.05)
    return pid is not None


def queue_again(training: Training, run: str) -> None:
    """Let a run that was killed go on in a process that the test starts itself."""
    assert training.get(run).status in ("interrupted", "paused")
    folder = RunFolder.of(training.folder, run)
    folder.put_state(replace(folder.state(), status="queued"))


@contextmanager
def asked_when_training(training: Training, run: str, request: Request) -> Iterator[None]:
    """Ask a run for something as soon as it trains."""
    folder = RunFolder.of(training.folder, run)

    def watch() -> None:
        for _look in range(4800):
            state = folder.stored()
            if state.status == "running" and state.phase == "training":
                folder.ask(request)
            if state.phase in ("training", "embedding", "measuring") or state.ended:
                return
            time.sleep(0.05)

    folder.put_state(replace(folder.stored(), phase="waiting"))
    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def add_paper(library: Library) -> None:
    """A paper that comes in while a run goes on."""
    library.edit.add(PaperDraft(title="A late arrival about coral", year=2005))
