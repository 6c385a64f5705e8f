"""Exporting an encoder, pooling included, to ONNX, so that queries need no torch."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.embed.loading import load_tokens, load_transformer
from litscape.embed.onnx_cache import MODEL, STAMP, TOKENIZER, find_export, folder_of, stamp
from litscape.embed.onnx_encoder import OnnxEncoder
from litscape.embed.pooling import load_dense, pool
from litscape.embed.torch_encoder import AGREEMENT, PROBES, TorchEncoder
from litscape.errors import EnvironmentFault, UserError
from litscape.jobs import null_context

if TYPE_CHECKING:
    import torch

    from litscape.jobs import JobContext
    from litscape.models.card import ModelCard

_OPSET = 17


def export(card: ModelCard, ctx: JobContext | None = None) -> Path:
    """Make the export of a model version unless it is there; returns its folder.

    It is compared with torch in float32 before it takes its place. Imports torch: run it in a
    process that may.

    Raises:
        UserError: the model can't be loaded or exported, or the export doesn't agree with it.
        EnvironmentFault: the cache folder can't be written or the disk is full.
    """
    ctx = ctx or null_context()
    found = find_export(card)
    if found is not None:
        return found
    target = folder_of(card)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".making-") as name:
            made = Path(name) / "export"
            made.mkdir()
            _make(card, made, ctx)
            _place(made, target)
    except OSError as error:
        raise EnvironmentFault(
            f"The fast form of {card.name} can't be written to {target.parent}: "
            f"{error.strerror or error}."
        ) from error
    return target


def _make(card: ModelCard, folder: Path, ctx: JobContext) -> None:
    ctx.progress(0, 3, f"Loading {card.name}")
    tokens = load_tokens(card)
    tokens.save(folder / TOKENIZER)
    model = load_transformer(card, attention="eager")
    ctx.progress(1, 3, f"Exporting {card.name}")
    try:
        with tempfile.TemporaryDirectory(dir=folder.parent) as name:
            traced = Path(name) / MODEL
            _trace(card, model, traced)
            _split(traced, folder / MODEL)
    except (RuntimeError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UserError(
            f"{card.name} can't be brought into its fast form, so search by meaning is not "
            f"available with it: {str(error).strip().splitlines()[0]}"
        ) from error
    ctx.progress(2, 3, f"Comparing {card.name} with its export")
    exact = TorchEncoder(card, device="cpu", dtype="float32").encode(PROBES, "query")
    exported = OnnxEncoder(card, folder).encode(PROBES, "query")
    agreement = float(np.sum(exact * exported, axis=1).min())
    if not agreement >= AGREEMENT:
        raise UserError(
            f"The fast form of {card.name} does not agree with the model (cosine {agreement:.4f}), "
            "so it is not used and search by meaning is not available with this model."
        )
    (folder / STAMP).write_text(stamp(card, folder), encoding="utf-8")
    ctx.progress(3, 3, f"{card.name} is ready for queries")


def _place(made: Path, target: Path) -> None:
    """Put the finished folder where it belongs; an unusable older one goes first."""
    if target.exists():
        shutil.rmtree(target)
    os.replace(made, target)


def _split(traced: Path, target: Path) -> None:
    """Keep the weights in a file beside the graph: it is mapped, which halves the start."""
    import onnx

    onnx.save_model(
        onnx.load(str(traced)),
        str(target),
        save_as_external_data=True,
        location=f"{target.name}.data",
        size_threshold=1024,
    )


def _trace(card: ModelCard, model: torch.nn.Module, file: Path) -> None:
    import torch

    dense = load_dense(card)

    class Whole(torch.nn.Module):
        """Transformer and pooling in one, called by position as the exporter does."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: Any, mask: Any, kept: Any) -> Any:
            hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
            return pool(card, hidden, mask, kept, dense)

    ids = torch.tensor([[1, 2, 3, 4], [1, 2, 0, 0]])
    mask = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]])
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Whole().eval(),
            (ids, mask, mask.clone()),
            str(file),
            input_names=["ids", "mask", "kept"],
            output_names=["vectors"],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in ("ids", "mask", "kept")}
            | {"vectors": {0: "texts"}},
            opset_version=_OPSET,
            dynamo=False,
        )
