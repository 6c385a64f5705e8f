"""What a run would take here: from real steps on this device, before anybody waits for it."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.embed.text import paper_text
from litscape.errors import UserError
from litscape.jobs import null_context
from litscape_trainer.objectives.registry import has_teacher
from litscape_trainer.runs.bases import trainable_base
from litscape_trainer.runs.checks import refuse_two_parts
from litscape_trainer.runs.lessons import prepare
from litscape_trainer.runs.meter import peak_mb
from litscape_trainer.runs.records import Budget
from litscape_trainer.runs.shares import LAYER_S, Seconds
from litscape_trainer.runs.teaching import (
    asking,
    begins_with_layer,
    job_of,
    reads_stored,
    texts_after,
    texts_each_time,
    time_left,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.lessons import Lesson

_TRIAL_MINUTES = 0.05
_SPEED = 40.0
"""Texts a second that the built-in model reads on one core, where nothing is timed."""
_TRIED = 16
"""Texts that are read to time it."""


def estimate(library: Library, recipe: TrainingRecipe, ctx: JobContext | None = None) -> Budget:
    """Time and memory of a run.

    Raises:
        UserError: there is too little to learn from, or the base model can't be run.
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    base = trainable_base(library.models, recipe.base)
    refuse_two_parts(recipe, base)
    ctx.progress(0, None, "Reading papers and links")
    lesson = prepare(library, recipe, base)
    if lesson.refusal is not None:
        raise UserError(lesson.refusal.sentence)
    ctx.progress(0, None, "Timing a few steps on this device")
    if recipe.method == "head":
        return _head(library, lesson)
    return _encoder(library, lesson, ctx)


def rough(library: Library, lesson: Lesson) -> tuple[Seconds, str]:
    """What the parts of a run take, about, before any step was timed.

    Returns:
        The seconds, and a line on what is known by now; of the training of an encoder, the trial
        of steps tells more.
    """
    first = _first(library, lesson)
    after = texts_after(lesson) / _SPEED + asking(lesson)
    told = [*first.clauses]
    if lesson.recipe.method == "head":
        after -= len(lesson.material.texts) / _SPEED
        most = lesson.recipe.minutes
        told.append(f"training: {'some minutes' if most is None else f'at most {most:g} min'}")
    told.append(f"embedding and measuring: about {_minutes(after)}")
    seconds = Seconds.rough(lesson.recipe, first.reading, first.layer, after)
    return seconds, _line(told)


@dataclass(frozen=True, slots=True)
class _First:
    """What comes before the training: papers without vector are read once, a layer is learnt."""

    missing: int = 0
    reading: float = 0.0
    layer: float = 0.0

    @property
    def seconds(self) -> float:
        return self.reading + self.layer

    @property
    def clauses(self) -> list[str]:
        """What comes first, and how long it takes."""
        told = []
        if self.missing:
            papers = f"{self.missing:,} paper{'' if self.missing == 1 else 's'}"
            told.append(f"reading {papers} first: about {_minutes(self.reading)}, once")
        if self.layer:
            told.append(f"a layer on the stored vectors: about {_minutes(self.layer)}")
        return told

    @property
    def sentence(self) -> str:
        """The same in one line; empty where nothing comes first."""
        return _line(self.clauses)


def _first(library: Library, lesson: Lesson) -> _First:
    if not reads_stored(lesson):
        return _First()
    missing = library.vector_store.pending(lesson.base)
    each = _seconds_per_text(library, lesson) if missing else 0.0
    return _First(missing, missing * each, LAYER_S if begins_with_layer(lesson) else 0.0)


def _seconds_per_text(library: Library, lesson: Lesson) -> float:
    """Of reading with the base model: a few real texts, after one that warms it up."""
    from litscape.embed.torch_encoder import TorchEncoder

    settings = library.settings
    texts = list(lesson.material.texts.values())
    every = texts[:: max(1, len(texts) // _TRIED)][:_TRIED]
    chosen = [one for each in every if (one := paper_text(lesson.base, each.title, each.abstract))]
    if not chosen:
        return 1 / _SPEED
    encoder = TorchEncoder(lesson.base, settings.device, threads=settings.threads)
    encoder.encode(chosen[:1], "paper", null_context())
    began = time.perf_counter()
    encoder.encode(chosen, "paper", null_context())
    return (time.perf_counter() - began) / len(chosen)


def _encoder(library: Library, lesson: Lesson, ctx: JobContext) -> Budget:
    from litscape_trainer.loop.probe import probe
    from litscape_trainer.loop.records import go_on

    first, limit, last = _first(library, lesson), lesson.recipe.minutes, asking(lesson)
    left = None if limit is None else time_left(limit, first.seconds, lesson)
    told = _line([*first.clauses, f"asking the held-out papers at the end: about {_minutes(last)}"])
    if left is not None:
        told += f" Of the {limit:g} min, {left:g} are left for training and embedding anew."
    taught = has_teacher(lesson.recipe.objective)
    stored = library.vector_store.snapshot(lesson.base.version) if taught else None
    with tempfile.TemporaryDirectory(prefix="litscape-probe-") as name:
        job = job_of(lesson, lesson.base, Path(name), library.settings, go_on, stored)(None)
        found = probe(job, left, texts_each_time(lesson), texts_after(lesson), ctx)
    peak = found.peak_bytes / 2**20
    return Budget(
        device=found.device,
        seconds_per_step=found.seconds_per_step,
        steps=found.steps,
        seconds=first.seconds + found.minutes * 60 + last,
        peak_mb=peak,
        sentence=f"{told} {found.sentence} It needs about {peak:,.0f} MB of memory.",
        enough=left is None or found.needed_minutes <= left,
    )


def _head(library: Library, lesson: Lesson) -> Budget:
    """A short real training on the stored vectors; papers without one are counted."""
    from litscape_trainer.head.records import HeadJob
    from litscape_trainer.head.train import train_head

    there = library.vector_store.snapshot(lesson.base.version)
    first = _first(library, lesson)
    measuring = (texts_after(lesson) - len(lesson.material.texts)) / _SPEED + asking(lesson)
    assert lesson.learnt is not None
    if len(there) < 2:
        return Budget(
            "cpu", 0.0, 0, first.seconds + LAYER_S + measuring, 0.0,
            f"{first.sentence} Then about {_minutes(LAYER_S)} for training and "
            f"{_minutes(measuring)} for measuring.",
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
    seconds = first.seconds + training + measuring
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
        sentence=f"{first.sentence} About {_minutes(training)} for training, which reads no text, "
        f"and {_minutes(measuring)} for measuring; {peak_mb():,.0f} MB of memory.{over}".strip(),
        enough=enough,
    )


def _line(clauses: Sequence[str]) -> str:
    line = "; ".join(clauses)
    return f"{line[:1].upper()}{line[1:]}." if line else ""


def _minutes(seconds: float) -> str:
    if seconds >= 120:
        return f"{seconds / 60:.0f} minutes"
    whole = max(1, round(seconds))
    return f"{whole} second{'' if whole == 1 else 's'}"
