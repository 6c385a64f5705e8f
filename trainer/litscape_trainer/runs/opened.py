"""The test is opened once a run, and the library's list of measurements says so."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

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
        How often it was opened before, by other runs and measurements.

    Raises:
        EnvironmentFault: the disk is full.
    """
    known = _noted(folder)
    if known:
        return int(known.get("earlier", 0))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with (
        Library.open(place, create=False, settings=settings) as library,
        library.database.write() as conn,
    ):
        earlier = evaluations.count_opened(conn, task)
        made = evaluations.begin(conn, now, task, "test", version, SEED)
    noted = {"number": made, "made_at": now, "earlier": earlier}
    folder.put_text("opened.json", json.dumps(noted))
    return earlier


def number(folder: RunFolder) -> int | None:
    """The number of the run's measurement; None where the test was not opened."""
    found = _noted(folder)
    return int(found["number"]) if found else None


def again(earlier: int) -> tuple[str, ...]:
    """What follows from a test that was opened so often before."""
    if not earlier:
        return ()
    return (
        f"This library's test is asked the {ordinal(earlier + 1)} time: who tries many recipes and "
        "keeps the best selects by chance.",
    )


def ordinal(count: int) -> str:
    """A place in words: 2nd, 3rd, 11th."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count:,}{'th' if count % 100 in (11, 12, 13) else ending}"


def _noted(folder: RunFolder) -> dict[str, Any]:
    with suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads((folder.path / "opened.json").read_text(encoding="utf-8"))
        return {**found, "number": int(found["number"])}
    return {}


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
