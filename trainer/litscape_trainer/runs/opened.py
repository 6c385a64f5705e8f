"""The test is opened once a run, and the library's list of measurements says so."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from litscape.evaluation.records import SEED, Figures, Report
from litscape.library import Library
from litscape.store import evaluations
from litscape_trainer.verdict.asked import TASK_TITLES

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.settings import AppSettings
    from litscape_trainer.runs.folder import RunFolder
    from litscape_trainer.runs.records import RunResult

_ABOUT = "A trained model beside the one in use, on papers that took no part in its training."


def note(place: Path, folder: RunFolder, task: str, version: str, settings: AppSettings) -> int:
    """Note that the test is opened, once for a run however often it is resumed.

    Returns:
        The number of the measurement.

    Raises:
        EnvironmentFault: the disk is full.
    """
    known = number(folder)
    if known is not None:
        return known
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with (
        Library.open(place, create=False, settings=settings) as library,
        library.database.write() as conn,
    ):
        made = evaluations.begin(conn, now, task, "test", version, SEED)
    folder.put_text("opened.json", json.dumps({"number": made, "made_at": now}))
    return made


def number(folder: RunFolder) -> int | None:
    """The number of the run's measurement; None where the test was not opened."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        text = (folder.path / "opened.json").read_text(encoding="utf-8")
        return int(json.loads(text)["number"])
    return None


def report(result: RunResult, made: int) -> Report:
    """The primary task of a run as the list of measurements has it."""
    task = str(result.recipe.get("primary"))
    figures: dict[str, Figures] = {}
    for row in result.rows:
        if row.task == task:
            one = figures.get(row.system) or Figures(row.system, row.system_title, {}, {})
            estimates = {**one.estimates, row.measure: row.estimate}
            over = {**one.over, **({row.measure: row.over} if row.over is not None else {})}
            figures[row.system] = Figures(row.system, row.system_title, estimates, over)
    return Report(
        task=task,
        title=TASK_TITLES[task],
        about=_ABOUT,
        part="test",
        split=result.split,
        queries=result.queries,
        papers=0,
        made_at=result.made_at,
        model=str(result.version),
        seed=SEED,
        figures=tuple(figures.values()),
        sentences=(result.sentence,),
        notes=result.notes,
        seconds=result.seconds,
        number=made,
    )
