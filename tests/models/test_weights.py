"""Weights that are cut off, or of another model than is said, are refused when one is added."""

from __future__ import annotations

import json
import os
import pickle
from typing import TYPE_CHECKING

import pytest
from tests.models.test_folder import change

from litscape.errors import UserError
from litscape.models import ModelRegistry
from litscape.models.bundled import bundled_card
from litscape.models.weights import check_weights
from litscape.store.database import Database
from litscape_trainer.runs.bases import trainable_base

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[ModelRegistry]:
    """The models of an empty library."""
    with Database.open(tmp_path / "lib") as database:
        yield ModelRegistry(database)


def cut(folder: Path) -> None:
    os.truncate(folder / "model.safetensors", 60_000)


def of_another_kind(folder: Path) -> None:
    change(folder / "config.json", model_type="gpt2")


def with_more_layers(folder: Path) -> None:
    change(folder / "config.json", num_hidden_layers=3)


def with_more_words(folder: Path) -> None:
    change(folder / "config.json", vocab_size=126)


def no_tensors(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(pickle.dumps([json.dumps({})]))


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (cut, r"is damaged: it has 60,000 bytes and should have 63,864"),
        (of_another_kind, "not those of a gpt2 model"),
        (with_more_layers, "have 2 layers, and its config.json speaks of 3"),
        (with_more_words, "know 125 words, and its config.json speaks of 126"),
        (no_tensors, "is no safetensors file"),
    ],
)
def test_what_can_not_be_run_is_not_added(
    registry: ModelRegistry, tiny: Path, spoil: object, sentence: str
) -> None:
    assert callable(spoil)
    spoil(tiny)
    with pytest.raises(UserError, match=sentence):
        registry.add_folder(tiny)
    assert len(registry.available()) == 1
    with pytest.raises(UserError, match=sentence):  # nor trained from
        trainable_base(registry, str(tiny))


def test_whole_weights_are_taken(registry: ModelRegistry, tiny: Path) -> None:
    check_weights(bundled_card())
    assert registry.add_folder(tiny) in registry.available()
    change(tiny / "config.json", model_type="one-that-nobody-knows")
    assert registry.add_folder(tiny).name == "tiny-encoder"


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_no_base(registry: ModelRegistry, name: str) -> None:
    with pytest.raises(UserError, match="No base model is named"):
        trainable_base(registry, name)
