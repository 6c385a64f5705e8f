"""Reading a local model folder (sentence-transformers or transformers) into a model card."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from litscape.errors import UserError
from litscape.models.card import POOLING_MODES, DenseLayer, ModelCard, PoolingMode
from litscape.models.checksum import weights_sha256

if TYPE_CHECKING:
    from pathlib import Path

_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_TOKENIZERS = (
    ("tokenizer.json",),
    ("vocab.txt",),
    ("vocab.json", "merges.txt"),
    ("spiece.model",),
    ("sentencepiece.bpe.model",),
    ("tokenizer.model",),
)
_LEGACY_POOLING: dict[str, PoolingMode] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_ACTIVATIONS = ("identity", "tanh", "gelu", "relu", "silu", "sigmoid")
_CLS_POOLED = ("specter", "scincl", "scimult")
_OFFSET_POSITIONS = ("roberta", "xlm-roberta", "camembert", "mpnet")
_WIDTH_KEYS = ("hidden_size", "d_model", "dim", "n_embd")


@dataclass(frozen=True, slots=True)
class _Pipeline:
    """What modules.json says, in order."""

    transformer: str = ""
    pooling: tuple[PoolingMode, ...] = ("mean",)
    pooled_width: int | None = None
    pool_prefix: bool = True
    dense: tuple[DenseLayer, ...] = ()
    unit_before: tuple[int, ...] = ()
    normalise: bool = False


def read_folder(
    folder: Path,
    *,
    name: str | None = None,
    source: Literal["bundled", "folder", "hub", "trained"] = "folder",
    base: str | None = None,
    separator: str | None = None,
) -> ModelCard:
    """The card of the model in ``folder``, from its own configuration files.

    Raises:
        UserError: no folder, no configuration, weights missing or pickled, no tokenizer, parts of
            other widths, or a module that this program doesn't run; the message names the file.
        EnvironmentFault: a file can't be read.
    """
    folder = folder.expanduser().absolute()
    if not folder.is_dir():
        raise UserError(f"There is no model folder at {folder}.")
    pipeline = _read_pipeline(folder)
    inner = folder / pipeline.transformer
    config = _read_json(inner / "config.json")
    if config is None:
        raise UserError(f"{folder} is not a model folder: it has no config.json.")
    weights = find_weights(inner)
    weights += [folder / layer.folder / "model.safetensors" for layer in pipeline.dense]
    _check_tokenizer(inner, folder)
    dim = _check_widths(pipeline, _hidden_width(config, inner), folder)
    tokenizer = _read_json(inner / "tokenizer_config.json") or {}
    sentence = _read_json(inner / "sentence_bert_config.json") or {}
    title = name or folder.name
    paper_prefix, query_prefix = _prefixes(folder / "config_sentence_transformers.json")
    return ModelCard(
        version="",
        name=title,
        base=base or title,
        location=str(folder),
        dim=dim,
        sha256=weights_sha256(weights),
        pooling=_pooling(folder, title, pipeline),
        normalise=pipeline.normalise,
        paper_prefix=paper_prefix,
        query_prefix=query_prefix,
        pool_prefix=pipeline.pool_prefix,
        separator=_separator(folder, inner, tokenizer) if separator is None else separator,
        max_length=_max_length(config, tokenizer, sentence),
        lowercase=bool(sentence.get("do_lower_case", False)),
        transformer=pipeline.transformer,
        dense=pipeline.dense,
        unit_before=pipeline.unit_before,
        source=source,
    ).versioned()


def find_weights(folder: Path) -> list[Path]:
    """The safetensors files of a transformer's folder.

    Raises:
        UserError: there are none, a shard is missing, or there are only pickled weights.
    """
    single = folder / "model.safetensors"
    if single.is_file():
        return [single]
    index = _read_json(folder / "model.safetensors.index.json")
    if index is not None:
        names = sorted(set(dict(index.get("weight_map", {})).values()))
        missing = [name for name in names if not (folder / name).is_file()]
        if missing or not names:
            raise UserError(f"{folder} lacks a part of its weights: {', '.join(missing[:3])}.")
        return [folder / name for name in names]
    pickled = sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern))
    if pickled:
        raise UserError(
            f"{folder} holds its weights only as a pickle ({pickled[0]}), which can run any code "
            "when it is loaded, so it is refused; convert it to model.safetensors first."
        )
    raise UserError(f"{folder} has no weights: model.safetensors is missing.")


def _read_pipeline(folder: Path) -> _Pipeline:
    listing = folder / "modules.json"
    if not listing.exists():
        return _Pipeline()
    modules = _read_any(listing)
    if not isinstance(modules, list) or not modules:
        raise UserError(f"{listing} lists no modules.")
    transformer, fields = "", {}  # type: str, dict[str, Any]
    dense: list[DenseLayer] = []
    unit_before: list[int] = []
    for position, module in enumerate(modules):
        kind = str(module.get("type", "")).rsplit(".", 1)[-1]
        path = str(module.get("path", ""))
        if kind == "Transformer" and position == 0:
            transformer = path
        elif kind == "Pooling" and position == 1:
            fields = _read_pooling(folder / path)
        elif kind == "Dense" and position > 1:
            if fields.pop("normalise", False):
                unit_before.append(len(dense))
            dense.append(_read_dense(folder, path))
        elif kind == "Normalize" and position > 1:
            fields["normalise"] = True
        elif kind != "Dropout":
            raise UserError(
                f"{folder.name} has a part that this program doesn't run: {kind or path} at place "
                f"{position + 1} of modules.json."
            )
    return _Pipeline(
        transformer=transformer, dense=tuple(dense), unit_before=tuple(unit_before), **fields
    )


def _pooling(folder: Path, title: str, pipeline: _Pipeline) -> tuple[PoolingMode, ...]:
    """What modules.json says; else by name for families that were trained on the first token."""
    known = any(family in title.lower() for family in _CLS_POOLED)
    if known and not (folder / "modules.json").exists():
        return ("cls",)
    return pipeline.pooling


def _read_pooling(folder: Path) -> dict[str, Any]:
    config = _read_json(folder / "config.json")
    if config is None:
        raise UserError(f"{folder} has no config.json, so how to pool is unknown.")
    given = config.get("pooling_mode")
    if given is None:
        modes = [str(mode) for key, mode in _LEGACY_POOLING.items() if config.get(key)]
    else:
        modes = [given] if isinstance(given, str) else [str(mode) for mode in given]
    unknown = [mode for mode in modes if mode not in POOLING_MODES]
    if unknown:
        raise UserError(f"{folder} asks for a pooling that is not known here: {unknown[0]}.")
    width = config.get("embedding_dimension", config.get("word_embedding_dimension"))
    return {
        "pooling": tuple(modes) or ("mean",),
        "pooled_width": width,
        "pool_prefix": bool(config.get("include_prompt", True)),
    }


def _read_dense(folder: Path, path: str) -> DenseLayer:
    config = _read_json(folder / path / "config.json")
    if config is None:
        raise UserError(f"{folder / path} has no config.json.")
    find_weights(folder / path)
    name = str(config.get("activation_function") or "Identity").rsplit(".", 1)[-1].lower()
    plain = config.get("module_input_name", "sentence_embedding") == "sentence_embedding"
    if name not in _ACTIVATIONS or config.get("use_residual") or not plain:
        raise UserError(f"{folder / path} is a dense layer of a kind that this program can't run.")
    return DenseLayer(
        folder=path,
        inputs=int(config["in_features"]),
        outputs=int(config["out_features"]),
        bias=bool(config.get("bias", True)),
        activation=name,
    )


def _check_widths(pipeline: _Pipeline, hidden: int, folder: Path) -> int:
    """Follow the width through all parts; returns that of the vectors."""
    if pipeline.pooled_width not in (None, hidden):
        raise UserError(
            f"The parts of {folder.name} don't fit: its weights are {hidden} wide, its pooling "
            f"expects {pipeline.pooled_width}."
        )
    width = hidden * len(pipeline.pooling)
    for layer in pipeline.dense:
        if layer.inputs != width:
            raise UserError(
                f"The parts of {folder.name} don't fit: {layer.folder} expects vectors of "
                f"{layer.inputs} numbers and gets {width}."
            )
        width = layer.outputs
    return width


def _hidden_width(config: dict[str, Any], folder: Path) -> int:
    for key in _WIDTH_KEYS:
        if isinstance(config.get(key), int):
            return int(config[key])
    raise UserError(f"{folder / 'config.json'} doesn't say how wide the model is (hidden_size).")


def _check_tokenizer(inner: Path, folder: Path) -> None:
    if not any(all((inner / name).is_file() for name in names) for names in _TOKENIZERS):
        raise UserError(f"{folder} has no tokenizer: tokenizer.json (or a vocabulary) is missing.")


def _separator(folder: Path, inner: Path, tokenizer: dict[str, Any]) -> str:
    """A blank for sentence encoders, as it measured best; else the tokenizer's separator token."""
    if (folder / "modules.json").exists():
        return " "
    for found in (tokenizer, _read_json(inner / "special_tokens_map.json") or {}):
        token = found.get("sep_token")
        if isinstance(token, dict):
            token = token.get("content")
        if isinstance(token, str) and token:
            return token
    return " "


