"""Symmetric InfoNCE: both ways, the positive from the anchor and the anchor from the positive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_trainer.objectives.infonce import InfoNce

if TYPE_CHECKING:
    import torch

    from litscape_trainer.objectives.records import BatchPlaces


class SymmetricInfoNce(InfoNce):
    """The mean of both ways, as in CLIP (Radford et al. 2021); masked as :class:`InfoNce` is."""

    def loss(self, vectors: torch.Tensor, places: BatchPlaces) -> torch.Tensor:
        """Mean over both ways and all examples."""
        back = self.one_way(
            vectors[places.positives],
            vectors[places.sources],
            places.back_targets,
            places.back_barred,
            places.back_log_shares,
        )
        return (super().loss(vectors, places) + (back * places.weights).mean()) / 2
