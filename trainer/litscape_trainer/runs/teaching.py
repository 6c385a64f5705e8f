"""The training of a run: a head on stored vectors, or the encoder itself; done once, kept."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.evaluation.records import MOST_QUERIES
from litscape.models.folder import read_folder
from litscape_trainer.objectives.registry import has_teacher
from litscape_trainer.recipes.registry import recipe
from litscape_trainer.runs.clock import Clock
from litscape_trainer.verdict import development
from litscape_trainer.verdict.asked import MOST_DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape.settings import AppSettings
    from litscape.vectors.store import VectorSnapshot
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.head.records import TrainedHead
    from litscape_trainer.loop.records import TrainingJob, Wish
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.control import Control
    from litscape_trainer.runs.folder import RunFolder
    from litscape_trainer.runs.lessons import Lesson
    from litscape_trainer.runs.shares import Part
    from litscape_trainer.sampling.teacher import Teacher
    from litscape_trainer.verdict.reader import Reader

DONE = "trained.json"
_ASKING_S = 0.06
"""One held-out paper or title, asked of all rankings; of similar papers as long again."""
_LEAST_LEFT = 0.05
"""Minutes that a trial of steps is asked about, where nothing is left of those chosen."""


@dataclass(frozen=True, slots=True)
class Taught:
    """A trained model.

    Attributes:
        folder: as sentence-transformers opens it.
        steps: optimiser steps taken.
        notes: what a person should know.
        paused: whether it was asked to pause: then there is no folder yet.
    """

    folder: Path
    steps: int
    notes: tuple[str, ...] = ()
    paused: bool = False


def teach(
    copy: Library, lesson: Lesson, reader: Reader, control: Control, settings: AppSettings
) -> Taught:
    """Train, or take what an earlier part of the run trained.

    Raises:
        UserError, EnvironmentFault: it can't be trained so, or the disk is full.
        JobCancelledError: the run was asked to end.
    """
    known = _known(control.folder)
    if known is not None:
        return known
    if lesson.recipe.method == "head":
        taught = _teach_head(lesson, reader, control, settings)
    else:
        start = _start(lesson, reader, control, settings)
        taught = _teach_encoder(lesson, start, reader, control, settings)
    if not taught.paused:
        values = {"folder": taught.folder.name, "steps": taught.steps, "notes": taught.notes}
        control.folder.put_text(f"output/{DONE}", json.dumps(values))
    return taught


def _known(folder: RunFolder) -> Taught | None:
    with suppress(OSError, ValueError, KeyError, TypeError):
        values: dict[str, Any] = json.loads((folder.output / DONE).read_text(encoding="utf-8"))
        place = folder.output / str(values["folder"])
        if (place / "modules.json").is_file():
            return Taught(place, int(values["steps"]), tuple(values["notes"]))
    return None


def _teach_head(lesson: Lesson, reader: Reader, control: Control, settings: AppSettings) -> Taught:
    from litscape_trainer.head.save import save_head

    head = _head(lesson, lesson.recipe, reader, control, settings, "training")
    control.folder.output.mkdir(parents=True, exist_ok=True)
    place = control.folder.output / "head"
    shutil.rmtree(place, ignore_errors=True)
    save_head(lesson.base, head, place, f"{lesson.base.name} {lesson.recipe.name}")
    control.update(step=head.step, steps=head.step, dev_base=head.baseline, dev_best=head.best)
    return Taught(place, head.step, head.notes)


def _start(lesson: Lesson, reader: Reader, control: Control, settings: AppSettings) -> ModelCard:
    """What the encoder starts from: the base, under a head where the recipe has it so."""
    from litscape_trainer.head.save import save_head

    if not begins_with_layer(lesson):
        return lesson.base
    place = control.folder.work / "start"
    if not place.exists():
        quick = replace(recipe("head"), seed=lesson.recipe.seed)
        head = _head(lesson, quick, reader, control, settings, "layer")
        if not head.best_step:
            return lesson.base
        partial = control.folder.work / "start.new"
        shutil.rmtree(partial, ignore_errors=True)
        partial.parent.mkdir(parents=True, exist_ok=True)
        save_head(lesson.base, head, partial, lesson.base.name)
        os.replace(partial, place)
        if head.best is not None and head.baseline is not None:
            told = f"{head.best:.3f} against {head.baseline:.3f} of the base model"
            text = f"It began with a layer on the stored vectors: {told} on the development papers."
            control.folder.log({"kind": "start", "text": text})
    control.update(layered=True)
    return read_folder(place)


def begins_with_layer(lesson: Lesson) -> bool:
    """Whether a layer on the stored vectors is learnt before the encoder is."""
    recipe = lesson.recipe
    wanted = recipe.head_first and recipe.method != "head" and lesson.primary == "citations"
    return wanted and not lesson.base.dense


def reads_stored(lesson: Lesson) -> bool:
    """Whether the base model's vectors of the papers are needed before anything is learnt."""
    known = lesson.recipe.method == "head" or has_teacher(lesson.recipe.objective)
    return known or begins_with_layer(lesson)


