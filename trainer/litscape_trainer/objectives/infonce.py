"""InfoNCE: the positive against all other texts of the batch (van den Oord et al. 2018)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from litscape_trainer.objectives.records import BatchPlaces
    from litscape_trainer.recipes.recipe import TrainingRecipe

START = 0.07
"""The temperature that a learned one begins with, as in CLIP (Radford et al. 2021)."""
LARGEST_LOG_SCALE = math.log(100)


class InfoNce:
    """Cosines over a temperature, soft-max over the batch's positives and negatives.

    Known positives of an anchor, its own other ones and itself are no negatives, and a text that
    stands in the batch twice is one candidate. A much-cited paper is in many batches, and so it is
    pushed away more often than others: ``log_q`` takes the logarithm of each candidate's share off
    its score (Yi et al. 2019, "Sampling-bias-corrected neural modeling for large corpus item
    recommendations"), and the loss is that of a soft-max over all papers alike.

    Args:
        recipe: ``temperature``, ``learned_temperature`` to learn it from ``START``, and ``log_q``.
    """

    unit = True
    needs_negatives = False
    needs_teacher = False

    def __init__(self, recipe: TrainingRecipe) -> None:
        import torch

        first = START if recipe.learned_temperature else recipe.temperature
        self._log_q = recipe.log_q
        self._log_scale = torch.nn.Parameter(
            torch.tensor(math.log(1 / first)), requires_grad=recipe.learned_temperature
        )

    def parameters(self) -> dict[str, torch.nn.Parameter]:
        """The logarithm of one over the temperature, if it is learned."""
        return {"log_scale": self._log_scale} if self._log_scale.requires_grad else {}

    def loss(self, vectors: torch.Tensor, places: BatchPlaces) -> torch.Tensor:
        """Mean of minus the logarithm of the positive's share."""
        losses = self.one_way(
            vectors[places.anchors],
            vectors[places.candidates],
            places.targets,
            places.barred,
            places.log_shares,
        )
        return (losses * places.weights).mean()

    def one_way(
        self,
        asked: torch.Tensor,
        candidates: torch.Tensor,
        targets: torch.Tensor,
        barred: torch.Tensor,
        log_shares: torch.Tensor,
    ) -> torch.Tensor:
        """The loss of each of ``asked`` (b, d) against ``candidates`` (c, d): (b,)."""
        import torch

        scale: torch.Tensor = self._log_scale
        if scale.requires_grad:
            scale = scale.clamp(max=LARGEST_LOG_SCALE)
        scores = asked @ candidates.T * scale.to(asked.device).exp()
        if self._log_q:
            scores = scores - log_shares
        others = barred.scatter(1, targets.unsqueeze(1), value=False)
        scores = scores.masked_fill(others, float("-inf"))
        return torch.nn.functional.cross_entropy(scores, targets, reduction="none")
