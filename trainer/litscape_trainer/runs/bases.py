"""Which model a run starts from."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from litscape import paths
from litscape.errors import UserError
from litscape.models.folder import own_code, own_code_refused, read_folder
from litscape.models.weights import check_weights

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
    if not base.strip():
        raise UserError("No base model is named: give a version, bundled, a folder or a hub id.")
    known = [card for card in registry.available() if base in (card.version, card.name, card.base)]
    if known:
        return known[0] if len(known) == 1 else registry.find(base)
    place = Path(base).expanduser()
    if place.is_dir():
        return read_folder(place)
    if _HUB.fullmatch(base):
        downloaded = paths.data_dir() / "models" / base.replace("/", "--")
        if (downloaded / "config.json").is_file():
            name = base.rsplit("/", 1)[-1]
            return read_folder(downloaded, name=name, base=base, source="hub")
        raise UserError(
            f"{base} is not on this machine yet: add it to the models first, which downloads it "
            f"(`litscape models add-hub {base} --allow-network`)."
        )
    if base.startswith((".", "~")) or any(sign in base for sign in ("/", os.sep)):
        raise UserError(f"There is no folder {place} to take the base model from.")
    return registry.find(base)


def trainable_base(registry: ModelRegistry, base: str | None) -> ModelCard:
    """The same, looked at as closely as is possible without running it; nothing is registered.

    Raises:
        UserError: there is none, it brings code along that nobody allowed, or its weights are
            damaged or of another architecture.
    """
    card = base_card(registry, base)
    refuse_own_code(card)
    if card.source != "bundled":
        check_weights(card)
    return card


def refuse_own_code(card: ModelCard) -> None:
    """Refuse a model that brings its own code along, unless somebody allowed that by its name.

    Raises:
        UserError: it does; its code would run with all rights of the user.
    """
    names = "" if card.own_code else own_code(card)
    if names:
        raise UserError(own_code_refused(card, names))
