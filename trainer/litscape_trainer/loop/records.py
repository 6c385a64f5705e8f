"""What goes into a training and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from litscape.models.card import ModelCard
    from litscape_trainer.examples.records import ExampleSet, KnownPositives, Likenesses
    from litscape_trainer.recipes.recipe import TrainingRecipe

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]
    """Unit vectors (n, d) of papers' texts by the model as it is at that moment."""
    Dev = Callable[[Encode], NDArray[np.float64]]
    """What every choice is made by, of each development query (q,), such as its nDCG@10; the
    figure is their mean."""
    OnEvent = Callable[[Mapping[str, Any]], None]
    """Is given each event of a run; see :func:`litscape_trainer.loop.train.train`."""
    Wish = Literal["go", "pause", "stop"]
Ended = Literal["finished", "early", "stopped", "paused", "diverged"]


def go_on() -> Wish:
    """Nobody wishes the run to end."""
    return "go"


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """One training, with all that it reads.

    Attributes:
        recipe: how to train.
        card: the model to start from.
        examples: the examples of an epoch, counted from 0; the same for the same number.
        texts: title and abstract by paper.
        known: which papers must not be negatives of each other.
        folder: where checkpoints, stored layers and the trained model go.
        steps: optimiser steps, fixed before the run (see ``Probe.steps``); None: the recipe's own.
        dev: measured before the first step, every ``recipe.dev_every`` and at the end; None: the
            last weights are kept.
        device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
        threads: of torch on the processor; None leaves its own choice.
        teacher: for objectives that learn its likenesses; None: they can't be trained.
        wish: asked after every step: ``pause`` writes a checkpoint and ends, ``stop`` ends and
            keeps the best. Cancelling goes by the job's context.
    """

    recipe: TrainingRecipe
    card: ModelCard
    examples: Callable[[int], ExampleSet]
    texts: Mapping[int, tuple[str | None, str | None]]
    known: KnownPositives
    folder: Path
    steps: int | None = None
    dev: Dev | None = None
    device: str = "auto"
    threads: int | None = None
    teacher: Likenesses | None = None
    wish: Callable[[], Wish] = go_on


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """What became of a training.

    Attributes:
        folder: a model folder as sentence-transformers opens it, with the best weights; None
            while the run is paused.
        ended: ``finished`` all steps, ``early`` (no gain any more), ``stopped`` on wish,
            ``paused`` (train the same job again to go on) or ``diverged`` (the loss was no number).
        sentence: the same for people, with what else they should know.
        step, steps: how many steps were made, of how many.
        best_step: after which the kept weights were measured; 0: the base model's own, where
            nothing was measurably better (:mod:`litscape_trainer.choosing`).
        best, baseline: the development figure of the kept weights and of the base model.
        dev: all its measurements, (step, figure).
        seconds: of wall clock in training steps, over all parts of a resumed run.
        peak_bytes: of memory, by this process or on the device.
        notes: what happened on the way, such as halved batches.
    """

    folder: Path | None
    ended: Ended
    sentence: str
    step: int
    steps: int
    best_step: int
    best: float | None
    baseline: float | None
    dev: tuple[tuple[int, float], ...]
    seconds: float
    peak_bytes: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Probe:
    """What a few real steps on this device cost.

    Attributes:
        seconds_per_step: of wall clock, the median.
        seconds_per_text: to encode one text at the model's full length, for measuring and
            re-embedding.
        preparation_seconds: before the first step (layers that are stored once).
        peak_bytes: of memory, by this process or on the device.
        steps: that fit into the minutes, or that the recipe asks for if fewer; at least 1.
        minutes: what those steps take, with preparation, measurements and re-embedding.
        micro_batch: examples at a time that fit into memory.
        device, precision: what it ran on and with.
        sentence: the same for people.
        needed_minutes: what a single step takes with all else: fewer minutes can't be kept.
        notes: what of the recipe is not kept, in sentences.
    """

    seconds_per_step: float
    seconds_per_text: float
    preparation_seconds: float
    peak_bytes: int
    steps: int
    minutes: float
    micro_batch: int
    device: str
    precision: str
    sentence: str
    needed_minutes: float = 0.0
    notes: tuple[str, ...] = ()
