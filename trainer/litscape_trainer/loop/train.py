"""The loop: step after step, measured and kept on the way, to a better encoder."""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.jobs import null_context
from litscape_trainer.checkpoints.folder import write_folder
from litscape_trainer.checkpoints.states import Checkpoints, RunProgress
from litscape_trainer.choosing import measurably_better
from litscape_trainer.encoders.trainable import trained_model
from litscape_trainer.loop.memory import peak_bytes
from litscape_trainer.loop.records import TrainedModel
from litscape_trainer.loop.schedule import rate
from litscape_trainer.loop.sentences import ending
from litscape_trainer.loop.steps import LOWER, Stepper

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.jobs import JobContext
    from litscape_trainer.loop.records import Ended, OnEvent, TrainingJob

CHECKPOINTS, MODEL = "checkpoints", "model"
"""What else lies in a job's folder: states of the run, and the trained model."""


def train(
    job: TrainingJob, ctx: JobContext | None = None, on_event: OnEvent | None = None
) -> TrainedModel:
    """Train, going on from the last checkpoint in ``job.folder`` if there is one.

    On a processor the weights are the same, bit for bit, wherever the run was broken off. Started
    by ``accelerate launch``, all processes call this with the same job; the main one writes,
    measures and tells.

    Args:
        job: what to train.
        ctx: told the step; asked before each one whether to end, and then checkpoints stay.
        on_event: told of what happens, each a mapping with ``t`` (seconds since 1970) and
            ``kind``: ``state`` (``state``: started, resumed or one of ``Ended``; ``step``,
            ``steps``, ``device``, ``precision``, ``processes``), ``step`` (``step``, ``steps``,
            ``loss``, ``rate``, ``examples_per_second``, ``seconds_left``), ``dev`` (``step``,
            ``value``, ``baseline``, ``best``, ``best_step``, ``seconds``), ``checkpoint``
            (``step``, ``path``) or ``note`` (``text``).

    Raises:
        UserError: there are no examples, or the model can't be trained so.
        EnvironmentFault: the disk is full (earlier checkpoints are untouched), or memory does not
            hold even one text.
        JobCancelledError: ``ctx`` was cancelled.
    """
    run = _Run(job, ctx or null_context(), on_event or (lambda _event: None))
    try:
        return run.go()
    finally:
        run.close()


def forget(folder: Path) -> None:
    """Take away what a job needed on the way: its checkpoints and the states of lower layers."""
    for name in (CHECKPOINTS, LOWER):
        shutil.rmtree(folder / name, ignore_errors=True)


