"""Exports of models for tests, each made once a session: making one takes seconds."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape.embed.onnx_cache import find_export
from litscape.engine import Engine
from litscape.models.bundled import bundled_card
from litscape.models.folder import read_folder

if TYPE_CHECKING:
    from litscape.models import ModelCard

TINY = Path(__file__).resolve().parent / "data" / "tiny-encoder"
"""A random two-layer encoder, 24 dimensions, in sentence-transformers' layout."""


class Exports:
    """Exports in a home of their own, made by an engine when they are first asked for."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def of(self, card: ModelCard) -> Path:
        """The folder of a model's export."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LITSCAPE_HOME", str(self._home))
            found = find_export(card)
            if found is not None:
                return found
            with Engine() as engine:
                return engine.export(card)

    def put(self, home: Path, *, tiny: bool = True, bundled: bool = False) -> None:
        """Give a home the exports of the small or the bundled model."""
        cards = [read_folder(TINY)] if tiny else []
        cards += [bundled_card()] if bundled else []
        for card in cards:
            made = self.of(card)
            target = home / "cache" / "onnx" / made.name
            if not target.exists():
                shutil.copytree(made, target)
