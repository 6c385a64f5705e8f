"""One step of a training: examples to gradients to weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.errors import EnvironmentFault, UserError
from litscape_trainer.checkpoints.states import load_optimizer, optimizer_state
from litscape_trainer.encoders.trainable import TrainableEncoder
from litscape_trainer.loop.batches import Epoch, Texts, order_of
from litscape_trainer.loop.gradients import Gradients, MemoryRanOutError
from litscape_trainer.loop.memory import pieces_at_first
from litscape_trainer.loop.processes import Processes
from litscape_trainer.loop.schedule import rate
from litscape_trainer.loop.sentences import NO_EXAMPLES, NO_TEACHER, halved, no_room, passed_over
from litscape_trainer.objectives.registry import objective

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import torch
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape_trainer.loop.records import TrainingJob
    from litscape_trainer.objectives.records import BatchPlaces

LOWER = "lower"
"""The folder of the states of lower layers in that of a job."""


class Stepper:
    """What learns, and all that a step needs.

    Attributes:
        pieces: into how many parts a batch is cut for memory; grows where memory runs out.

    Args:
        job: what to train.
        ctx: asked while states are stored.
        note: told what a person should know.
    """

    def __init__(self, job: TrainingJob, ctx: JobContext, note: Callable[[str], None]) -> None:
        self._job = job
        self._recipe = job.recipe
        self._ctx = ctx
        self._note = note
        self.processes = Processes(job.device)
        self.encoder = TrainableEncoder(
            job.card, job.recipe, job.device, job.threads, job.folder / LOWER
        )
        self._texts = Texts(job.card, self.encoder.tokens, job.texts)
        self._objective = objective(job.recipe)
        if self._objective.needs_teacher and job.teacher is None:
            raise UserError(NO_TEACHER.format(name=job.recipe.objective))
        self._gradients = Gradients(self.encoder, self._objective, self._texts.rows, self.processes)
        self._optimizer = self._make_optimizer()
        self._scaler = self._make_scaler()
        self._epoch: Epoch | None = None
        self._number = -1
        self.pieces = 1

    def start(self) -> int:
        """Read the first examples; returns how many there are.

        Raises:
            UserError: not one.
        """
        epoch = self.epoch(0)
        batch = min(self._recipe.batch, len(epoch))
        tokens = float(np.mean([len(row) for row in self._texts.rows]))
        texts = epoch.texts_of(batch)
        self.pieces = pieces_at_first(self.encoder, self._recipe, texts, tokens)
        if self._recipe.checkpointing:
            enable: Any = self.encoder.model.gradient_checkpointing_enable
            enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        self.encoder.train()
        if epoch.dropped:
            self._note(passed_over(epoch.dropped))
        return len(epoch)

    def epoch(self, number: int) -> Epoch:
        """The examples of an epoch, their texts numbered and their lower states kept.

        Earlier ones are gone through first, so that texts have the same numbers in any run.

        Raises:
            UserError: there is not one example.
        """
        while self._number < number:
            self._number += 1
            self._epoch = Epoch(
                self._job.examples(self._number),
                self._texts,
                self._job.known,
                order_of(self._recipe.seed, self._number),
                self._objective.needs_negatives,
                self._job.teacher if self._objective.needs_teacher else None,
            )
            self._keep_states()
        if self._epoch is None or not len(self._epoch):
            raise UserError(NO_EXAMPLES)
        return self._epoch

    def step(self, place: tuple[int, int], step: int, steps: int) -> tuple[float, tuple[int, int]]:
        """One optimiser step.

        Args:
            place: epoch and batch to begin with.
            step: counted from 0.
            steps: of the whole run.

        Returns:
            The mean loss, not a number where training broke down (weights are then as they were),
            and the place of what comes next.
        """
        import torch

        recipe = self._recipe
        self._optimizer.zero_grad(set_to_none=True)
        losses = []
        for _part in range(recipe.accumulation):
            number, batch = place
            epoch = self.epoch(number)
            if batch >= epoch.batches(recipe.batch):
                number, batch = number + 1, 0
                epoch = self.epoch(number)
            texts, places = epoch.batch(batch, recipe.batch)
            losses.append(self._fitting(texts, places, [recipe.seed, step, number, batch]))
            place = number, batch + 1
        loss = float(np.mean(losses))
        if not np.isfinite(loss):
            return loss, place
        self._gradients.add_up()
        self._scaler.unscale_(self._optimizer)
        learning = self._learning()
        for parameter in learning:
            if parameter.grad is not None and recipe.accumulation > 1:
                parameter.grad /= recipe.accumulation
        norm = torch.nn.utils.clip_grad_norm_(learning, recipe.clip or float("inf"))
        if not self._scaler.is_enabled() and not bool(torch.isfinite(norm)):
            return float("nan"), place
        for group in self._optimizer.param_groups:
            group["lr"] = recipe.learning_rate * rate(recipe, step, steps)
        self._scaler.step(self._optimizer)
        self._scaler.update()
        return loss, place

    def weights(self) -> dict[str, torch.Tensor]:
        """All that learns, by name."""
        own = {f"objective.{name}": one for name, one in self._objective.parameters().items()}
        return {**self.encoder.trainable(), **own}

    def state(self) -> dict[str, torch.Tensor]:
        """The optimizer's, and the scale of gradients."""
        import torch

        kept = optimizer_state(self._optimizer)
        if self._scaler.is_enabled():
            kept["scale"] = torch.tensor(self._scaler.get_scale())
        return kept

    def load(self, weights: Mapping[str, torch.Tensor], state: Mapping[str, torch.Tensor]) -> None:
        """Go back to what :meth:`weights` and :meth:`state` gave."""
        import torch

        own = self._objective.parameters()
        with torch.no_grad():
            for name, parameter in own.items():
                parameter.copy_(weights[f"objective.{name}"])
        self.encoder.load(
            {name: one for name, one in weights.items() if not name.startswith("objective.")}
        )
        scale = state.get("scale")
        if scale is not None:
            self._scaler.load_state_dict({**self._scaler.state_dict(), "scale": float(scale)})
        load_optimizer(
            self._optimizer, {name: one for name, one in state.items() if name != "scale"}
        )

    def _fitting(self, texts: NDArray[np.int64], places: BatchPlaces, seed: list[int]) -> float:
        """The loss of a batch and its gradients, cut into more pieces until it fits."""
        several = self._recipe.accumulation > 1
        while True:
            before = [
                None if p.grad is None else p.grad.clone() for p in self._learning() if several
            ]
            try:
                return self._gradients.of(
                    texts, places, seed=seed, pieces=self.pieces, scale=self._scaler.scale
                )
            except MemoryRanOutError as error:
                if self.pieces >= len(texts):
                    raise EnvironmentFault(no_room(self.encoder.device.type)) from error
            self._optimizer.zero_grad(set_to_none=True)
            for parameter, gradient in zip(self._learning(), before, strict=False):
                parameter.grad = gradient
            self.pieces *= 2
            batch = self._recipe.batch
            self._note(halved(max(1, batch // self.pieces), batch))

    def _learning(self) -> list[torch.nn.Parameter]:
        return [one for group in self._optimizer.param_groups for one in group["params"]]

    def _keep_states(self) -> None:
        """Have the lower layers' states of all texts on this machine's disk."""
        store = self.encoder.store
        if store is None:
            return
        if not self.processes.local_main:
            self.processes.wait()
        self.encoder.keep_states(self._texts.rows[len(store) :], self._ctx)
        if self.processes.local_main:
            self.processes.wait()
        self.encoder.train()

    def _make_optimizer(self) -> torch.optim.Optimizer:
        """AdamW; no decay of biases, of what scales, nor of what the objective learns."""
        import torch

        plain: list[torch.nn.Parameter] = []
        decayed: list[torch.nn.Parameter] = []
        for parameter in self.encoder.trainable().values():
            (decayed if parameter.dim() > 1 else plain).append(parameter)
        plain += self._objective.parameters().values()
        return torch.optim.AdamW(
            [
                {"params": decayed, "weight_decay": self._recipe.weight_decay},
                {"params": plain, "weight_decay": 0.0},
            ],
            lr=self._recipe.learning_rate,
        )

    def _make_scaler(self) -> torch.amp.GradScaler:
        import torch

        short = self.encoder.dtype == torch.float16
        return torch.amp.GradScaler(self.encoder.device.type, enabled=short)
