"""A child that stays: one task after the other, errors as they were, an end when it is idle."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape import Library
from litscape.apart.standing import StandingChild
from litscape.errors import UserError
from litscape.jobs import JobContext, null_context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.jobs.context import Event

_done: list[int] = []


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    # The tasks below are found again by their names, from wherever the process runs.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    with Library.open(tmp_path / "library") as opened:
        yield opened


def remember(library: Library, ctx: JobContext, number: int) -> tuple[int, list[int], str]:
    """What was done in this process before, too."""
    _done.append(number)
    ctx.progress(number, 9, "Counting")
    return os.getpid(), list(_done), str(library.folder)


def refuse(_library: Library, _ctx: JobContext) -> None:
    raise UserError("It can't be done.")


def get_ready(library: Library, ctx: JobContext) -> None:
    remember(library, ctx, 0)


def test_one_child_does_one_task_after_the_other(library: Library) -> None:
    events: list[Event] = []
    child = library.analysis
    assert not child.ready
    child.warm(library, get_ready)
    pid, done, folder = child.run(library, remember, JobContext(events.append), 1)
    assert child.ready
    assert (pid, done, folder) == (child.pid, [0, 1], str(library.folder))
    assert [event.kind for event in events] == ["progress"]
    with pytest.raises(UserError, match="It can't be done"):
        child.run(library, refuse, null_context())
    child.warm(library, get_ready)  # once is enough
    assert child.run(library, remember, null_context(), 2)[:2] == (pid, [0, 1, 2])
    library.close()
    assert child.pid is None


def test_a_child_without_work_ends_and_the_next_task_starts_another(library: Library) -> None:
    child = StandingChild(idle_s=0.05)
    try:
        first = child.run(library, remember, null_context(), 1)
        while child.pid is not None:
            time.sleep(0.05)
        second = child.run(library, remember, null_context(), 2)
        assert first[0] != second[0]
        assert second[1] == [2]
    finally:
        child.close()
