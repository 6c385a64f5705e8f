"""What a training costs here, from a few real steps: before anybody waits for it."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from litscape.embed.text import paper_text
from litscape.errors import EnvironmentFault
from litscape.jobs import null_context
from litscape_trainer.loop.memory import peak_bytes
from litscape_trainer.loop.records import Probe
from litscape_trainer.loop.steps import Stepper

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.jobs import JobContext
    from litscape_trainer.examples.records import ExampleSet
    from litscape_trainer.loop.records import TrainingJob
    from litscape_trainer.recipes.recipe import TrainingRecipe

FOLDER = "probe"
_WARM, _TIMED = 1, 3
_ENOUGH_S = 20.0
_ENCODED = 16
_MARGIN = 0.95
"""Of the minutes, what is planned for: a machine is never quite as quick again."""


@dataclass(frozen=True, slots=True)
class _Costs:
    """Seconds of each part."""

    step: float
    text: float
    preparation: float


def probe(
    job: TrainingJob,
    minutes: float | None = None,
    dev_texts: int = 0,
    library_texts: int = 0,
    ctx: JobContext | None = None,
) -> Probe:
    """Make a few real steps, and say how many fit.

    Args:
        job: what would be trained; nothing in its folder is left or changed.
        minutes: to stay within; None: the recipe's own, and no limit where it has none.
        dev_texts: texts that one measurement of ``job.dev`` encodes.
        library_texts: texts to be embedded with the new model at the end.
        ctx: asked before each step.

    Raises:
        UserError, EnvironmentFault: as training itself would.
    """
    ctx = ctx or null_context()
    folder = job.folder / FOLDER
    notes: list[str] = []
    try:
        first = job.examples(0)
        size = job.recipe.batch * job.recipe.accumulation * (_WARM + _TIMED)
        few = replace(job, folder=folder, examples=lambda epoch: _some(first, size, epoch))
        stepper = Stepper(few, ctx, notes.append)
        try:
            costs, examples = _measured(few, stepper, first, ctx)
            return _told(job, stepper, costs, examples, minutes, (dev_texts, library_texts), notes)
        finally:
            stepper.encoder.release()
    except OSError as error:
        raise EnvironmentFault(
            f"A trial run can't be made in {folder}: {error.strerror or error}."
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _some(examples: ExampleSet, number: int, epoch: int) -> ExampleSet:
    """Some of the examples, drawn over all of them."""
    rng = np.random.default_rng([epoch, number])
    rows = rng.permutation(len(examples))[:number]
    return replace(
        examples,
        anchors=examples.anchors[rows],
        positives=examples.positives[rows],
        negatives=examples.negatives[rows],
        weights=examples.weights[rows],
        kinds=examples.kinds[rows],
        negative_kinds=examples.negative_kinds[rows],
        numbers=examples.numbers[rows],
        negative_numbers=examples.negative_numbers[rows],
    )


def _measured(
    job: TrainingJob, stepper: Stepper, whole: ExampleSet, ctx: JobContext
) -> tuple[_Costs, int]:
    """The costs, and how many examples there are."""
    began = time.perf_counter()
    stepper.start()
    starting = time.perf_counter() - began
    store = stepper.encoder.store
    named = np.concatenate((whole.anchors, whole.positives, whole.negatives.ravel()))
    papers = len(np.unique(named))
    preparation = starting / max(len(store), 1) * papers if store is not None else 0.0
    place, seconds = (0, 0), []
    for step in range(_WARM + _TIMED):
        ctx.check()
        began = time.perf_counter()
        _loss, place = stepper.step(place, step, _WARM + _TIMED)
        seconds.append(time.perf_counter() - began)
        if step >= _WARM and sum(seconds) > _ENOUGH_S:
            break
    texts = [paper_text(job.card, *both) for both in list(job.texts.values())[: 4 * _ENCODED]]
    chosen = [text for text in texts if text][:_ENCODED]
    began = time.perf_counter()
    stepper.encoder.encode(chosen)
    text = (time.perf_counter() - began) / len(chosen)
    return _Costs(median(seconds[_WARM:]), text, preparation), len(whole)


def _told(
    job: TrainingJob,
    stepper: Stepper,
    costs: _Costs,
    examples: int,
    minutes: float | None,
    texts: tuple[int, int],
    notes: list[str],
) -> Probe:
    recipe = job.recipe
    each = recipe.batch * recipe.accumulation
    wanted = job.steps or recipe.steps or max(1, int(recipe.epochs * examples / each))
    limit = minutes if minutes is not None else recipe.minutes

    def seconds(steps: int) -> float:
        reading = _measurements(job, steps) * texts[0] + texts[1]
        return costs.preparation + reading * costs.text + steps * costs.step

    steps = wanted if limit is None else _fitting(seconds, wanted, limit * 60 * _MARGIN)
    took, others = seconds(steps) / 60, (seconds(steps) - steps * costs.step) / 60
    device, precision = stepper.encoder.device.type, stepper.encoder.precision
    kept = _not_kept(recipe, limit, seconds(1) / 60, steps)
    return Probe(
        seconds_per_step=costs.step,
        seconds_per_text=costs.text,
        preparation_seconds=costs.preparation,
        peak_bytes=peak_bytes(stepper.encoder.device),
        steps=steps,
        minutes=took,
        micro_batch=max(1, recipe.batch // stepper.pieces),
        device=device,
        precision=precision,
        sentence=" ".join(
            [
                f"A step of {each:,} examples takes about {costs.step:.2g} s here ({device}, "
                f"{precision}). {_steps_take(steps)} about {_number(took)} minutes, "
                f"{_number(others)} of them for getting ready, measuring and embedding anew.",
                *kept,
                *notes,
            ]
        ),
        needed_minutes=seconds(1) / 60,
        notes=kept,
    )


def _measurements(job: TrainingJob, steps: int) -> int:
    """How often the development queries are asked: before, every share of the steps, at the end."""
    if job.dev is None:
        return 0
    return 1 + -(-steps // max(1, round(job.recipe.dev_every * steps)))


def _fitting(seconds: Callable[[int], float], wanted: int, budget: float) -> int:
    """The most steps that fit, by halving; 1 where none does."""
    low, high = 1, wanted
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if seconds(middle) <= budget else (low, middle - 1)
    return low


def _not_kept(
    recipe: TrainingRecipe, limit: float | None, needed: float, steps: int
) -> tuple[str, ...]:
    """What of the recipe can't be kept."""
    if limit is None:
        return ()
    told = []
    if limit < needed:
        told.append(
            f"{_minutes(limit)} too short: a single step with measuring and embedding anew takes "
            f"about {_number(needed)} minutes here."
        )
    if recipe.steps is not None and steps < recipe.steps:
        fit = "fits" if steps == 1 else "fit"
        told.append(
            f"Of the {recipe.steps:,} steps that were asked for, {steps:,} {fit} into the time "
            f"({limit:g} min)."
            if limit >= needed
            else f"Of the {recipe.steps:,} steps that were asked for, {steps:,} is made."
        )
    return tuple(told)


def _minutes(limit: float) -> str:
    return "1 minute is" if limit == 1 else f"{limit:g} minutes are"


def _steps_take(steps: int) -> str:
    """The beginning of a sentence."""
    return "1 step takes" if steps == 1 else f"{steps:,} steps take"


def _number(minutes: float) -> str:
    return f"{minutes:,.0f}" if minutes >= 10 else f"{minutes:.1f}"
