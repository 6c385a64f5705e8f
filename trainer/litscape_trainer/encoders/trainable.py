"""The program's own encoder with gradients: same loading, prefixes, pooling and lengths."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.embed.devices import pick_device, pick_dtype, token_budget
from litscape.embed.loading import load_tokens, load_transformer
from litscape.embed.pooling import load_dense, pool
from litscape.embed.tokens import batches, padded
from litscape.errors import EnvironmentFault, UserError
from litscape_trainer.encoders.lower import Cut, StateStore
from litscape_trainer.encoders.methods import config_of, cut_of, merged, prepare

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import torch
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.models.card import ModelCard
    from litscape_trainer.recipes.recipe import TrainingRecipe

_PART = 768
_PRECISIONS = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}


class TrainableEncoder:
    """A card's encoder, its weights set to learn as the recipe says.

    Args:
        card: the model.
        recipe: ``method`` and its numbers, ``max_length``, ``dropout``, ``precision``.
        device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
        threads: of torch on the processor; None leaves its own choice.
        store: folder for the states of lower layers, where the method keeps such.

    Raises:
        UserError: the model can't be loaded, or not trained in this way.
    """

    def __init__(
        self,
        card: ModelCard,
        recipe: TrainingRecipe,
        device: str = "auto",
        threads: int | None = None,
        store: Path | None = None,
    ) -> None:
        import torch

        if threads:
            torch.set_num_threads(threads)
        self.card = card
        self.device = pick_device(device)
        chosen = _PRECISIONS.get(recipe.precision)
        self.dtype = getattr(torch, chosen) if chosen else pick_dtype(self.device)
        self._reading = token_budget(self.device, card.dim)
        # Of a part that is trained on at a time; measured: 15 % quicker than what reading takes.
        self.budget = _PART if self.device.type == "cpu" else self._reading
        torch.manual_seed(recipe.seed)  # of weights that a method adds
        plain = load_transformer(card)
        if config_of(plain).is_encoder_decoder:
            raise UserError(f"{card.name} is one half of a two-part model, which can't be trained.")
        model = prepare(plain, recipe)
        self.model = model.to(self.device)
        self.dense = [
            (layer, self._learning(weight), None if bias is None else self._learning(bias))
            for layer, weight, bias in load_dense(card)
        ]
        shorter = min(card.max_length, recipe.max_length or card.max_length)
        self.tokens = load_tokens(replace(card, max_length=shorter))
        self._whole = load_tokens(card)
        self._multiple = 8 if self.device.type != "cpu" else 1
        self._cut: Cut | None = None
        self.store: StateStore | None = None
        if recipe.method == "lower-frozen" and recipe.frozen_layers > 0 and store is not None:
            self._cut = Cut(self.model, cut_of(plain, recipe))
            key = f"{card.identity}/{recipe.frozen_layers}/{shorter}/{self.dtype}"
            self.store = StateStore(store, int(config_of(plain).hidden_size), key)

    def _learning(self, tensor: torch.Tensor) -> torch.nn.Parameter:
        import torch

        return torch.nn.Parameter(tensor.to(self.device))

    @property
    def precision(self) -> str:
        """What the forward pass computes in."""
        return str(self.dtype).removeprefix("torch.")

    def trainable(self) -> dict[str, torch.nn.Parameter]:
        """What learns, by name."""
        found = {name: p for name, p in self.model.named_parameters() if p.requires_grad}
        for place, (_layer, weight, bias) in enumerate(self.dense):
            found[f"dense.{place}.weight"] = weight
            if bias is not None:
                found[f"dense.{place}.bias"] = bias
        return found

    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        """Put values into what learns."""
        import torch

        own = self.trainable()
        with torch.no_grad():
            for name, value in state.items():
                own[name].copy_(value)

    def train(self) -> None:
        """Dropout on, but for what lies below the cut."""
        self.model.train()
        if self._cut is not None:
            self._cut.evaluate_below()

    def vectors(
        self,
        rows: Sequence[list[int]],
        unit: bool,
        texts: Sequence[int] | None = None,
        *,
        exact: bool = False,
    ) -> torch.Tensor:
        """Vectors (n, d) of texts given as token ids, in whatever gradient mode there is.

        Args:
            rows: token ids as ``tokens`` gives them.
            unit: whether they are of length 1.
            texts: where the texts stand in ``store``; None: lower layers are computed anew.
            exact: compute in full precision.
        """
        import torch

        ids, mask = padded(rows, self._multiple)

        kept = torch.from_numpy(self.tokens.kept(mask, "paper")).to(self.device)
        tokens, attended = (torch.from_numpy(part).to(self.device) for part in (ids, mask))
        seen = None if bool(mask.all()) else attended
        with nullcontext() if exact else self.autocast():
            if texts is None or self._cut is None or self.store is None:
                hidden = self.model(input_ids=tokens, attention_mask=seen).last_hidden_state
            else:
                states = self._states(texts, ids.shape[1])
                hidden = self._cut.finish(states, tokens, seen)
        # A cosine has no digits to give away, whatever the passes around this one compute in.
        with torch.autocast(self.device.type, enabled=False):
            return pool(self.card, hidden.float(), attended, kept, self.dense, unit)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of papers' texts at the model's full length, float32 (n, d).

        They are computed in full precision: weights are chosen by them, and bfloat16 moved nDCG@10
        of 108 queries by 0.4 points.

        Raises:
            EnvironmentFault: the numbers are not finite.
        """
        import torch

        rows = self._whole.ids(texts, "paper")
        out = np.empty((len(texts), self.card.dim), dtype=np.float32)
        was = self.model.training
        self.model.eval()
        with torch.inference_mode():
            for chosen in batches([len(row) for row in rows], self._reading):
                some = [rows[i] for i in chosen]
                out[chosen] = self.vectors(some, unit=True, exact=True).cpu().numpy()
        if was:
            self.train()
        if not np.isfinite(out).all():
            raise EnvironmentFault(f"{self.card.name} gave numbers that are not finite.")
        return out

    def keep_states(self, rows: Sequence[list[int]], ctx: JobContext) -> int:
        """Keep the lower layers' states of more texts; returns how many were computed."""
        if self.store is None or not rows:
            return 0

        def states(part: Sequence[Sequence[int]]) -> Sequence[NDArray[np.uint16]]:
            ctx.check()
            return self._below(part)

        return self.store.add(rows, states)

    def release(self) -> None:
        """Let go of the file of states."""
        if self.store is not None:
            self.store.close()

    def _below(self, rows: Sequence[Sequence[int]]) -> list[NDArray[np.uint16]]:
        """What the lower layers give, by text, as the bits of bfloat16."""
        import torch

        assert self._cut is not None
        found: list[NDArray[np.uint16]] = [np.empty((0, 0), dtype=np.uint16)] * len(rows)
        self.model.eval()
        for chosen in batches([len(row) for row in rows], self._reading):
            ids, mask = padded([rows[i] for i in chosen], self._multiple)
            tokens, attended = (torch.from_numpy(part).to(self.device) for part in (ids, mask))
            with torch.inference_mode(), self.autocast():
                states = self._cut.states(tokens, None if bool(mask.all()) else attended)
            bits = states.to(torch.bfloat16).cpu().view(torch.int16).numpy().view(np.uint16)
            for place, i in enumerate(chosen):
                found[i] = bits[place, : len(rows[i])]
        return found

    def _states(self, texts: Sequence[int], width: int) -> torch.Tensor:
        """Kept states of texts, padded: float32 (n, tokens, width)."""
        import torch

        assert self.store is not None
        parts = [self.store.get(text) for text in texts]
        out = np.zeros((len(parts), width, parts[0].shape[1]), dtype=np.uint16)
        for place, part in enumerate(parts):
            out[place, : len(part)] = part
        bits = torch.from_numpy(out.view(np.int16)).view(torch.bfloat16)
        return bits.to(self.device).float()

    @contextmanager
    def autocast(self) -> Iterator[None]:
        """Compute in the short format; weights are turned into it once within the outermost.

        What is remembered of weights must not go from a pass without gradients to one with them:
        open it anew for each.
        """
        import torch

        short = self.dtype != torch.float32
        with torch.autocast(self.device.type, dtype=self.dtype if short else None, enabled=short):
            yield


def trained_model(
    card: ModelCard, recipe: TrainingRecipe, state: Mapping[str, torch.Tensor]
) -> tuple[Any, list[tuple[torch.Tensor, torch.Tensor | None]]]:
    """The plain transformer in float32 with what was learnt in it, and the dense layers' weights.

    The base is loaded anew, so that nothing that ran before (LoRA put in and taken out) leaves a
    trace.
    """
    import torch

    torch.manual_seed(recipe.seed)  # of a pooler that the base lacks, and nobody uses
    plain = load_transformer(card)
    pooler = getattr(plain, "pooler", None)
    model = prepare(plain, replace(recipe, dropout=None))
    own = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in state.items():
            if not name.startswith("dense."):
                own[name].copy_(value)
    dense = []
    for place, (_layer, weight, bias) in enumerate(load_dense(card)):
        weight = state.get(f"dense.{place}.weight", weight)
        dense.append((weight, None if bias is None else state.get(f"dense.{place}.bias", bias)))
    whole = merged(model)
    if pooler is not None:
        whole.pooler = pooler
    whole.requires_grad_(True)
    return whole, dense
