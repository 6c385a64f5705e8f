"""The work of one run, from the copy of the library to the verdict; each part done once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from litscape.library import Library
from litscape.store import evaluations
from litscape_trainer.publish import publish, trained_card
from litscape_trainer.runs import opened
from litscape_trainer.runs.budgets import rough
from litscape_trainer.runs.lessons import Lesson, prepare
from litscape_trainer.runs.records import RunResult
from litscape_trainer.runs.snapshot import changed_since, take
from litscape_trainer.runs.teaching import Taught, teach
from litscape_trainer.verdict.asked import CANDIDATES, asks
from litscape_trainer.verdict.blending import hiding
from litscape_trainer.verdict.judging import judge
from litscape_trainer.verdict.lists import extremes
from litscape_trainer.verdict.measuring import Model, measure_models
from litscape_trainer.verdict.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.models.card import ModelCard
    from litscape.settings import AppSettings
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.control import Control
    from litscape_trainer.verdict.judging import Verdict
    from litscape_trainer.verdict.measuring import Measured


_SLACK = 1.05
"""Of the minutes: so much longer is not worth a word."""


class PausedError(Exception):
    """The run was asked to pause and kept its place."""


class Work:
    """One run, in its own process.

    Args:
        library: the folder of the library.
        control: the run's state, and the wishes of whoever watches it.
        settings: device and threads.
    """

    def __init__(self, library: Path, control: Control, settings: AppSettings) -> None:
        self._place, self._control, self._settings = library, control, settings
        self._folder = control.folder
        self._recipe: TrainingRecipe = control.folder.recipe()

    def go(self) -> RunResult:
        """All that is left of it.

        Raises:
            PausedError: it was asked to pause.
            UserError, EnvironmentFault: it can't go on; the library is as it was.
            JobCancelledError: it was asked to end.
        """
        known = self._folder.result()
        if known is not None:  # it was killed at its very end
            return self._end(known)
        self._control.enter("preparing", "Copying the library")
        self._take_snapshot()
        with Library.open(self._folder.snapshot, create=False, settings=self._settings) as copy:
            lesson = prepare(copy, self._recipe, self._base(copy), self._control)
            if lesson.refusal is not None:
                return self._end(self._refused(lesson, lesson.refusal))
            self._control.plan, told = rough(copy, lesson)
            self._folder.log({"kind": "estimate", "text": told})
            reader = Reader(
                copy, self._control.ctx, self._place, self._settings.device, self._settings.threads
            )
            taught = teach(copy, lesson, reader, self._control, self._settings)
            if taught.paused:
                raise PausedError
            return self._end(self._judged(copy, lesson, taught, reader))

    def _take_snapshot(self) -> None:
        state = self._control.state
        with Library.open(self._place, create=False, settings=self._settings) as library:
            wanted = (str(state.base), str(state.current), library.models.bundled().version)
            take(library, self._folder.snapshot, wanted)

    def _base(self, copy: Library) -> ModelCard:
        return copy.models.get(str(self._control.state.base))

    def _refused(self, lesson: Lesson, verdict: Verdict) -> RunResult:
        """A result without training: there is too little."""
        return self._result(lesson, verdict, notes=lesson.notes)

    def _judged(self, copy: Library, lesson: Lesson, taught: Taught, reader: Reader) -> RunResult:
        control, base = self._control, lesson.base
        control.enter("embedding", "Reading the library with the new model")
        card = trained_card(taught.folder, base, self._recipe, lesson.split.cut)
        copy.models.register(card)
        current = copy.models.get(str(control.state.current))
        for one in (card, current):
            reader.papers(one)
        control.enter("measuring", "Asking the held-out papers")
        earlier = opened.note(
            self._place, self._folder, lesson.primary, card.version, self._settings
        )
        same = current.version == base.version
        models = (
            Model("base", f"{base.name} (base)", base),
            Model("current", f"{current.name} (in use)", current, None if same else "base"),
            Model("new", "New model", card, "current"),
        )
        titles = lesson.primary == "titles"
        asked = asks(lesson.material, lesson.split, "test", by_titles=titles)
        measured = measure_models(
            copy, asked, models, reader, control.ctx, lesson.primary, hiding(lesson.split)
        )
        links = lesson.split.by == "edge" and not titles
        verdict = judge(measured.rows, lesson.primary, links=links)
        notes = (
            *taught.notes,
            *self._overrun(),
            *reader.notes,
            *lesson.notes,
            *verdict.notes,
            *([] if lesson.material.timeless else [CANDIDATES]),
            *opened.again(earlier),
            *self._changes(lesson),
        )
        result = self._result(lesson, verdict, notes, taught, measured)
        control.ctx.check()
        return self._publish(copy, lesson, card, result)

    def _overrun(self) -> tuple[str, ...]:
        """Whether the minutes were not kept."""
        self._control.update()
        took, limit = self._control.state.seconds / 60, self._recipe.minutes
        if limit is None or took <= limit * _SLACK:
            return ()
        return (f"The run took {took:.1f} min; it was to stay within {limit:g} min.",)

    def _changes(self, lesson: Lesson) -> tuple[str, ...]:
        with Library.open(self._place, create=False, settings=self._settings) as library:
            found = changed_since(lesson.material, library)
        return (found,) if found else ()

    def _result(
        self,
        lesson: Lesson,
        verdict: Verdict,
        notes: tuple[str, ...] = (),
        taught: Taught | None = None,
        measured: Measured | None = None,
    ) -> RunResult:
        self._control.update()
        state = self._control.state
        gained, lost = extremes(measured, lesson.material) if measured is not None else ((), ())
        return RunResult(
            id=self._folder.id,
            recipe=self._recipe.to_json(),
            verdict=verdict.word,
            sentence=verdict.sentence,
            base=lesson.base.version,
            current=str(state.current),
            version=None,
            split=lesson.split.name,
            queries=len(measured.asked) if measured is not None else lesson.queries,
            examples=lesson.examples(),
            rows=tuple(measured.rows) if measured is not None else (),
            gained=gained,
            lost=lost,
            notes=tuple(dict.fromkeys(notes)),
            seconds=state.seconds,
            cpu_seconds=state.cpu_seconds,
            peak_mb=state.peak_mb,
            joules=state.joules,
            steps=taught.steps if taught is not None else 0,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def _publish(
        self, copy: Library, lesson: Lesson, card: ModelCard, result: RunResult
    ) -> RunResult:
        """The model and its vectors into the library; another model stays in use."""
        result = replace(result, version=card.version)
        with Library.open(self._place, create=False, settings=self._settings) as library:
            publish(library.models, card, lesson.base, self._recipe, result)
            for version in (lesson.base.version, card.version):
                _hand_over(copy, library, version)
            number = opened.number(self._folder)
            if number is not None:
                with library.database.write() as conn:
                    evaluations.finish(conn, number, opened.report(result, number).to_json())
        self._control.update(version=card.version)
        return result

    def _end(self, result: RunResult) -> RunResult:
        """Write what came out, and let go of what was needed on the way."""
        self._folder.put_result(result)
        self._folder.clear()
        return result


def _hand_over(copy: Library, library: Library, version: str) -> None:
    """Give a library the vectors that its copy has and it lacks; texts changed since have none."""
    there = copy.vector_store.snapshot(version)
    marks = copy.vector_store.marks(version).sound
    known = library.vector_store.marks(version).sound
    alive = {int(one) for one in library.papers.ids()}
    rows = [
        (row, paper)
        for row, paper in enumerate(there.ids.tolist())
        if paper in alive and paper in marks and paper not in known
    ]
    by_backend: dict[str, list[tuple[int, int]]] = {}
    for row, paper in rows:
        by_backend.setdefault(marks[paper][1], []).append((row, paper))
    for backend, some in by_backend.items():
        papers = [paper for _row, paper in some]
        vectors = there.matrix[[row for row, _paper in some]]
        # With the mark of the text that was read: another text is seen by it, and read again.
        library.vector_store.write(
            version, papers, vectors, [marks[paper][0] for paper in papers], backend
        )
