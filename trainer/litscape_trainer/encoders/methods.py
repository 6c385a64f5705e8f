"""Which weights of a transformer learn, by the method that a recipe names."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError

if TYPE_CHECKING:
    import torch

    from litscape_trainer.recipes.recipe import TrainingRecipe


def config_of(model: torch.nn.Module) -> Any:
    """The transformer's configuration, as transformers has it."""
    return model.config


def layers_of(model: torch.nn.Module) -> tuple[torch.nn.Module, torch.nn.ModuleList]:
    """The list of a transformer's layers, and the module that owns it.

    Raises:
        UserError: it has none, as where one layer is used again and again.
    """
    import torch

    number = getattr(config_of(model), "num_hidden_layers", None)
    for owner in model.modules():
        for child in owner.children():
            if isinstance(child, torch.nn.ModuleList) and len(child) == number:
                return owner, child
    raise UserError(
        f"The layers of a {config_of(model).model_type} model can't be told apart, so its lower "
        "ones can't be kept as they are; choose the method frozen-embeddings or full."
    )


def prepare(model: torch.nn.Module, recipe: TrainingRecipe) -> torch.nn.Module:
    """Say which weights learn, and set the dropout; LoRA adds its own and gives a new module.

    Raises:
        UserError: the model has no such parts, or the method is not one of an encoder.
    """
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # type: ignore[assignment]  # its output is used by no one here
    if recipe.dropout is not None:
        _set_dropout(model, recipe.dropout)
    if recipe.method == "lora":
        return _with_lora(model, recipe)
    if recipe.method == "frozen-embeddings":
        _embeddings(model).requires_grad_(False)
    elif recipe.method == "lower-frozen":
        _freeze_below(model, cut_of(model, recipe))
    elif recipe.method != "full":
        raise UserError(f"The method {recipe.method!r} does not train an encoder.")
    return model


def cut_of(model: torch.nn.Module, recipe: TrainingRecipe) -> int:
    """How many lower layers stay as they are.

    Raises:
        UserError: as many as there are, or more.
    """
    number = len(layers_of(model)[1])
    if recipe.frozen_layers >= number:
        raise UserError(
            f"The recipe keeps {recipe.frozen_layers} layers as they are, but the model has only "
            f"{number}; set frozen_layers to {number - 1} or less."
        )
    return recipe.frozen_layers


def _embeddings(model: torch.nn.Module) -> torch.nn.Module:
    found: torch.nn.Module = model.get_input_embeddings()  # type: ignore[operator]
    return found


def _freeze_below(model: torch.nn.Module, cut: int) -> None:
    """Let only the upper layers learn, and what scales their result."""
    owner, layers = layers_of(model)
    model.requires_grad_(False)
    for layer in layers[cut:]:
        layer.requires_grad_(True)
    for name, child in owner.named_children():
        if "final" in name and "norm" in name.lower():
            child.requires_grad_(True)


def _with_lora(model: torch.nn.Module, recipe: TrainingRecipe) -> torch.nn.Module:
    import peft

    config = peft.LoraConfig(
        r=recipe.lora_rank,
        lora_alpha=recipe.lora_alpha,
        target_modules="all-linear",
        lora_dropout=0.0,
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # between peft and transformers
            wrapped: torch.nn.Module = peft.get_peft_model(model, config)
    except ValueError as error:
        raise UserError(
            f"A {config_of(model).model_type} model can't be trained by LoRA: {error}"
        ) from error
    return wrapped


def merged(model: torch.nn.Module) -> torch.nn.Module:
    """The plain module, with what LoRA learnt added to its weights."""
    unload: Any = getattr(model, "merge_and_unload", None)
    return model if unload is None else unload()


def _set_dropout(model: torch.nn.Module, share: float) -> None:
    import torch

    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = share
        if isinstance(getattr(module, "attention_dropout", None), float):
            module.attention_dropout = share  # type: ignore[assignment]
