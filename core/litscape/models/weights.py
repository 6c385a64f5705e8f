"""Whether a model's weights are whole and are those that its configuration speaks of.

Looked at when a model is added: only headers are read, nothing is loaded or run, so that whoever
adds a model is told at once, not when a training or a search comes to need it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.models.folder import find_weights

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from litscape.models.card import ModelCard

    Shapes = Mapping[str, tuple[int, ...]]
_LENGTH = 8
_MOST_HEADER = 100_000_000
_BERT = r"encoder\.layer\.(\d+)\."
_LATE = r"layers\.(\d+)\."
_LAYER = {
    **dict.fromkeys(
        ("bert", "roberta", "xlm-roberta", "camembert", "electra", "mpnet", "deberta",
         "deberta-v2", "ernie", "layoutlm"),
        _BERT,
    ),
    **dict.fromkeys(("modernbert", "llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2"), _LATE),
    **dict.fromkeys(("gpt2", "bloom", "falcon"), r"h\.(\d+)\."),
    **dict.fromkeys(("t5", "mt5"), r"encoder\.block\.(\d+)\."),
    "distilbert": r"transformer\.layer\.(\d+)\.",
    "nomic_bert": _LATE,
}  # fmt: skip
"""How layers are called in the weights of an architecture; of others nothing is known here."""
_LAYERS = ("num_hidden_layers", "n_layers", "n_layer", "num_layers")
_WORDS = re.compile(r"(?:^|\.)(?:word_embeddings|wte|embed_tokens|tok_embeddings)\.weight$")


def check_weights(card: ModelCard) -> None:
    """Refuse weights that are cut off, or that are of another architecture than is said.

    Raises:
        UserError: with the file, and what is wrong with it.
    """
    inner = card.folder / card.transformer
    shapes: dict[str, tuple[int, ...]] = {}
    for file in find_weights(inner):
        shapes.update(_shapes(file))
    config = json.loads((inner / "config.json").read_text(encoding="utf-8"))
    _check_layers(inner, config, shapes)
    _check_words(inner, config, shapes)
    for layer in card.dense:
        file = card.folder / layer.folder / "model.safetensors"
        found = _shapes(file).get("linear.weight")
        if found != (layer.outputs, layer.inputs):
            raise UserError(
                f"{file} has no layer from {layer.inputs} to {layer.outputs} numbers, which its "
                "config.json speaks of; get the model anew."
            )


def _shapes(file: Path) -> dict[str, tuple[int, ...]]:
    """The names and shapes in a safetensors file, by its header, held against its size."""
    try:
        size = file.stat().st_size
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(_LENGTH), "little")
            if not 2 <= length <= min(_MOST_HEADER, size - _LENGTH):
                raise ValueError("it does not begin as such a file does")
            header: dict[str, Any] = json.loads(stream.read(length))
        header.pop("__metadata__", None)
        shapes = {name: tuple(map(int, one["shape"])) for name, one in header.items()}
        end = max((int(one["data_offsets"][1]) for one in header.values()), default=0)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UserError(f"{file} is no safetensors file: {error}. Get the model anew.") from error
    wanted = _LENGTH + length + end
    if size != wanted:
        raise UserError(
            f"{file} is damaged: it has {size:,} bytes and should have {wanted:,}. Get the model "
            "anew."
        )
    return shapes


def _check_layers(folder: Path, config: Mapping[str, Any], shapes: Shapes) -> None:
    kind = config.get("model_type")
    pattern = _LAYER.get(str(kind))
    if pattern is None:
        return
    layer = re.compile(rf"(?:^|\.){pattern}")
    there = {int(found.group(1)) for name in shapes if (found := layer.search(name))}
    if not there:
        some = ", ".join(sorted(shapes)[:2]) or "nothing"
        raise UserError(
            f"The weights in {folder} are not those of a {kind} model, which its config.json "
            f"speaks of: they hold {some} …"
        )
    wanted = next((config[key] for key in _LAYERS if isinstance(config.get(key), int)), None)
    if wanted is not None and not there >= set(range(wanted)):
        raise UserError(
            f"The weights in {folder} have {len(there)} layers, and its config.json speaks of "
            f"{wanted}."
        )


def _check_words(folder: Path, config: Mapping[str, Any], shapes: Shapes) -> None:
    """The table of words, whose size the tokenizer and the first layer have to share."""
    words = next((shapes[name] for name in sorted(shapes) if _WORDS.search(name)), None)
    number = config.get("vocab_size")
    if words is not None and isinstance(number, int) and words[0] != number:
        raise UserError(
            f"The weights in {folder} know {words[0]:,} words, and its config.json speaks of "
            f"{number:,}."
        )
