"""How long embedding may take: a rough figure, told before a person decides on a model."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape.models.card import ModelCard

_TITLE_TOKENS, _ABSTRACT_TOKENS = 20, 220
_CORES = 4
_CORE_RATE = 65e9
"""Floating-point operations a second that a processor core does of a model, in wide formats."""


def operations(card: ModelCard, papers: int, with_abstracts: int) -> float:
    """Floating-point operations of embedding ``papers``, ``with_abstracts`` of which have one."""
    with_abstract = min(card.max_length, _TITLE_TOKENS + _ABSTRACT_TOKENS)
    tokens = with_abstracts * with_abstract + (papers - with_abstracts) * _TITLE_TOKENS
    return 2.0 * tokens * weights_a_token(card)


def weights_a_token(card: ModelCard) -> float:
    """Weights that each token is multiplied with: the layers' matrices, not the vocabulary.

    Where the configuration does not say, the size of the weights' files tells.
    """
    folder = card.folder / card.transformer
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        width = int(config.get("hidden_size") or config["dim"])
        layers = int(config.get("num_hidden_layers") or config["n_layers"])
        inner = int(config.get("intermediate_size") or config.get("hidden_dim") or 4 * width)
        return float(layers * (4 * width * width + 2 * width * inner))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return sum(file.stat().st_size for file in folder.glob("*.safetensors")) / 4


def seconds(
    card: ModelCard,
    papers: int,
    with_abstracts: int,
    *,
    rate: float | None = None,
    threads: int = 0,
) -> float:
    """Seconds that embedding takes, right within a factor of three or so on a processor.

    Args:
        card: the model.
        papers: how many.
        with_abstracts: how many of them have an abstract.
        rate: operations a second as measured on this computer; a usual figure where None.
        threads: processor threads in use; 0 as many as the program takes by itself.
    """
    cores = threads or min(os.cpu_count() or 1, _CORES)
    return operations(card, papers, with_abstracts) / (rate or _CORE_RATE * cores)
