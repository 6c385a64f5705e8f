"""The gradients of one batch, in one pass or, where memory is short, in two.

Two passes (gradient caching, Gao et al. 2021): all texts are encoded without gradients, the loss
gives the gradient of each vector, and then part after part is encoded again and sent back. The
gradients are those of the whole batch either way: dropout is drawn anew from a seed of the part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.embed.devices import out_of_memory
from litscape.embed.tokens import batches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import torch
    from numpy.typing import NDArray

    from litscape_trainer.encoders.trainable import TrainableEncoder
    from litscape_trainer.loop.processes import Processes
    from litscape_trainer.objectives.records import BatchPlaces, Objective

    Scale = Callable[[torch.Tensor], torch.Tensor]


class MemoryRanOutError(Exception):
    """A batch did not fit; no process has gradients of it that count."""


@dataclass(frozen=True, slots=True)
class _Work:
    """One batch in this process: its texts, its share of them, and their vectors as they come."""

    texts: NDArray[np.int64]
    chunks: list[NDArray[np.int64]]
    seed: Sequence[int]
    cached: bool
    found: list[torch.Tensor]


class Gradients:
    """Adds the gradients of batches to what learns.

    Args:
        encoder: gives the vectors.
        objective: gives the loss.
        rows: token ids by number of the text; may grow.
        processes: those that share the work.
    """

    def __init__(
        self,
        encoder: TrainableEncoder,
        objective: Objective,
        rows: Sequence[list[int]],
        processes: Processes,
    ) -> None:
        self._encoder = encoder
        self._objective = objective
        self._rows = rows
        self._processes = processes

    def of(
        self,
        texts: NDArray[np.int64],
        places: BatchPlaces,
        *,
        seed: Sequence[int],
        pieces: int = 1,
        scale: Scale = lambda loss: loss,
    ) -> float:
        """The loss of a batch, its gradients added in this process; see :meth:`add_up`.

        Args:
            texts: numbers of the batch's texts, (u,).
            places: who is who among them.
            seed: of dropout.
            pieces: 1: in one pass; else the texts are worked on in about so many pieces.
            scale: what the loss goes through before gradients are taken.

        Raises:
            MemoryRanOutError: it did not fit.
        """
        import torch

        chunks = self._processes.share(self._chunks(texts, pieces))
        work = _Work(texts, chunks, seed, cached=pieces > 1, found=[])
        self._if_it_fits(lambda: self._forward(work))
        whole = self._gathered(work)
        loss = self._objective.loss(whole, places.to(whole.device))
        value = float(loss.detach())
        if not np.isfinite(value) or not loss.requires_grad:
            return value
        torch.autograd.backward(scale(loss))
        slopes = whole.grad
        if slopes is not None:
            self._if_it_fits(lambda: self._backward(work, slopes))
        return value

    def add_up(self) -> None:
        """Sum the encoder's gradients over all processes."""
        import torch

        if self._processes.number == 1:
            return
        learning = list(self._encoder.trainable().values())
        for parameter in learning:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        self._processes.add_up([one.grad for one in learning if one.grad is not None])

    def _forward(self, work: _Work) -> None:
        import torch

        with torch.set_grad_enabled(not work.cached), self._encoder.autocast():
            for number in range(len(work.chunks)):
                work.found.append(self._encode(work, number))

    def _backward(self, work: _Work, slopes: torch.Tensor) -> None:
        """Send the slope of each vector back into the weights."""
        import torch

        for number, chunk in enumerate(work.chunks):
            vectors = self._encode(work, number) if work.cached else work.found[number]
            torch.autograd.backward(vectors, slopes[torch.from_numpy(chunk).to(slopes.device)])
            work.found[number] = vectors.detach()

    def _gathered(self, work: _Work) -> torch.Tensor:
        """All vectors of a batch, of all processes, cut off from what made them."""
        import torch

        device = self._encoder.device
        whole = torch.zeros((len(work.texts), self._encoder.card.dim), device=device)
        for chunk, vectors in zip(work.chunks, work.found, strict=True):
            whole[torch.from_numpy(chunk).to(device)] = vectors.detach()
        self._processes.add_up([whole])
        return whole.requires_grad_(True)

    def _if_it_fits(self, work: Callable[[], None]) -> None:
        """Do a part of the work; all processes learn if it did not fit in one of them."""
        import torch

        short = False
        try:
            work()
        except RuntimeError as error:
            if not out_of_memory(error):
                raise
            short = True
        if self._processes.any(short):
            if self._encoder.device.type == "cuda":
                torch.cuda.empty_cache()
            raise MemoryRanOutError

    def _encode(self, work: _Work, number: int) -> torch.Tensor:
        import torch

        drawn = np.random.SeedSequence([*work.seed, self._processes.rank, number])
        torch.manual_seed(int(drawn.generate_state(1, np.uint64)[0] >> np.uint64(1)))
        numbers = work.texts[work.chunks[number]].tolist()
        rows = [self._rows[text] for text in numbers]
        kept = numbers if self._encoder.store is not None else None
        return self._encoder.vectors(rows, self._objective.unit, kept)

    def _chunks(self, texts: NDArray[np.int64], pieces: int) -> list[NDArray[np.int64]]:
        """Places of texts in parts of like length, each within a budget of tokens."""
        lengths = [len(self._rows[text]) for text in texts.tolist()]
        budget = self._encoder.budget
        if pieces > 1:
            budget = min(budget, -(-sum(lengths) // pieces))
        return [part.copy() for part in batches(lengths, budget)]
