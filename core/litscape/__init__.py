"""Litscape: a local literature explorer. The public Python API is :class:`Library`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litscape.library import Library

__all__ = ["Library"]


def __getattr__(name: str) -> Any:
    # Loaded when asked for: importing litscape.errors must not cost the database's import.
    if name == "Library":
        from litscape.library import Library

        return Library
    raise AttributeError(f"module 'litscape' has no attribute {name!r}")
