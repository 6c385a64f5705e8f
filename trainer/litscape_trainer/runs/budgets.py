"""What a run would take here: from real steps on this device, before anybody waits for it."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.jobs import null_context
from litscape_trainer.runs.bases import base_card, refuse_own_code
from litscape_trainer.runs.lessons import prepare
from litscape_trainer.runs.meter import peak_mb
from litscape_trainer.runs.records import Budget
from litscape_trainer.runs.teaching import job_of, texts_after
from litscape_trainer.verdict import development

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.lessons import Lesson

_TRIAL_MINUTES = 0.05
_SPEED = 40.0
"""Texts a second that the built-in model reads on one core: for heads, whose runs read no other."""


def estimate(library: Library, recipe: TrainingRecipe, ctx: JobContext | None = None) -> Budget:
    """Time and memory of a run.

    Raises:
        UserError: there is too little to learn from, or the base model can't be run.
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    base = base_card(library.models, recipe.base)
    refuse_own_code(base)
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
        job = job_of(lesson, Path(name), library.settings, go_on)(None)
        found = probe(job, None, development.MOST_TEXTS, texts_after(lesson), ctx)
    return Budget(
        device=found.device,
        seconds_per_step=found.seconds_per_step,
        steps=found.steps,
        seconds=found.minutes * 60,
        peak_mb=found.peak_bytes / 2**20,
        sentence=found.sentence,
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
    training = (lesson.recipe.minutes or 2.0) * 60
    seconds = training + reading
    return Budget(
        device="cpu",
        seconds_per_step=each,
        steps=lesson.recipe.steps or int(training / max(each, 1e-6)),
        seconds=seconds,
        peak_mb=peak_mb(),
        sentence=f"At most {_minutes(seconds)}, {_minutes(training)} of them for training: "
        "no text is read for that.",
    )


def _minutes(seconds: float) -> str:
    minutes = seconds / 60
    return f"{minutes:.0f} minutes" if minutes >= 2 else f"{max(1, round(seconds)):,} seconds"
