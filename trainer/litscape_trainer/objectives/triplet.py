"""Triplet margin: the positive nearer than the negative by a margin (Cohan et al. 2020)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from litscape_trainer.objectives.records import BatchPlaces
    from litscape_trainer.recipes.recipe import TrainingRecipe


class CosineTriplet:
    """One minus the cosine as distance: what search ranks by.

    A negative that is a known positive of its anchor is passed over; the mean is over the
    triplets that are left.

    Args:
        recipe: ``margin``; distances lie between 0 and 2, so 0.2 to 0.5 is usual.
    """

    unit = True
    needs_negatives = True
    needs_teacher = False

    def __init__(self, recipe: TrainingRecipe) -> None:
        self._margin = recipe.margin

    def parameters(self) -> dict[str, torch.nn.Parameter]:
        """It learns nothing itself."""
        return {}

    def loss(self, vectors: torch.Tensor, places: BatchPlaces) -> torch.Tensor:
        """Mean of what is missing to the margin, at least 0."""
        import torch

        example, column = (places.negatives >= 0).nonzero(as_tuple=True)
        negatives = places.negatives[example, column]
        order = places.candidates.argsort()
        candidate = order[torch.searchsorted(places.candidates[order], negatives)]
        free = ~places.barred[example, candidate]
        example, negatives = example[free], negatives[free]
        anchors = vectors[places.anchors[example]]
        near = self._distance(anchors, vectors[places.positives[example]])
        far = self._distance(anchors, vectors[negatives])
        missing = torch.relu(near - far + self._margin) * places.weights[example]
        return missing.sum() / max(len(example), 1)

    def _distance(self, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        return 1 - (left * right).sum(dim=1)


class RawTriplet(CosineTriplet):
    """Euclidean distance of raw vectors, as SPECTER was trained, with a margin of 1 there.

    Search compares unit vectors all the same: such a model can meet its margin by growing alone.
    """

    unit = False

    def _distance(self, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        import torch

        return torch.nn.functional.pairwise_distance(left, right)
