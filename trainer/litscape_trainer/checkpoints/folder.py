"""A trained model as a folder that sentence-transformers, and this program, opens."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

from litscape.errors import EnvironmentFault
from litscape.models.card import POOLING_MODES
from litscape.models.folder import find_weights

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import torch
    from numpy.typing import NDArray

    from litscape.models.card import ModelCard

    Weights = tuple[NDArray[Any] | torch.Tensor, NDArray[Any] | torch.Tensor | None, str]
    """A dense layer: weight (outputs, inputs), bias (outputs,) or None, name of the activation."""
_KIND = "sentence_transformers.models."
_ACTIVATIONS = {
    "identity": "torch.nn.modules.linear.Identity",
    "tanh": "torch.nn.modules.activation.Tanh",
    "gelu": "torch.nn.modules.activation.GELU",
    "relu": "torch.nn.modules.activation.ReLU",
    "silu": "torch.nn.modules.activation.SiLU",
    "sigmoid": "torch.nn.modules.activation.Sigmoid",
}
_LEGACY = {
    "cls": "pooling_mode_cls_token",
    "max": "pooling_mode_max_tokens",
    "mean": "pooling_mode_mean_tokens",
    "mean_sqrt_len_tokens": "pooling_mode_mean_sqrt_len_tokens",
    "weightedmean": "pooling_mode_weightedmean_tokens",
    "lasttoken": "pooling_mode_lasttoken",
}
_COPIED = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "*.model",
)


def write_folder(
    card: ModelCard,
    target: Path,
    *,
    model: Any = None,
    dense: Sequence[Weights] | None = None,
    head: Sequence[Weights] = (),
) -> Path:
    """Write a model that began as ``card``, in place of what was at ``target``.

    Args:
        card: the base; its tokenizer, pooling, prefixes and lengths are the new model's too.
        target: the new folder.
        model: the transformer; None: the base's own weights.
        dense: weights of the base's dense layers; None: its own.
        head: layers behind all that, which get vectors of unit length.

    Raises:
        EnvironmentFault: the disk is full or can't be written; nothing is left at ``target``.
    """
    from safetensors import SafetensorError

    beside = target.with_name(f".{target.name}.new")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        _transformer(card, beside, model)
        _modules(card, beside, _own_dense(card) if dense is None else dense, head)
        shutil.rmtree(target, ignore_errors=True)
        os.replace(beside, target)
    except (OSError, SafetensorError) as error:
        shutil.rmtree(beside, ignore_errors=True)
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise EnvironmentFault(f"The model can't be written to {target}: {why}.") from error
    return target


def _transformer(card: ModelCard, folder: Path, model: Any) -> None:
    """Weights, configuration and tokenizer, at the folder's own level."""
    base = card.folder / card.transformer
    if model is None:
        for file in find_weights(base):
            shutil.copyfile(file, folder / file.name)
        index = base / "model.safetensors.index.json"
        if index.exists():
            shutil.copyfile(index, folder / index.name)
    else:
        model.save_pretrained(folder)
    for pattern in _COPIED:
        for file in base.glob(pattern):
            if not (folder / file.name).exists():
                shutil.copyfile(file, folder / file.name)
    _json(
        folder / "sentence_bert_config.json",
        {"max_seq_length": card.max_length, "do_lower_case": card.lowercase},
    )
    prompts = {"query": card.query_prefix, "document": card.paper_prefix}
    _json(
        folder / "config_sentence_transformers.json",
        {
            "prompts": {name: text for name, text in prompts.items() if text},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
    )


def _modules(
    card: ModelCard, folder: Path, dense: Sequence[Weights], head: Sequence[Weights]
) -> None:
    """Pooling, layers and scaling, and the list of them all."""
    modules = [("Transformer", ""), ("Pooling", "1_Pooling")]

    def add(kind: str) -> Path:
        path = f"{len(modules)}_{kind}"
        modules.append((kind, path))
        (folder / path).mkdir()
        return folder / path

    (folder / "1_Pooling").mkdir()
    width = (card.dense[0].inputs if card.dense else card.dim) // len(card.pooling)
    how: dict[str, Any] = {_LEGACY[mode]: mode in card.pooling for mode in POOLING_MODES}
    if list(card.pooling) != [mode for mode in POOLING_MODES if mode in card.pooling]:
        how = {"pooling_mode": list(card.pooling)}  # an order that flags can't tell
    _json(
        folder / "1_Pooling" / "config.json",
        {"word_embedding_dimension": width, **how, "include_prompt": card.pool_prefix},
    )
    for place, layer in enumerate(dense):
        if place in card.unit_before:
            add("Normalize")
        _layer(add("Dense"), layer)
    for place, layer in enumerate(head):
        if place == 0:
            add("Normalize")
        _layer(add("Dense"), layer)
    if card.normalise or head:
        add("Normalize")
    listed = [
        {"idx": i, "name": str(i), "path": path, "type": _KIND + kind}
        for i, (kind, path) in enumerate(modules)
    ]
    _json(folder / "modules.json", listed)


def _layer(folder: Path, layer: Weights) -> None:
    import numpy as np
    from safetensors.numpy import save_file

    weight, bias, activation = layer
    tensors = {"linear.weight": np.ascontiguousarray(weight, dtype=np.float32)}
    if bias is not None:
        tensors["linear.bias"] = np.ascontiguousarray(bias, dtype=np.float32)
    save_file(tensors, folder / "model.safetensors")
    _json(
        folder / "config.json",
        {
            "in_features": int(weight.shape[1]),
            "out_features": int(weight.shape[0]),
            "bias": bias is not None,
            "activation_function": _ACTIVATIONS[activation],
        },
    )


def _own_dense(card: ModelCard) -> list[Weights]:
    from safetensors.numpy import load_file

    found: list[Weights] = []
    for layer in card.dense:
        tensors = load_file(card.folder / layer.folder / "model.safetensors")
        bias = tensors["linear.bias"] if layer.bias else None
        found.append((tensors["linear.weight"], bias, layer.activation))
    return found


def _json(file: Path, values: Any) -> None:
    file.write_text(json.dumps(values, indent=1), encoding="utf-8")