def _max_length(config: dict[str, Any], tokenizer: dict[str, Any], sentence: dict[str, Any]) -> int:
    positions = config.get("max_position_embeddings")
    limits = [sentence.get("max_seq_length") or tokenizer.get("model_max_length")]
    if isinstance(positions, int) and positions > 0:
        offset = 2 if config.get("model_type") in _OFFSET_POSITIONS else 0
        limits.append(positions - offset)
    known = [int(limit) for limit in limits if isinstance(limit, int | float) and limit > 0]
    return min([*known, 8192]) if known else 512


def _prefixes(file: Path) -> tuple[str, str]:
    """Prefix for papers and prefix for queries, as sentence-transformers picks them."""
    config = _read_json(file) or {}
    prompts = {k: v for k, v in dict(config.get("prompts") or {}).items() if v}
    default = prompts.get(str(config.get("default_prompt_name")), "")
    papers = (prompts[key] for key in ("document", "passage", "corpus") if key in prompts)
    return next(papers, default), prompts.get("query", default)


def _read_any(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path} can't be read as JSON: {error}.") from error


def _read_json(path: Path) -> dict[str, Any] | None:
    """The object in a file; None where there is no file."""
    if not path.exists():
        return None
    data = _read_any(path)
    if not isinstance(data, dict):
        raise UserError(f"{path} should hold a JSON object.")
    return data


def own_code_refused(card: ModelCard, names: str) -> str:
    """The sentence that a model's own code does not run, and how who trusts it allows it."""
    return (
        f"{card.name} brings code of its own along ({names}), which would run with all your "
        "rights, so it is refused. Who trusts it allows it by name: `litscape models "
        f"add-folder {card.folder} --allow-code {card.name}`."
    )


def own_code(card: ModelCard) -> str:
    """The modules of its own that a model names in its configuration; empty where there are none.

    They would run with all rights of the user.
    """
    try:
        config = _read_json(card.folder / card.transformer / "config.json") or {}
    except UserError:
        return ""
    named = config.get("auto_map")
    if not isinstance(named, dict):
        return ""
    return ", ".join(sorted({f"{str(one).rpartition('.')[0]}.py" for one in named.values()}))
