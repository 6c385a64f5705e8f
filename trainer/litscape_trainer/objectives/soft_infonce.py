"""InfoNCE with soft targets: words, links and the base model share the probability of a positive.

Each text of a batch ranks all others, by a soft-max over their cosines, as InfoNCE has it. Its
target is no single positive but the soft-max over a teacher's likenesses, and the loss is how far
the one is from the other (Kullback-Leibler; Hinton et al. 2015, "Distilling the knowledge in a
neural network", of relations between texts as in Tung and Mori 2019, "Similarity-preserving
knowledge distillation"). The more a link adds to the teacher's likeness, the nearer it comes to
plain InfoNCE. Nothing is pushed away for being much cited or new, and what the teacher has of the
base model's own cosines keeps the rest as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from litscape_trainer.objectives.records import BatchPlaces
    from litscape_trainer.recipes.recipe import TrainingRecipe


class SoftInfoNce:
    """Kullback-Leibler divergence from a teacher's likenesses, of each text to all others.

    Args:
        recipe: ``temperature``, by which both sides are divided.
    """

    unit = True
    needs_negatives = False
    needs_teacher = True

    def __init__(self, recipe: TrainingRecipe) -> None:
        self._temperature = recipe.temperature

    def parameters(self) -> dict[str, torch.nn.Parameter]:
        """None."""
        return {}

    def loss(self, vectors: torch.Tensor, places: BatchPlaces) -> torch.Tensor:
        """The mean over the texts of a batch."""
        import torch

        own = torch.eye(len(vectors), dtype=torch.bool, device=vectors.device)
        far = torch.finfo(torch.float32).min
        scores = (vectors @ vectors.T / self._temperature).masked_fill(own, far)
        wanted = (places.likeness / self._temperature).masked_fill(own, far)
        return torch.nn.functional.kl_div(
            scores.log_softmax(dim=1),
            wanted.log_softmax(dim=1),
            reduction="batchmean",
            log_target=True,
        )
