"""Whether a recipe can be carried out at all, before it is queued."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.outline import read_outline
from litscape.store.graph_reads import NO_YEAR, read_nodes
from litscape_trainer.examples.registry import BUILDERS
from litscape_trainer.loop.sentences import NO_TEACHER
from litscape_trainer.objectives.registry import OBJECTIVES, has_teacher

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape_trainer.recipes.recipe import TrainingRecipe

_LAYERS = ("num_hidden_layers", "n_layers", "n_layer", "num_layers")
_LISTED = 12


def check_names(recipe: TrainingRecipe) -> None:
    """Refuse a builder or an objective that there is not, or that can't be had so.

    Raises:
        UserError: with those that there are.
    """
    if recipe.builder not in BUILDERS:
        raise UserError(
            f"{recipe.builder!r} is no way to build examples; choose one of: {', '.join(BUILDERS)}."
        )
    if recipe.objective not in OBJECTIVES:  # by name: making one would load torch
        raise UserError(
            f"{recipe.objective!r} is no objective; choose one of: {', '.join(OBJECTIVES)}."
        )
    if recipe.method == "head" and has_teacher(recipe.objective):
        raise UserError(NO_TEACHER.format(name=recipe.objective))


def check_recipe(library: Library, recipe: TrainingRecipe, base: ModelCard) -> None:
    """Refuse what a run of this library would only fail of when its turn comes.

    Raises:
        UserError: an unknown builder, objective or collection, a year before all papers, more
            frozen layers than the base model has, or a base model that can't learn so.
    """
    check_names(recipe)
    refuse_two_parts(recipe, base)
    known = ["/".join(one.path) for one in read_outline(library.database).collections]
    for name in recipe.collections:
        if name not in known:
            raise UserError(f"There is no collection {name!r} here. {_listed(known)}")
    _check_year(library, recipe)
    layers = _layers(base)
    frozen = recipe.frozen_layers if recipe.method == "lower-frozen" else 0
    if layers is not None and frozen >= layers:
        raise UserError(
            f"The recipe keeps {frozen} layers as they are, but {base.name} has only {layers}; set "
            f"frozen_layers to {layers - 1} or less."
        )


def refuse_two_parts(recipe: TrainingRecipe, base: ModelCard) -> None:
    """Refuse to train the encoder of a model that also has a decoder; a layer on its vectors may.

    Raises:
        UserError: it has one.
    """
    if recipe.method != "head" and _configuration(base).get("is_encoder_decoder") is True:
        raise UserError(f"{base.name} is one half of a two-part model, which can't be trained.")


def _check_year(library: Library, recipe: TrainingRecipe) -> None:
    if recipe.as_of is None:
        return
    with library.database.read() as conn:
        _ids, years = read_nodes(conn)
    dated = years[years != NO_YEAR]
    if not len(dated):
        raise UserError(
            "No paper in this library has a year, so nothing can be learnt as of one. Leave the "
            "year out, or look up the papers' years first."
        )
    if recipe.as_of < int(dated.min()):
        raise UserError(
            f"Nothing in this library is dated {recipe.as_of} or before: its papers are of "
            f"{int(dated.min())} to {int(dated.max())}. Give a later year."
        )


def _listed(names: Iterable[str]) -> str:
    some = sorted(names)
    if not some:
        return "This library has no collections."
    more = f" and {len(some) - _LISTED:,} more" if len(some) > _LISTED else ""
    return f"There are: {', '.join(some[:_LISTED])}{more}."


def _layers(card: ModelCard) -> int | None:
    """How many layers a model has, by its configuration; None where that does not say."""
    config = _configuration(card)
    found = next((config[key] for key in _LAYERS if key in config), None)
    return found if isinstance(found, int) else None


def _configuration(card: ModelCard) -> Mapping[str, Any]:
    """What a model says of itself; nothing where that can't be read."""
    with suppress(OSError, ValueError):
        text = (card.folder / card.transformer / "config.json").read_text(encoding="utf-8")
        found = json.loads(text)
        if isinstance(found, dict):
            return found
    return {}
