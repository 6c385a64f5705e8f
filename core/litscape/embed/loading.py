"""Loading a card's transformer and tokenizer with transformers, never a pickle, never online."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from litscape.embed.tokens import Tokens
from litscape.errors import EnvironmentFault, UserError
from litscape.models.folder import find_weights, own_code, own_code_refused

if TYPE_CHECKING:
    import torch

    from litscape.models.card import ModelCard


def stay_offline() -> None:
    """Keep transformers and the hub's library from any connection; before they are imported."""
    os.environ.update(
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_OFFLINE="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        DO_NOT_TRACK="1",
        TOKENIZERS_PARALLELISM="false",
        TRANSFORMERS_VERBOSITY="error",
    )


def load_transformer(card: ModelCard, attention: str = "sdpa") -> torch.nn.Module:
    """The encoder in float32 and evaluation mode.

    Raises:
        UserError: no weights, only a pickle, unknown architecture, or weights of other shapes.
        EnvironmentFault: the weights are damaged or don't fit into memory.
    """
    stay_offline()
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModel
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    folder = card.folder / card.transformer
    find_weights(folder)
    options: dict[str, Any] = {
        "dtype": torch.float32,
        "local_files_only": True,
        "use_safetensors": True,
        "trust_remote_code": card.own_code,
        "output_loading_info": True,
    }
    try:
        try:
            model, info = AutoModel.from_pretrained(
                folder, attn_implementation=attention, **options
            )
        except ValueError as error:
            if "attention" not in str(error) and "attn" not in str(error):
                raise
            model, info = AutoModel.from_pretrained(folder, **options)
    except (SafetensorError, OSError) as error:
        raise EnvironmentFault(f"The weights in {folder} are damaged: {error}.") from error
    except (ValueError, RuntimeError, KeyError, ImportError) as error:
        raise _unloadable(card, error) from error
    missing = [key for key in info["missing_keys"] if "pooler" not in key]
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
        missing = [key for key in missing if not key.startswith("decoder")]
    if missing:
        raise UserError(f"The weights in {folder} lack {len(missing)} parts, such as {missing[0]}.")
    loaded: torch.nn.Module = model.eval()
    return loaded


def load_tokens(card: ModelCard) -> Tokens:
    """The model's tokenizer, as transformers sets it up.

    Raises:
        UserError: it can't be read or has no fast form.
    """
    stay_offline()
    from transformers import AutoTokenizer

    folder = card.folder / card.transformer
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
        backend = tokenizer.backend_tokenizer
    except Exception as error:
        raise UserError(f"The tokenizer in {folder} can't be read: {_first_line(error)}") from error
    return Tokens(card, backend)


def _unloadable(card: ModelCard, error: Exception) -> UserError:
    """Why a model can't be loaded, in our words where it would need code of its own."""
    names = "" if card.own_code else own_code(card)
    if names and isinstance(error, ValueError | KeyError | ImportError):
        return UserError(own_code_refused(card, names))
    folder = card.folder / card.transformer
    return UserError(f"The model in {folder} can't be loaded: {_first_line(error)}")


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".") + "."
