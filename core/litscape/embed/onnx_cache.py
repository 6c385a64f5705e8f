"""Where exported models lie, and whether one is whole; imports nothing heavy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from litscape import paths

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.models.card import ModelCard

FORMAT = 2
MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
STAMP = "stamp.json"


def folder_of(card: ModelCard) -> Path:
    """The folder of a model version's export, there or not."""
    return paths.cache_dir() / "onnx" / card.version


def stamp(card: ModelCard, folder: Path) -> str:
    """What must hold of the files in ``folder`` for them to be this card's export, as JSON."""
    sizes = {path.name: path.stat().st_size for path in folder.iterdir() if path.name != STAMP}
    return json.dumps({"format": FORMAT, "card": card.identity, "files": sizes}, sort_keys=True)


def find_export(card: ModelCard) -> Path | None:
    """The folder of a whole and fitting export; None where it must be made (again)."""
    folder = folder_of(card)
    try:
        written = (folder / STAMP).read_text(encoding="utf-8")
        whole = written == stamp(card, folder) and (folder / MODEL).exists()
    except OSError:
        return None
    return folder if whole else None
