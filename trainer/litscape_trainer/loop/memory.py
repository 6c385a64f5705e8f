"""How much memory a training takes, and into how many pieces a batch must be cut."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from litscape_trainer.encoders.methods import config_of

if TYPE_CHECKING:
    import torch

    from litscape_trainer.encoders.trainable import TrainableEncoder
    from litscape_trainer.recipes.recipe import TrainingRecipe

SHARE = 0.4
"""Of the memory that is free, what activations may take."""
MOST_BYTES = 2_350_000_000
"""What activations may take in any case, so that other programs have their share."""
_UNKNOWN = 4_000_000_000
_BYTES = 3.2
_SCORE = 12
"""Of each number, and of each score of attention: copies in two formats, masks of dropout. MiniLM
measured 46 kB a token and layer at 128 tokens, 63 kB at 256."""


def peak_bytes(device: torch.device) -> int:
    """The most memory in use so far: the device's, or this process's on the processor."""
    if device.type == "cuda":
        import torch

        return int(torch.cuda.max_memory_allocated(device))
    if sys.platform == "win32":
        return 0  # it is not told there without another library
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def free_bytes() -> int:
    """Main memory that programs can have now; half of all where the system doesn't tell."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return _UNKNOWN


def pieces_at_first(
    encoder: TrainableEncoder, recipe: TrainingRecipe, texts: int, tokens: float
) -> int:
    """Into how many pieces a batch is cut at first; more, should memory run out all the same.

    Args:
        encoder: what is trained.
        recipe: its ``micro_batch``, if given, says it.
        texts: of one batch.
        tokens: of a text, on average.
    """
    if recipe.micro_batch is not None:
        return -(-recipe.batch // recipe.micro_batch)
    if encoder.device.type == "cuda":
        return 1  # there it is told when memory runs out, and nothing is lost
    room = min(free_bytes() * SHARE, MOST_BYTES)
    return max(1, -(-int(texts * tokens * bytes_a_token(encoder, recipe, tokens)) // int(room)))


def bytes_a_token(encoder: TrainableEncoder, recipe: TrainingRecipe, tokens: float) -> float:
    """What is kept of one token for the way back, over all layers that learn.

    A layer keeps some twelve numbers of the model's width and three of the inner one, and for each
    head a score for each of the text's ``tokens``.
    """
    config = config_of(encoder.model)
    width = int(config.hidden_size)
    inner = int(getattr(config, "intermediate_size", 4 * width))
    heads = int(getattr(config, "num_attention_heads", width // 64))
    layers = int(config.num_hidden_layers)
    if recipe.method == "lower-frozen":
        layers -= recipe.frozen_layers
    if recipe.checkpointing:
        layers = 2
    return layers * ((12 * width + 3 * inner) * _BYTES + heads * tokens * _SCORE)
