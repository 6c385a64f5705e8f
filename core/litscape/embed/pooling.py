"""From token vectors to one unit vector a text, the same for the torch and the exported model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

    from litscape.models.card import DenseLayer, ModelCard


def load_dense(card: ModelCard) -> list[tuple[DenseLayer, torch.Tensor, torch.Tensor | None]]:
    """Weights of the layers after pooling, float32."""
    from safetensors.torch import load_file

    layers = []
    for layer in card.dense:
        tensors = load_file(card.folder / layer.folder / "model.safetensors")
        bias = tensors["linear.bias"].float() if layer.bias else None
        layers.append((layer, tensors["linear.weight"].float(), bias))
    return layers


def pool(
    card: ModelCard,
    hidden: torch.Tensor,
    mask: torch.Tensor,
    kept: torch.Tensor,
    dense: Sequence[tuple[DenseLayer, torch.Tensor, torch.Tensor | None]] = (),
    unit: bool = True,
) -> torch.Tensor:
    """Pool, pass through dense layers and scale to unit length, in float32.

    Args:
        card: says how.
        hidden: the last hidden states, (n, tokens, width) of any float type.
        mask: 1 for tokens and 0 for padding on the right, (n, tokens).
        kept: ``mask`` without the tokens that pooling leaves out (a prompt, for some models).
        dense: what :func:`load_dense` gave, on the device of ``hidden``.
        unit: whether the result is scaled; what the layers between get is not changed by it.

    Returns:
        Float32 (n, d), each row of length 1 if ``unit``.
    """
    import torch

    parts = [_pool_one(mode, hidden, mask, kept) for mode in card.pooling]
    vectors = torch.cat(parts, dim=-1)
    for place, (layer, weight, bias) in enumerate(dense):
        if place in card.unit_before:
            vectors = torch.nn.functional.normalize(vectors, dim=-1)
        vectors = torch.nn.functional.linear(vectors, weight, bias)
        if layer.activation != "identity":
            vectors = getattr(torch.nn.functional, layer.activation)(vectors)
    return torch.nn.functional.normalize(vectors, dim=-1) if unit else vectors


def _pool_one(
    mode: str, hidden: torch.Tensor, mask: torch.Tensor, kept: torch.Tensor
) -> torch.Tensor:
    """One pooling mode; ``kept`` is ``mask`` without the tokens that are left out."""
    import torch

    if mode == "cls":
        first = kept.to(torch.int32).argmax(dim=1)
        return _pick(hidden, first)
    if mode == "lasttoken":
        return _pick(hidden, mask.sum(dim=1) - 1)
    if mode == "max":
        return hidden.float().masked_fill(kept.unsqueeze(-1) == 0, float("-inf")).amax(dim=1)
    weights = kept.float()
    if mode == "weightedmean":
        weights = weights * mask.cumsum(dim=1).float()
    total = torch.bmm(weights.unsqueeze(1), hidden.float()).squeeze(1)
    count = weights.sum(dim=1, keepdim=True).clamp(min=1e-9)
    return total / (count.sqrt() if mode == "mean_sqrt_len_tokens" else count)


def _pick(hidden: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """The token vector at one place of each text."""
    index = places.to(hidden.device).long().view(-1, 1, 1).expand(-1, 1, hidden.shape[-1])
    return hidden.gather(1, index).squeeze(1).float()