def _head(
    lesson: Lesson,
    quick: TrainingRecipe,
    reader: Reader,
    control: Control,
    settings: AppSettings,
    part: Part,
) -> TrainedHead:
    """A layer on the stored vectors; only as the ``training`` of a run it tells steps."""
    from litscape_trainer.head.records import HeadJob
    from litscape_trainer.head.train import train_head

    control.enter("reading", "Reading papers that have no vector yet")
    vectors = reader.papers(lesson.base)
    order = vectors.ids.argsort()
    ids, matrix = vectors.ids[order], vectors.matrix[order]
    asked = development.for_head(lesson.material, lesson.split, ids)
    # A minute that is begun anew after a pause: a head keeps no checkpoints.
    control.keeps_place = False
    control.enter(part, "Training a layer on the stored vectors")
    assert lesson.learnt is not None
    job = HeadJob(
        recipe=quick,
        card=lesson.base,
        ids=ids,
        vectors=matrix,
        examples=lesson.epoch,
        known=lesson.learnt.known,
        dev=(lambda apply: asked.figure(apply(matrix))) if len(asked) else None,
        pool=lesson.learnt.ids,
        threads=settings.threads,
        wish=control.wish,
    )
    head = train_head(job, control.ctx, control.hear if part == "training" else None)
    control.keeps_place = True
    return head


def _teach_encoder(
    lesson: Lesson, start: ModelCard, reader: Reader, control: Control, settings: AppSettings
) -> Taught:
    from litscape_trainer.loop.train import train

    stored = None
    if has_teacher(lesson.recipe.objective):
        control.enter("reading", "Reading papers that have no vector yet")
        stored = reader.papers(lesson.base)
    clock = Clock(lesson.recipe.minutes, control)
    made = job_of(lesson, start, control.folder.work, settings, clock.wish, stored)
    steps = control.state.steps
    if steps is None:
        steps = _probed(made, lesson, control)
        control.update(steps=steps)
    control.enter("training", "Training")
    model = train(made(steps), control.ctx, control.hear)
    began = [str(one["text"]) for one in control.folder.events() if one.get("kind") == "start"]
    notes = (*_not_kept(control.folder), *began[-1:], model.sentence, *clock.notes, *model.notes)
    control.update(step=model.step, steps=model.steps, dev_base=model.baseline,
                   dev_best=model.best)  # fmt: skip
    if model.folder is None:
        return Taught(control.folder.output, model.step, notes, paused=True)
    place = control.folder.output / "model"
    if model.folder != place:
        shutil.rmtree(place, ignore_errors=True)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(model.folder, place)
    return Taught(place, model.step, notes)


