"""A head behind its base, as a model folder that any sentence-transformers program opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.models.folder import read_folder
from litscape_trainer.checkpoints.folder import write_folder

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.models.card import ModelCard
    from litscape_trainer.head.records import TrainedHead


def save_head(card: ModelCard, head: TrainedHead, folder: Path, name: str) -> ModelCard:
    """Write the base with the head behind it: pooling, scaling, the head's layers, scaling.

    What it gives for a text is what :meth:`TrainedHead.apply` gives for the base's unit vector.

    Args:
        card: the base.
        head: trained on its vectors.
        folder: of the new model; what is there is replaced.
        name: for people.

    Returns:
        The new model's card.

    Raises:
        EnvironmentFault: the disk is full or can't be written.
    """
    layers = [(layer.weight, layer.bias, layer.activation) for layer in head.layers]
    write_folder(card, folder, head=layers)
    return read_folder(
        folder, name=name, source="trained", base=card.base, separator=card.separator
    )
