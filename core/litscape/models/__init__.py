"""Model versions: cards, folders, the hub, and which one a library uses."""

from litscape.models.card import DenseLayer, ModelCard
from litscape.models.registry import ModelRegistry

__all__ = ["DenseLayer", "ModelCard", "ModelRegistry"]