def job_of(
    lesson: Lesson,
    start: ModelCard,
    folder: Path,
    settings: AppSettings,
    wish: Callable[[], Wish],
    stored: VectorSnapshot | None = None,
) -> Callable[[int | None], TrainingJob]:
    """From a number of steps to the job, which begins with the model ``start``.

    Args:
        lesson: what is learnt.
        start: the model to begin with.
        folder: the job's.
        settings: device and threads.
        wish: of the person who started it.
        stored: the base model's vectors, where the objective learns from a teacher.
    """
    from litscape_trainer.loop.records import TrainingJob

    learnt = lesson.learnt
    assert learnt is not None
    make = development.for_titles if lesson.primary == "titles" else development.for_encoder
    asked = make(lesson.material, lesson.split, lesson.base)
    ids = learnt.ids.tolist()
    texts: dict[int, tuple[str | None, str | None]] = {
        paper: (title or None, abstract or None)
        for paper, title, abstract in zip(ids, learnt.titles, learnt.abstracts, strict=True)
    }
    teacher = None if stored is None else _teacher(learnt, stored, lesson.recipe)

    def made(steps: int | None) -> TrainingJob:
        return TrainingJob(
            recipe=lesson.recipe,
            card=start,
            examples=lesson.epoch,
            texts=texts,
            known=learnt.known,
            folder=folder,
            steps=steps,
            dev=asked.by_encoder if len(asked) else None,
            device=settings.device,
            threads=settings.threads,
            teacher=teacher,
            wish=wish,
        )

    return made


def _teacher(learnt: TrainingMaterial, stored: VectorSnapshot, shares: TrainingRecipe) -> Teacher:
    from litscape_trainer.sampling.teacher import Teacher

    order = stored.ids.argsort()
    return Teacher(learnt, stored.ids[order], stored.matrix[order], shares)


def _probed(
    made: Callable[[int | None], TrainingJob], lesson: Lesson, control: Control
) -> int | None:
    """The steps that fit into the minutes, from real ones on this device; None: the recipe's."""
    if lesson.recipe.minutes is None:
        return None
    from litscape_trainer.loop.probe import probe

    control.enter("probing", "Timing a few steps on this device")
    job = made(None)
    left = time_left(lesson.recipe.minutes, control.state.seconds, lesson)
    found = probe(job, left, texts_each_time(lesson), texts_after(lesson), control.ctx)
    control.folder.log(
        {"kind": "probe", "text": found.sentence, "steps": found.steps, "notes": found.notes}
    )
    after = texts_after(lesson) * found.seconds_per_text
    training = max(found.minutes * 60 - after, 1.0)
    control.plan = control.plan.timed(training, after + asking(lesson))
    if found.needed_minutes > left:  # also where the steps were chosen: the minutes are a promise
        raise UserError(f"Nothing was trained. {' '.join(found.notes)} Give it more minutes.")
    return found.steps


def _not_kept(folder: RunFolder) -> tuple[str, ...]:
    """What of the recipe was not kept, as the trial of steps found, perhaps before a pause."""
    tried = [one for one in folder.events() if one.get("kind") == "probe"]
    return tuple(str(note) for note in tried[-1].get("notes", ())) if tried else ()


def texts_each_time(lesson: Lesson) -> int:
    """How many texts are read, about, when the development queries are asked."""
    number = len(lesson.material.texts)
    queries = min(number, development.MOST_QUERIES) if lesson.primary == "titles" else 0
    return min(number, development.MOST_TEXTS) + queries


def texts_after(lesson: Lesson) -> int:
    """How many texts the new model reads after its training: papers, abstracts, titles."""
    number = len(lesson.material.texts)
    return number + min(number, MOST_DOCUMENTS) + min(number, MOST_QUERIES)


def asking(lesson: Lesson) -> float:
    """Seconds that the held-out papers take when they are asked at the end, about."""
    return _ASKING_S * (3 * lesson.queries + MOST_QUERIES)


def time_left(minutes: float, spent: float, lesson: Lesson) -> float:
    """Minutes that training and embedding anew may take, so that all of it stays within.

    Args:
        minutes: that were chosen.
        spent: seconds that went, or go, before the training.
        lesson: whose held-out papers are asked at the end.
    """
    return max(round(minutes - (spent + asking(lesson)) / 60, 2), _LEAST_LEFT)
