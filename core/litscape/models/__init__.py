"""Model versions: cards, folders, the hub, and which one a library uses."""

from typing import TYPE_CHECKING, Any

from litscape.models.card import DenseLayer, ModelCard

if TYPE_CHECKING:
    from litscape.models.registry import ModelRegistry

__all__ = ["DenseLayer", "ModelCard", "ModelRegistry"]


def __getattr__(name: str) -> Any:
    """Import the registry when it is asked for.

    Were it imported here, a thread that imports one of these modules could wait for another that
    imports another of them, which waits for the first: each holds what the other needs.
    """
    if name == "ModelRegistry":
        from litscape.models.registry import ModelRegistry

        return ModelRegistry
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
