"""Training a head on stored vectors: a minute of a processor, and no text is read again.

The head begins as the identity: at its start it is the base model, and weight decay pulls it back
there. Since vectors cost nothing, each step contrasts an anchor with thousands of papers, all of a
small library, not only with those of its batch; and both ends of an example ask for the other.
Development queries say when to stop.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.errors import UserError
from litscape.jobs import null_context
from litscape_trainer.choosing import NOT_BETTER, measurably_better
from litscape_trainer.examples.records import NOBODY
from litscape_trainer.head.layers import ResidualHead
from litscape_trainer.head.records import TrainedHead
from litscape_trainer.loop.batches import Epoch, order_of
from litscape_trainer.loop.schedule import rate
from litscape_trainer.loop.sentences import NO_EXAMPLES, NO_TEACHER, passed_over
from litscape_trainer.objectives.registry import objective

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape_trainer.examples.records import ExampleSet
    from litscape_trainer.head.records import HeadJob, HeadLayer
    from litscape_trainer.loop.records import OnEvent

POOL = 4096
"""Papers beside those of the batch that a step contrasts its anchors with."""
LEAST_STEPS, MOST_STEPS = 60, 240
"""Whatever the number of examples, unless the recipe names its steps: Adam moves a weight by about
the learning rate a step, at most; and a minute of a processor is the most that is asked for."""


class _Stored:
    """Stored vectors in the place of texts: numbered once and for all."""

    def __init__(self, ids: NDArray[np.int64]) -> None:
        self._row = {paper: row for row, paper in enumerate(ids.tolist())}

    def add(self, papers: NDArray[np.int64], side: str) -> None:
        """Nothing is read."""

    def places(self, papers: NDArray[np.int64], side: str) -> NDArray[np.int64]:
        """Rows of papers' vectors, in the shape of ``papers``; -1 where there is none."""
        found = [self._row.get(paper, -1) for paper in papers.ravel().tolist()]
        return np.array(found, dtype=np.int64).reshape(papers.shape)


def train_head(
    job: HeadJob, ctx: JobContext | None = None, on_event: OnEvent | None = None
) -> TrainedHead:
    """Train a head; the one that measured best is given back.

    Args:
        job: what to train.
        ctx: told the step, asked before each one whether to end.
        on_event: told as by :func:`litscape_trainer.loop.train.train`, without checkpoints.

    Raises:
        UserError: no examples, or examples of parts of texts, which have no stored vectors.
        JobCancelledError: ``ctx`` was cancelled.
    """
    import torch

    if job.threads:
        torch.set_num_threads(job.threads)
    return _HeadRun(job, ctx or null_context(), on_event or (lambda _event: None)).go()


@dataclass(frozen=True, slots=True)
class _Look:
    """A head after a step, and what it did on each development query; empty: it was not asked."""

    step: int
    layers: tuple[HeadLayer, ...]
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    @property
    def value(self) -> float | None:
        return float(self.values.mean()) if len(self.values) else None


