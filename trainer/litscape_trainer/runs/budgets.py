"""What a run would take here: from real steps on this device, before anybody waits for it."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.evaluation.records import MOST_QUERIES
from litscape.jobs import null_context
from litscape_trainer.runs.bases import trainable_base
from litscape_trainer.runs.lessons import prepare
from litscape_trainer.runs.meter import peak_mb
from litscape_trainer.runs.records import Budget
from litscape_trainer.runs.teaching import job_of, texts_after, texts_each_time

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.lessons import Lesson

_TRIAL_MINUTES = 0.05
_ASKING_S = 0.06
"""One held-out paper or title, asked of all rankings; of similar papers as long again."""
_SPEED = 40.0
"""Texts a second that the built-in model reads on one core: for heads, whose runs read no other."""


def estimate(library: Library, recipe: TrainingRecipe, ctx: JobContext | None = None) -> Budget:
    """Time and memory of a run.

    Raises:
        UserError: there is too little to learn from, or the base model can't be run.
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    base = trainable_base(library.models, recipe.base)
    ctx.progress(0, None, "Reading papers and links")
    lesson = prepare(library, recipe, base)
    if lesson.refusal is not None:
        raise UserError(lesson.refusal.sentence)
    ctx.progress(0, None, "Timing a few steps on this device")
    if recipe.method == "head":
        return _head(library, lesson)
    return _encoder(library, lesson, ctx)


def _encoder(library: Library, lesson: Lesson, ctx: JobContext) -> Budget:
    from litscape_trainer.loop.probe import probe
    from litscape_trainer.loop.records import go_on

    with tempfile.TemporaryDirectory(prefix="litscape-probe-") as name:
        job = job_of(lesson, lesson.base, Path(name), library.settings, go_on)(None)
        found = probe(job, None, texts_each_time(lesson), texts_after(lesson), ctx)
    return Budget(
        device=found.device,
        seconds_per_step=found.seconds_per_step,
        steps=found.steps,
        seconds=found.minutes * 60,
        peak_mb=found.peak_bytes / 2**20,
        sentence=found.sentence,
        enough=lesson.recipe.minutes is None or found.needed_minutes <= lesson.recipe.minutes,
    )


def _head(library: Library, lesson: Lesson) -> Budget:
    """A short real training on the stored vectors; papers without one are counted."""
    from litscape_trainer.head.records import HeadJob
    from litscape_trainer.head.train import train_head

    there = library.vector_store.snapshot(lesson.base.version)
    missing = len(lesson.material.texts) - len(there)
    reading = (missing + texts_after(lesson) - len(lesson.material.texts)) / _SPEED
    assert lesson.learnt is not None
    if len(there) < 2:
        return Budget(
            "cpu", 0.0, 0, reading + 60, 0.0,
            f"About {_minutes(reading + 60)}: {missing:,} papers have no vector of the base model "
            "yet and are read first.",
        )  # fmt: skip
    order = there.ids.argsort()
    recipe = replace(lesson.recipe, minutes=_TRIAL_MINUTES)
    head = train_head(
        HeadJob(
            recipe=recipe,
            card=lesson.base,
            ids=there.ids[order],
            vectors=there.matrix[order],
            examples=lesson.epoch,
            known=lesson.learnt.known,
            threads=library.settings.threads,
        )
    )
    each = head.seconds / max(head.step, 1)
    wanted = int(recipe.epochs * len(lesson.epoch(0)) / recipe.batch)
    steps = lesson.recipe.steps or max(1, wanted)
    training = min(steps * each, (lesson.recipe.minutes or steps) * 60)
    asking = _ASKING_S * (3 * lesson.queries + MOST_QUERIES)
    seconds = training + reading + asking
    limit = lesson.recipe.minutes
    enough = limit is None or seconds <= limit * 60
    over = (
        ""
        if enough
        else (f" Together that is more than the {limit:g} min chosen: only training stays within.")
    )
    return Budget(
        device="cpu",
        seconds_per_step=each,
        steps=steps,
        seconds=seconds,
        peak_mb=peak_mb(),
        sentence=f"About {_minutes(training)} for training, which reads no text, and "
        f"{_minutes(reading + asking)} for measuring; {peak_mb():,.0f} MB.{over}",
        enough=enough,
    )


def _minutes(seconds: float) -> str:
    if seconds >= 120:
        return f"{seconds / 60:.0f} minutes"
    whole = max(1, round(seconds))
    return f"{whole} second{'' if whole == 1 else 's'}"
