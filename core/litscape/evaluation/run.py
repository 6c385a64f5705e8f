"""Measuring search in a library: one task, every ranking, stored with its date.

Loads SciPy, and embeds texts for some tasks: for a process of its own (:mod:`litscape.apart`).
"""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from litscape.alike.weights import learned
from litscape.errors import NotReadyError, UserError
from litscape.evaluation.bootstrap import compare
from litscape.evaluation.material import Material
from litscape.evaluation.metrics import MAP_DEPTH
from litscape.evaluation.pairs import AREA, tell_apart
from litscape.evaluation.protocol import Evaluation, ask
from litscape.evaluation.records import Figures, Report
from litscape.evaluation.remembered import embed_copy
from litscape.evaluation.scratch import without
from litscape.evaluation.sentences import sentences
from litscape.evaluation.systems import BASE, SYSTEMS
from litscape.evaluation.systems.base import Bench, in_order
from litscape.evaluation.tasks import TASKS
from litscape.evaluation.tasks.base import TRUSTED, TooFewError
from litscape.jobs import null_context
from litscape.near import no_such
from litscape.store import evaluations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from litscape.evaluation.records import Question, Wanted
    from litscape.evaluation.systems.base import Encode, System
    from litscape.evaluation.tasks.base import Prepared, Task
    from litscape.jobs import JobContext
    from litscape.library import Library

_NO_VECTORS = (
    "No paper has a vector of the model {version}: words and TF-IDF alone were measured. "
    "Compute similarity to measure meaning."
)
_ANEW = (
    "What the signals of similar papers count for was learned anew, from the links that were not "
    "hidden."
)
_BY_DEFAULT = (
    "What the signals of similar papers count for could not be learned from the links that were "
    "not hidden: the blend was measured with its default weights."
)
_KNOWING = (
    "The built-in model was itself trained on citations between papers, so what it finds by "
    "meaning is not free of them."
)
_OPENED = (
    "The test of this task has been opened {times} before in this library: a choice made after "
    "looking at it makes the next figure too good."
)


def measure(library: Library, wanted: Wanted, ctx: JobContext | None = None) -> Report:
    """Measure every ranking on one task, and store what came out.

    The library stays as it is: rankings work on a copy that lacks what is to be found.

    Args:
        library: what is measured.
        wanted: the task, which of its queries, and how they are drawn.
        ctx: hears of progress; may ask for the end.

    Returns:
        Figures with intervals; none, and a sentence, where there is too little to measure.

    Raises:
        UserError: there is no such task, or the test can't be logged.
        EnvironmentFault: the disk is full.
        JobCancelledError: ``ctx`` asked for the end; an opened test stays noted.
    """
    ctx = ctx or null_context()
    task = _task(library, wanted)
    began = time.monotonic()
    blank = _blank(library, task, wanted)
    ctx.progress(0, None, "Drawing queries")
    material = Material.of(library)
    try:
        prepared = task.prepare(library, material, wanted)
    except TooFewError as few:
        limited = few.number == wanted.most  # there may be more, but no more were drawn
        said = _LIMITED.format(most=wanted.most, least=task.least)
        sentence = said if limited else str(few)
        return replace(blank, papers=len(material.ids), sentences=(sentence,))
    notes = _notes(library, prepared, task, wanted)
    number = _begin(library, blank)
    found, missing = _rankings(library, prepared, task, ctx)
    figures = _figures(found)
    report = replace(
        blank,
        split=prepared.split,
        queries=len(prepared.questions),
        papers=max(len(one.candidates) for one in prepared.questions),
        figures=figures,
        sentences=sentences(task, figures),
        notes=(*notes, *missing),
        seconds=round(time.monotonic() - began, 1),
        number=number,
    )
    if number is not None:
        with library.database.write() as conn:
            evaluations.finish(conn, number, report.to_json())
    return report


_LIMITED = (
    "Too small to measure reliably: at most {most:,} queries were asked for, and fewer than "
    "{least} say nothing. Allow more queries."
)


def _task(library: Library, wanted: Wanted) -> Task:
    if wanted.task not in TASKS:
        raise UserError(no_such("task", wanted.task, list(TASKS)))
    if wanted.part == "test" and library.database.read_only:
        raise UserError(
            "The test is opened once and noted in the library, which is open for reading only: "
            "measure the development queries, or open it where it can be written."
        )
    return TASKS[wanted.task]


def _blank(library: Library, task: Task, wanted: Wanted) -> Report:
    return Report(
        task=task.name,
        title=task.title,
        about=task.about,
        part=wanted.part,
        split="",
        queries=0,
        papers=0,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        model=library.models.active().version,
        seed=wanted.seed,
    )


