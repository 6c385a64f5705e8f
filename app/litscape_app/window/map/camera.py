"""Which part of the map is seen, and how places become pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Camera:
    """The part of the map that is seen; y of the map grows upwards, of the screen downwards.

    Attributes:
        left: of the map at the left edge of the screen.
        top: of the map at its upper edge.
        scale: logical pixels of one unit of the map.
        width: logical pixels of the screen.
        height: likewise.
    """

    left: float
    top: float
    scale: float
    width: int
    height: int

    def screen(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Places of the map, each (n,), as logical pixels."""
        return (x - self.left) * self.scale, (self.top - y) * self.scale

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """One place of the map as logical pixels."""
        return (x - self.left) * self.scale, (self.top - y) * self.scale

    def place(self, across: float, down: float) -> tuple[float, float]:
        """Logical pixels as a place of the map."""
        return self.left + across / self.scale, self.top - down / self.scale

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of what is seen of the map."""
        right, bottom = self.place(self.width, self.height)
        return self.left, bottom, right, self.top