class _HeadRun:
    """One training of one head."""

    def __init__(self, job: HeadJob, ctx: JobContext, on_event: OnEvent) -> None:
        import torch

        self._job = job
        self._recipe = job.recipe
        self._ctx = ctx
        self._on_event = on_event
        self._stored = _Stored(job.ids)
        self._vectors = torch.from_numpy(np.ascontiguousarray(job.vectors, dtype=np.float32))
        torch.manual_seed(job.recipe.seed)
        self._objective = objective(job.recipe)
        self._head = ResidualHead(job.vectors.shape[1], job.recipe.hidden, job.recipe.seed)
        own = list(self._objective.parameters().values())
        self._optimizer = torch.optim.AdamW(
            [
                {"params": self._head.parameters(), "weight_decay": job.recipe.weight_decay},
                {"params": own, "weight_decay": 0.0},
            ],
            lr=job.recipe.learning_rate,
        )
        self._draws = np.random.default_rng([job.recipe.seed, 1])
        self._pool = job.pool
        self._began = time.perf_counter()
        self._first = self._best = _Look(0, self._head.layers())
        self._dev: list[tuple[int, float]] = []
        self._notes: list[str] = []

    def go(self) -> TrainedHead:
        """All steps, or until nothing is gained, the minutes are over or a person says stop."""
        number, epoch = 0, self._epoch(0)
        batch = min(self._recipe.batch, len(epoch))
        by_epochs = round(self._recipe.epochs * len(epoch) / batch)
        steps = self._recipe.steps or min(max(by_epochs, LEAST_STEPS), MOST_STEPS)
        self._tell("state", state="started", step=0, steps=steps, device="cpu", processes=1)
        self._measure(0)
        place, step, waited = 0, 0, 0
        every = max(1, round(self._recipe.dev_every * steps))
        while step < steps and waited < self._recipe.patience and not self._late():
            self._ctx.progress(step, steps, "Adapting")
            if place >= epoch.batches(batch):
                number, place = number + 1, 0
                epoch = self._epoch(number)
            loss = self._step(epoch, place, batch, rate(self._recipe, step, steps))
            if not np.isfinite(loss):
                self._note("The loss was no number any more; the best head before that is kept.")
                break
            place, step = place + 1, step + 1
            self._tell("step", step=step, steps=steps, loss=round(loss, 6))
            stopped = self._job.wish() == "stop"
            if step % every == 0 or step == steps or stopped:
                waited = 0 if self._measure(step) else waited + 1
            if stopped and step < steps:
                self._note(f"Stopped by hand after step {step:,} of {steps:,}; the best is kept.")
                break
        return self._result(step, steps)

    def _epoch(self, number: int) -> Epoch:
        if self._objective.needs_teacher:
            raise UserError(NO_TEACHER.format(name=self._recipe.objective))
        examples = self._job.examples(number)
        if not self._objective.needs_negatives:
            examples = _both_ways(examples)
        if examples.sides is not None:
            raise UserError(
                "A head is trained on vectors of whole papers; this recipe's examples are of "
                "titles and abstracts apart. Choose another method or another builder."
            )
        epoch = Epoch(
            examples,
            self._stored,
            self._job.known,
            order_of(self._recipe.seed, number),
            self._objective.needs_negatives,
        )
        if not len(epoch):
            raise UserError(NO_EXAMPLES)
        if self._pool is None:
            self._pool = np.unique(np.concatenate((examples.anchors, examples.positives)))
        if epoch.dropped:
            self._note(passed_over(epoch.dropped))
        return epoch

    def _step(self, epoch: Epoch, place: int, batch: int, share: float) -> float:
        import torch

        rows, places = epoch.batch(place, batch, self._others())
        vectors = self._head(self._vectors[torch.from_numpy(rows)])
        if self._objective.unit:
            vectors = torch.nn.functional.normalize(vectors, dim=-1)
        self._optimizer.zero_grad(set_to_none=True)
        loss = self._objective.loss(vectors, places)
        value = float(loss.detach())
        if not np.isfinite(value):
            return value
        torch.autograd.backward(loss)
        learning = [one for group in self._optimizer.param_groups for one in group["params"]]
        torch.nn.utils.clip_grad_norm_(learning, self._recipe.clip or float("inf"))
        for group in self._optimizer.param_groups:
            group["lr"] = self._recipe.learning_rate * share
        self._optimizer.step()
        return value

    def _others(self) -> NDArray[np.int64]:
        """Papers to contrast with: all, or as many as a step can take."""
        assert self._pool is not None
        if len(self._pool) <= POOL:
            return self._pool
        return self._draws.choice(self._pool, size=POOL, replace=False)

    def _measure(self, step: int) -> bool:
        """Whether the head is the best so far, and then keep it."""
        layers = self._head.layers()
        if self._job.dev is None:
            self._best = _Look(step, layers)
            return True
        began = time.perf_counter()
        values = self._job.dev(replace(_EMPTY, layers=layers).apply)
        value = float(values.mean())
        self._dev.append((step, value))
        look = _Look(step, layers, values)
        if step == 0:
            self._first = look
        better = step == 0 or value > (self._best.value or 0.0)
        if better:
            self._best = look
        self._tell(
            "dev",
            step=step,
            value=value,
            baseline=self._dev[0][1],
            best=self._best.value,
            best_step=self._best.step,
            seconds=round(time.perf_counter() - began, 3),
        )
        return better

    def _late(self) -> bool:
        """Whether the recipe's minutes are over."""
        minutes = self._recipe.minutes
        return minutes is not None and time.perf_counter() - self._began > 60 * minutes

    def _result(self, step: int, steps: int) -> TrainedHead:
        kept = self._best
        if self._job.dev is not None and not measurably_better(self._first.values, kept.values):
            kept = self._first
            self._note(NOT_BETTER)
        self._tell("state", state="finished", step=step, steps=steps)
        return TrainedHead(
            layers=kept.layers,
            step=step,
            best_step=kept.step,
            best=kept.value,
            baseline=self._dev[0][1] if self._dev else None,
            dev=tuple(self._dev),
            seconds=time.perf_counter() - self._began,
            notes=tuple(self._notes),
        )

    def _note(self, text: str) -> None:
        if text not in self._notes:
            self._notes.append(text)
            self._tell("note", text=text)

    def _tell(self, kind: str, **values: Any) -> None:
        self._on_event({"t": round(time.time(), 3), "kind": kind, **values})


def _both_ways(examples: ExampleSet) -> ExampleSet:
    """Each pair once from either end, so that every link counts the same.

    Much-cited papers then weigh as much as they are cited, which is what queries ask for.
    """

    def twice(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate((one, other))

    anchors = twice(examples.anchors, examples.positives)
    positives = twice(examples.positives, examples.anchors)
    _pairs, first = np.unique(np.stack((anchors, positives)), axis=1, return_index=True)
    kept = np.sort(first)
    nobody = np.full_like(examples.negatives, NOBODY)
    none = np.full_like(examples.negative_kinds, NOBODY)
    nothing = np.zeros_like(examples.negative_numbers)
    return replace(
        examples,
        anchors=anchors[kept],
        positives=positives[kept],
        negatives=twice(examples.negatives, nobody)[kept],
        weights=twice(examples.weights, examples.weights)[kept],
        kinds=twice(examples.kinds, examples.kinds)[kept],
        negative_kinds=twice(examples.negative_kinds, none)[kept],
        numbers=twice(examples.numbers, examples.numbers)[kept],
        negative_numbers=twice(examples.negative_numbers, nothing)[kept],
    )


_EMPTY = TrainedHead((), 0, 0, None, None, (), 0.0)
