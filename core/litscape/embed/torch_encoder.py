"""The torch encoder: any model, on CUDA, MPS or the processor; the reference for all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.embed.devices import out_of_memory, pick_device, pick_dtype, token_budget
from litscape.embed.loading import load_tokens, load_transformer
from litscape.embed.pooling import load_dense, pool
from litscape.embed.tokens import batches, padded
from litscape.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch
    from numpy.typing import NDArray

    from litscape.embed.tokens import Kind
    from litscape.jobs import JobContext
    from litscape.models.card import ModelCard

AGREEMENT = 0.999
PROBES = (
    "Graph neural networks",
    "Soil moisture from satellite radar: four growing seasons",
    "Über die Löslichkeit von CO₂ in Salzlösungen bei 25 °C: α = 0.83 ± 0.02",
    "A randomised trial of early physiotherapy after hip fracture",
    "On the zeros of the zeta function",
    "Bird migration and the timing of spring in northern wetlands",
    "Trade, wages and the price of bread in fourteenth-century towns",
    "We prove a lower bound for sorting networks and show that it is tight up to a constant.",
    "The gene is expressed in the roots but not in the leaves, and its loss delays flowering.",
    "Superconductivity near 40 K in a layered compound without copper",
    "Children who read aloud remember more words, but not more of the story.",
    "Deep reinforcement learning for robots that grasp objects they have never seen before. "
    "Policies trained in simulation are transferred without any further training.",
    "We study how the choice of hard negatives changes dense retrieval of scientific papers. "
    "On three collections the gain over random negatives is small, and it vanishes with scale.",
    "Backscatter was calibrated against ground stations, and residuals were mapped. " * 14,
)
"""Texts on which a number format or an export must agree with float32 before it is used."""


class TorchEncoder:
    """One model, loaded and ready.

    Args:
        card: the model.
        device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
        dtype: ``auto``, ``float32``, ``bfloat16`` or ``float16``; a short format is given up for
            float32 where its vectors don't agree with float32's.
        threads: of torch on the processor; None leaves torch's own choice.
    """

    def __init__(
        self,
        card: ModelCard,
        device: str = "auto",
        dtype: str = "auto",
        threads: int | None = None,
    ) -> None:
        import torch

        if threads:
            torch.set_num_threads(threads)
        self.card = card
        self.notes: list[str] = []
        self._device = pick_device(device)
        self._tokens = load_tokens(card)
        self._model = load_transformer(card).to(self._device)
        self._dense = [
            (layer, weight.to(self._device), None if bias is None else bias.to(self._device))
            for layer, weight, bias in load_dense(card)
        ]
        self.budget = token_budget(self._device, card.dim)
        self._multiple = 8 if card.max_length % 8 == 0 else 1
        self._dtype = torch.float32
        wanted = pick_dtype(self._device) if dtype == "auto" else getattr(torch, dtype)
        if wanted != torch.float32:
            self._shorten(wanted)

    @property
    def backend(self) -> str:
        """The tag that stored vectors carry; all of the family ``float`` agree with each other."""
        return f"float/torch-{str(self._dtype).removeprefix('torch.')}-{self._device.type}"

    def encode(
        self, texts: Sequence[str], kind: Kind = "paper", ctx: JobContext | None = None
    ) -> NDArray[np.float32]:
        """Unit vectors of texts, float32 (n, d), in the order given.

        Raises:
            EnvironmentFault: memory ran out even for one text, or the numbers are not finite.
            JobCancelledError: ``ctx`` was cancelled; it is asked before each batch.
        """
        rows = self._tokens.ids(texts, kind)
        out = np.empty((len(texts), self.card.dim), dtype=np.float32)
        waiting = batches([len(row) for row in rows], self.budget)[::-1]
        done = 0
        while waiting:
            chosen = waiting.pop()
            if ctx is not None:
                ctx.progress(done, len(texts))
            vectors = self._try_batch([rows[place] for place in chosen], kind)
            if vectors is None:
                middle = len(chosen) // 2
                waiting += [chosen[middle:], chosen[:middle]]
                continue
            out[chosen] = vectors
            done += len(chosen)
        if not np.isfinite(out).all():
            raise EnvironmentFault(
                f"{self.card.name} gave numbers that are not finite with {self.backend}; "
                "choose the processor as device in the settings."
            )
        return out

    def _try_batch(self, rows: list[list[int]], kind: Kind) -> NDArray[np.float32] | None:
        """Vectors of one batch; None when memory ran out and the batch can be halved."""
        import torch

        try:
            return self._forward(rows, kind)
        except RuntimeError as error:
            if not out_of_memory(error):
                raise
            torch.cuda.empty_cache()
            if len(rows) == 1:
                raise EnvironmentFault(
                    f"The memory of the {self._device.type} device does not hold even one text; "
                    "close other programs that use it, or choose the processor as device."
                ) from error
            self.budget = max(self.budget // 2, 1)
            self.notes.append(f"Memory ran out, so batches were halved to {self.budget:,} tokens.")
            return None

    def _forward(self, rows: list[list[int]], kind: Kind) -> NDArray[np.float32]:
        import torch

        ids, mask = padded(rows, self._multiple)
        kept = torch.from_numpy(self._tokens.kept(mask, kind)).to(self._device)
        tokens, attended = (torch.from_numpy(part).to(self._device) for part in (ids, mask))
        even = bool(mask.all())  # without padding the mask is left away, which is faster
        with torch.inference_mode():
            hidden = self._model(
                input_ids=tokens, attention_mask=None if even else attended
            ).last_hidden_state
            vectors: torch.Tensor = pool(self.card, hidden, attended, kept, self._dense)
            result: NDArray[np.float32] = vectors.cpu().numpy()
            return result

    def _shorten(self, dtype: torch.dtype) -> None:
        """Go over to a shorter number format if its vectors agree with float32's."""
        import torch

        exact = self.encode(PROBES)
        self._model.to(dtype)
        self._dtype = dtype
        try:
            short = self.encode(PROBES)
            agreement = float((exact * short).sum(axis=1).min())
        except EnvironmentFault:
            agreement = 0.0
        if agreement < AGREEMENT:
            self._model = load_transformer(self.card).to(self._device)
            self._dtype = torch.float32
            self.notes.append(
                f"{self.card.name} loses too much in {dtype}: it runs in float32, more slowly."
            )