class _Run:
    """One training in this process."""

    def __init__(self, job: TrainingJob, ctx: JobContext, on_event: OnEvent) -> None:
        self._job = job
        self._ctx = ctx
        self._on_event = on_event
        key = f"{job.recipe.hash}/{job.card.identity}"
        self._checkpoints = Checkpoints(job.folder / CHECKPOINTS, key)
        self._progress = RunProgress(key, 0, 0)
        ctx.check()
        self._main = True
        self._stepper = Stepper(job, ctx, self._note)
        self._main = self._stepper.processes.main

    def close(self) -> None:
        """Let go of files."""
        self._stepper.encoder.release()

    def go(self) -> TrainedModel:
        """All steps that are left."""
        ended = self._begin()
        while ended is None and self._progress.step < self._progress.steps:
            progress = self._progress
            self._ctx.progress(progress.step, progress.steps, "Training")
            began = time.perf_counter()
            loss, place = self._stepper.step(
                (progress.epoch, progress.batch), progress.step, progress.steps
            )
            if not np.isfinite(loss):
                ended = "diverged"
                break
            self._count(place, time.perf_counter() - began)
            self._tell_step(loss, time.perf_counter() - began)
            ended = self._after_step()
        return self._end(ended or "finished")

    def _begin(self) -> Ended | None:
        """From the last checkpoint, or from the start."""
        recipe, found = self._job.recipe, self._checkpoints.latest()
        examples = self._stepper.start()
        if found is not None:
            self._progress, weights, state = found
            self._stepper.epoch(self._progress.epoch)
            self._stepper.load(weights, state)
            self._stepper.pieces = self._progress.pieces
            self._tell_state("resumed")
            return self._spent()
        by_epochs = int(recipe.epochs * examples / (recipe.batch * recipe.accumulation))
        steps = self._job.steps or recipe.steps or max(by_epochs, 1)
        self._progress = replace(self._progress, steps=steps)
        self._tell_state("started")
        self._measure()
        self._save()
        return None

    def _count(self, place: tuple[int, int], seconds: float) -> None:
        self._progress = replace(
            self._progress,
            step=self._progress.step + 1,
            epoch=place[0],
            batch=place[1],
            pieces=self._stepper.pieces,
            seconds=self._progress.seconds + seconds,
        )

    def _after_step(self) -> Ended | None:
        """Measure and keep where it is time, and see whether the run is to end."""
        step, steps = self._progress.step, self._progress.steps
        every = max(1, round(self._job.recipe.dev_every * steps))
        due = step % every == 0 or step == steps
        if due:
            self._measure()
            self._save()
            if self._spent():
                return self._spent()
        wish = self._stepper.processes.told(self._job.wish())
        if wish == "go" or step == steps:
            return None
        if not due:
            self._save()
        return "paused" if wish == "pause" else "stopped"

    def _spent(self) -> Ended | None:
        """Whether nothing was gained for so long that the run ends early."""
        spent = self._job.dev is not None and self._progress.waited >= self._job.recipe.patience
        return "early" if spent and self._progress.step < self._progress.steps else None

    def _measure(self) -> None:
        """The development figure of the weights as they are; the best are kept."""
        if self._job.dev is None:
            return
        began = time.perf_counter()
        found = self._job.dev(self._stepper.encoder.encode).tolist() if self._main else []
        values = tuple(self._stepper.processes.told(found))
        value = float(np.mean(values))
        self._stepper.encoder.train()
        old = self._progress
        better = old.best is None or value > old.best
        if better and old.step and self._main:
            self._checkpoints.save_best(old.step, self._stepper.encoder.trainable())
        self._progress = replace(
            old,
            baseline=value if old.baseline is None else old.baseline,
            base_values=values if old.baseline is None else old.base_values,
            best=value if better else old.best,
            best_values=values if better else old.best_values,
            best_step=old.step if better else old.best_step,
            waited=0 if better else old.waited + 1,
            dev=(*old.dev, (old.step, value)),
        )
        self._tell(
            "dev",
            step=old.step,
            value=value,
            baseline=self._progress.baseline,
            best=self._progress.best,
            best_step=self._progress.best_step,
            seconds=round(time.perf_counter() - began, 3),
        )

    def _save(self) -> None:
        step = self._progress.step
        if self._job.dev is None:  # nothing is measured: the last weights are the best
            self._progress = replace(self._progress, best_step=step)
            if step and self._main:
                self._checkpoints.save_best(step, self._stepper.encoder.trainable())
        if self._main:
            path = self._checkpoints.save(
                self._progress, self._stepper.weights(), self._stepper.state()
            )
            self._tell("checkpoint", step=step, path=str(path))
        self._stepper.processes.wait()

    def _end(self, ended: Ended) -> TrainedModel:
        """Write the model with the best weights, and tell what became of the run."""
        progress = self._chosen()
        folder = None if ended == "paused" else self._job.folder / MODEL
        if folder is not None and self._main:
            self._write(folder, progress.best_step)
        self._stepper.processes.wait()
        self._tell_state(ended)
        return TrainedModel(
            folder=folder,
            ended=ended,
            sentence=ending(ended, progress),
            step=progress.step,
            steps=progress.steps,
            best_step=progress.best_step,
            best=progress.best,
            baseline=progress.baseline,
            dev=progress.dev,
            seconds=progress.seconds,
            peak_bytes=peak_bytes(self._stepper.encoder.device),
            notes=progress.notes,
        )

    def _chosen(self) -> RunProgress:
        """With the step whose weights are kept: the best, or the base model where that is noise."""
        now = self._progress
        if self._job.dev is None or measurably_better(now.base_values, now.best_values):
            return now
        return replace(now, best_step=0, best=now.baseline)

    def _write(self, folder: Path, best: int) -> None:
        state = self._checkpoints.best(best) if best else {}
        model, dense = trained_model(self._job.card, self._job.recipe, state)
        layers = [
            (weight, bias, layer.activation)
            for (weight, bias), layer in zip(dense, self._job.card.dense, strict=True)
        ]
        write_folder(self._job.card, folder, model=model, dense=layers)

    def _note(self, text: str) -> None:
        if text not in self._progress.notes:
            self._progress = replace(self._progress, notes=(*self._progress.notes, text))
            self._tell("note", text=text)

    def _tell(self, kind: str, **values: Any) -> None:
        if self._main:
            self._on_event({"t": round(time.time(), 3), "kind": kind, **values})

    def _tell_state(self, state: str) -> None:
        self._tell(
            "state",
            state=state,
            step=self._progress.step,
            steps=self._progress.steps,
            device=self._stepper.encoder.device.type,
            precision=self._stepper.encoder.precision,
            processes=self._stepper.processes.number,
        )

    def _tell_step(self, loss: float, seconds: float) -> None:
        progress, recipe = self._progress, self._job.recipe
        left = (progress.steps - progress.step) * progress.seconds / max(progress.step, 1)
        self._tell(
            "step",
            step=progress.step,
            steps=progress.steps,
            loss=round(loss, 6),
            rate=recipe.learning_rate * rate(recipe, progress.step - 1, progress.steps),
            examples_per_second=round(recipe.batch * recipe.accumulation / max(seconds, 1e-9), 3),
            seconds_left=round(left, 1),
        )
