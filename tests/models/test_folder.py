"""What a model folder says about itself, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from litscape.errors import UserError
from litscape.models.card import ModelCard
from litscape.models.folder import read_folder

if TYPE_CHECKING:
    from pathlib import Path


def change(path: Path, **values: Any) -> None:
    """Set keys of a JSON file; None removes one."""
    data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    data = {key: value for key, value in {**data, **values}.items() if value is not None}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")


def add_module(folder: Path, kind: str, path: str) -> None:
    listing = folder / "modules.json"
    modules = json.loads(listing.read_text(encoding="utf-8"))
    modules.insert(2, {"idx": 2, "name": "2", "path": path, "type": f"some.package.{kind}"})
    listing.write_text(json.dumps(modules), encoding="utf-8")


def test_sentence_transformers_folder(tiny: Path) -> None:
    change(
        tiny / "config_sentence_transformers.json",
        prompts={"query": "query: ", "passage": "passage: "},
    )
    change(tiny / "sentence_bert_config.json", max_seq_length=32, do_lower_case=True)
    card = read_folder(tiny)
    assert (card.dim, card.max_length, card.pooling, card.normalise) == (24, 32, ("mean",), True)
    assert (card.query_prefix, card.paper_prefix, card.lowercase) == ("query: ", "passage: ", True)
    assert card.separator == " "
    assert card.version.startswith("tiny-encoder-")


def test_plain_transformers_folder_pools_the_mean_and_joins_by_the_separator_token(
    tiny: Path,
) -> None:
    (tiny / "modules.json").unlink()
    card = read_folder(tiny)
    assert (card.pooling, card.separator, card.normalise) == (("mean",), "[SEP]", False)


def test_models_known_to_be_pooled_by_their_first_token(tiny: Path) -> None:
    (tiny / "modules.json").unlink()
    assert read_folder(tiny.rename(tiny.parent / "specter")).pooling == ("cls",)


def test_length_is_bounded_by_the_positions_of_the_weights(tiny: Path) -> None:
    change(tiny / "sentence_bert_config.json", max_seq_length=None)
    change(tiny / "tokenizer_config.json", model_max_length=int(1e30))
    assert read_folder(tiny).max_length == 64


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, ("cls",)),
        ({"pooling_mode_max_tokens": True}, ("max", "mean")),
        ({"pooling_mode": "lasttoken"}, ("lasttoken",)),
        ({"pooling_mode": ["cls", "weightedmean"]}, ("cls", "weightedmean")),
    ],
)
def test_pooling_in_the_old_and_the_new_notation(
    tiny: Path, config: dict[str, Any], expected: tuple[str, ...]
) -> None:
    change(tiny / "1_Pooling" / "config.json", **config)
    card = read_folder(tiny)
    assert card.pooling == expected
    assert card.dim == 24 * len(expected)


def test_version_changes_with_whatever_changes_vectors(tiny: Path) -> None:
    first = read_folder(tiny)
    moved = read_folder(tiny.rename(tiny.parent / "elsewhere"), name="tiny-encoder")
    change(moved.folder / "sentence_bert_config.json", max_seq_length=16)
    assert moved.version == first.version
    assert read_folder(moved.folder, name="tiny-encoder").version != first.version


def test_card_survives_json(tiny: Path) -> None:
    card = read_folder(tiny)
    assert ModelCard.from_json(card.to_json()) == card
    with pytest.raises(UserError, match="not a model card"):
        ModelCard.from_json("[1]")


def test_dense_layer_sets_the_width(tiny: Path) -> None:
    add_module(tiny, "Dense", "2_Dense")
    change(
        tiny / "2_Dense" / "config.json",
        in_features=24,
        out_features=8,
        bias=True,
        activation_function="torch.nn.modules.activation.Tanh",
    )
    save_file(
        {"linear.weight": np.ones((8, 24), np.float32), "linear.bias": np.ones(8, np.float32)},
        tiny / "2_Dense" / "model.safetensors",
    )
    card = read_folder(tiny)
    assert (card.dim, card.dense[0].activation) == (8, "tanh")


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no model folder at"):
        read_folder(tmp_path / "nothing")


def test_folder_without_configuration(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no config\.json"):
        read_folder(tmp_path)


def test_folder_without_weights(tiny: Path) -> None:
    (tiny / "model.safetensors").unlink()
    with pytest.raises(UserError, match=r"no weights: model\.safetensors is missing"):
        read_folder(tiny)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "last.ckpt"])
def test_pickled_weights_are_refused_unread(tiny: Path, name: str) -> None:
    (tiny / "model.safetensors").unlink()
    # Loading this pickle would raise; that it is refused shows that it was never loaded.
    (tiny / name).write_bytes(b"cos\nabort\n(tR.")
    with pytest.raises(UserError, match="only as a pickle"):
        read_folder(tiny)


def test_missing_shard(tiny: Path) -> None:
    (tiny / "model.safetensors").rename(tiny / "model-00001-of-00002.safetensors")
    change(
        tiny / "model.safetensors.index.json",
        weight_map={
            "a": "model-00001-of-00002.safetensors",
            "b": "model-00002-of-00002.safetensors",
        },
    )
    with pytest.raises(UserError, match="model-00002-of-00002"):
        read_folder(tiny)


def test_missing_tokenizer(tiny: Path) -> None:
    (tiny / "tokenizer.json").unlink()
    with pytest.raises(UserError, match="has no tokenizer"):
        read_folder(tiny)


def test_pooling_of_another_width(tiny: Path) -> None:
    change(tiny / "1_Pooling" / "config.json", word_embedding_dimension=384)
    with pytest.raises(UserError, match="24 wide, its pooling expects 384"):
        read_folder(tiny)


def test_dense_of_another_width(tiny: Path) -> None:
    add_module(tiny, "Dense", "2_Dense")
    change(tiny / "2_Dense" / "config.json", in_features=99, out_features=8)
    save_file({"linear.weight": np.ones((8, 99), np.float32)}, tiny / "2_Dense/model.safetensors")
    with pytest.raises(UserError, match="expects vectors of 99 numbers and gets 24"):
        read_folder(tiny)


def test_pickled_dense_layer_is_refused(tiny: Path) -> None:
    add_module(tiny, "Dense", "2_Dense")
    change(tiny / "2_Dense" / "config.json", in_features=24, out_features=8)
    (tiny / "2_Dense" / "pytorch_model.bin").write_bytes(b"cos\nabort\n(tR.")
    with pytest.raises(UserError, match="only as a pickle"):
        read_folder(tiny)


def test_unknown_part_is_named(tiny: Path) -> None:
    add_module(tiny, "LSTM", "2_LSTM")
    with pytest.raises(UserError, match="doesn't run: LSTM at place 3"):
        read_folder(tiny)


def test_broken_json_names_the_file(tiny: Path) -> None:
    (tiny / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match=r"config\.json can't be read as JSON"):
        read_folder(tiny)