def _begin(library: Library, report: Report) -> int | None:
    """Note the beginning: who breaks off has opened the test all the same."""
    if library.database.read_only:
        return None
    with library.database.write() as conn:
        return evaluations.begin(
            conn, report.made_at, report.task, report.part, report.model, report.seed
        )


def _notes(library: Library, prepared: Prepared, task: Task, wanted: Wanted) -> tuple[str, ...]:
    notes = list(prepared.notes)
    number = len(prepared.questions)
    if number < TRUSTED:
        notes.append(
            f"Only {number:,} queries: fewer than {TRUSTED} give a rough figure; look at the "
            "interval."
        )
    if wanted.part == "test":
        with library.database.read() as conn:
            opened = evaluations.count_opened(conn, task.name)
        if opened:
            notes.append(_OPENED.format(times="once" if opened == 1 else f"{opened:,} times"))
    if task.of_papers and library.models.active().source == "bundled":
        notes.append(_KNOWING)
    return tuple(notes)


def _rankings(
    library: Library, prepared: Prepared, task: Task, ctx: JobContext
) -> tuple[dict[str, Evaluation], tuple[str, ...]]:
    """What each ranking does, by its name, and notes."""
    version = library.models.active().version
    with without(library, prepared.change, vectors=prepared.same_texts) as copy:
        there = len(library.vector_store.snapshot(version).ids)
        if there and not prepared.same_texts:
            embed_copy(copy, library, ctx)
        notes = learned_anew(library, copy, ctx) if task.of_papers and there else ()
        bench = Bench(copy, Material.of(copy), _encoder(library, ctx), ctx.check)
        systems = [
            one
            for one in SYSTEMS.values()
            if (there or not one.needs_vectors) and (task.of_papers or not one.needs_paper)
        ]
        found = {}
        for place, kind in enumerate(systems):
            part = _Part(ctx, place, len(systems), len(prepared.questions), task.title)
            found[kind.name] = _measured(kind(bench), prepared, part)
    if not there:
        return found, (_NO_VECTORS.format(version=version),)
    lacking = len(library.papers.ids()) - there
    if lacking > 0 and prepared.same_texts:
        notes = (*notes, f"{lacking:,} papers have no vector yet: meaning does not find them.")
    return found, notes


def learned_anew(library: Library, copy: Library, ctx: JobContext) -> tuple[str, ...]:
    """Where the library learned what signals count for, the copy does: of what is not hidden.

    Returns:
        What is to be said of it.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    from litscape.alike.learning import learn

    with library.database.read() as conn:
        before = learned(conn)
    if before is None or not before.adopted:
        return ()
    try:
        again = learn(copy, ctx)
    except NotReadyError:
        return (_BY_DEFAULT,)
    return (_ANEW,) if again.adopted else (_BY_DEFAULT,)


def _encoder(library: Library, ctx: JobContext) -> Encode:
    """Encodes queries; the model is prepared for that when the first one comes."""
    card = library.models.active()
    ready = False

    def encode(text: str) -> NDArray[np.float32]:
        nonlocal ready
        if not ready:
            library.engine.export(card, ctx)
            ready = True
        return library.engine.query(card).encode(text)

    return encode


class _Part:
    """The progress of one ranking as a part of the whole."""

    def __init__(self, ctx: JobContext, place: int, parts: int, size: int, task: str) -> None:
        self._ctx, self._place, self._parts, self._size = ctx, place, parts, size
        self._task = task

    def tell(self, done: int, name: str) -> None:
        """Say how far it is, and end where that is wished."""
        self._ctx.progress(
            self._place * self._size + done,
            self._parts * self._size,
            f"{self._task}: {name}, {done:,} of {self._size:,} queries",
        )


def _measured(system: System, prepared: Prepared, part: _Part) -> Evaluation:
    asked = 0

    def rank(question: Question) -> NDArray[np.int64]:
        nonlocal asked
        part.tell(asked, system.title)
        asked += 1
        scores = system.score(question, len(question.candidates) if question.listed else MAP_DEPTH)
        ranked = in_order(scores, question.candidates, listed=question.listed)
        return ranked[:MAP_DEPTH]

    found = ask(system.title, rank, prepared.questions)
    if not prepared.pairs:
        return found
    area = tell_apart(system, prepared.pairs, lambda: part.tell(asked, system.title))
    return Evaluation(found.name, {**found.values, AREA: area})


def _figures(found: dict[str, Evaluation]) -> tuple[Figures, ...]:
    base = found.get(BASE)
    figures = []
    for name, one in found.items():
        over = {}
        if base is not None and name != BASE:
            over = {
                measure: compare(base.values[measure], values)
                for measure, values in one.values.items()
            }
        figures.append(Figures(name, one.name, one.estimates(), over))
    return tuple(figures)
