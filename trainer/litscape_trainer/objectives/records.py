"""What an objective is given: the vectors of one batch, each text's once, and who is who."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class BatchPlaces:
    """Where the texts of a batch's b examples stand among its u vectors.

    Attributes:
        anchors: (b,) int64 places.
        positives: (b,) int64 places.
        negatives: (b, h) int64 places; -1 where an example has fewer.
        candidates: (c,) int64 places of all positives and negatives, each once.
        targets: (b,) int64: which candidate is an example's positive.
        barred: (b, c) bool: candidates that are no negatives of the anchor, its own positive
            among them (it is the target all the same).
        sources: (s,) int64 places of all anchors, each once.
        back_targets: (b,) int64: which source is an example's anchor.
        back_barred: (b, s) bool: sources that are no negatives of the positive.
        weights: (b,) float32: how much each example counts; 1 on the whole.
        log_shares: (c,) float32: the logarithm of the share that each candidate has among all
            positives and negatives of the epoch; 0 for all where candidates were drawn evenly.
        back_log_shares: (s,) float32: the same of each source among all anchors.
        likeness: (u, u) float32: a teacher's of the texts to each other; (0, 0) without one.
    """

    anchors: torch.Tensor
    positives: torch.Tensor
    negatives: torch.Tensor
    candidates: torch.Tensor
    targets: torch.Tensor
    barred: torch.Tensor
    sources: torch.Tensor
    back_targets: torch.Tensor
    back_barred: torch.Tensor
    weights: torch.Tensor
    log_shares: torch.Tensor
    back_log_shares: torch.Tensor
    likeness: torch.Tensor

    def to(self, device: torch.device) -> BatchPlaces:
        """The same on a device."""
        return BatchPlaces(*(getattr(self, name).to(device) for name in self.__slots__))


class Objective(Protocol):
    """A loss over the vectors of one batch.

    Gradients reach the encoder through the vectors alone, so that an objective neither knows nor
    cares whether they are cached (Gao et al. 2021, "Scaling deep contrastive learning batch size
    under memory limited setup").

    Attributes:
        unit: whether it compares unit vectors, as search does; else raw ones.
        needs_negatives: whether examples without explicit negatives teach it nothing.
        needs_teacher: whether it learns from a teacher's likenesses.
    """

    unit: bool
    needs_negatives: bool
    needs_teacher: bool

    def parameters(self) -> dict[str, torch.nn.Parameter]:
        """What it learns itself, by name."""

    def loss(self, vectors: torch.Tensor, places: BatchPlaces) -> torch.Tensor:
        """The mean loss of a batch, a scalar.

        Args:
            vectors: float32 (u, d), of unit length if ``unit``.
            places: who is who among them.
        """
