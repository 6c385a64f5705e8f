"""A library that a tiny random encoder can be trained on, with that encoder in use."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from tests.evaluation.small_library import make

from litscape.library import Library

if TYPE_CHECKING:
    from litscape_trainer.recipes import TrainingRecipe

PAPERS = 320
TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"


def make_library(folder: Path) -> str:
    """Papers of ten subjects that cite each other; returns the tiny model's version."""
    make(folder / "lib", vectors=False, papers=PAPERS)
    shutil.copytree(TINY, folder / "tiny-encoder")
    with Library.open(folder / "lib", create=False) as library:
        card = library.models.add_folder(folder / "tiny-encoder")
        library.models.activate(card.version)
        return card.version


def quick(recipe: TrainingRecipe, *settings: str) -> TrainingRecipe:
    """A recipe of a few steps."""
    for one in ("minutes=none", "steps=6", "batch=16", "max_length=32", "method=full", *settings):
        recipe = recipe.with_set(one)
    return recipe
