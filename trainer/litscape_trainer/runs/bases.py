"""Which model a run starts from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from litscape import paths
from litscape.errors import UserError
from litscape.models.folder import read_folder

if TYPE_CHECKING:
    from litscape.models.card import ModelCard
    from litscape.models.registry import ModelRegistry

BUNDLED = "bundled"
_HUB = re.compile(r"[\w.-]+/[\w.-]+")


def base_card(registry: ModelRegistry, base: str | None) -> ModelCard:
    """The model that a recipe names: a version, ``bundled``, a folder, or a hub id.

    Args:
        registry: the models of the library.
        base: what the recipe says; None: the model in use.

    Raises:
        UserError: there is none, it has no tokenizer, or can't be run here; the message says how
            to get it.
    """
    if base is None:
        return registry.active()
    if base == BUNDLED:
        return registry.bundled()
    known = [card for card in registry.available() if base in (card.version, card.name, card.base)]
    if known:
        return known[0] if len(known) == 1 else registry.find(base)
    place = Path(base).expanduser()
    if place.is_dir():
        card = read_folder(place)
        registry.register(card)
        return card
    if _HUB.fullmatch(base):
        downloaded = paths.data_dir() / "models" / base.replace("/", "--")
        if (downloaded / "config.json").is_file():
            card = read_folder(downloaded, name=base.rsplit("/", 1)[-1], base=base, source="hub")
            registry.register(card)
            return card
        raise UserError(
            f"{base} is not on this machine yet: add it to the models first, which downloads it "
            f"(`litscape models add-hub {base} --allow-network`)."
        )
    return registry.find(base)


def refuse_own_code(card: ModelCard) -> None:
    """Refuse a model that brings its own code along.

    Raises:
        UserError: it does; its code would run with all rights of the user.
    """
    file = card.folder / card.transformer / "config.json"
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    if isinstance(config, dict) and config.get("auto_map"):
        names = ", ".join(sorted({str(one).split(".")[0] for one in config["auto_map"].values()}))
        raise UserError(
            f"{card.name} brings code of its own ({names}.py) that it needs to run, and code from "
            "a model's folder is refused; choose a base model of a standard architecture."
        )
