"""How a picture of a map is to look."""

from __future__ import annotations

from dataclasses import dataclass

from litscape.errors import UserError

MOST_PIXELS = 400_000_000
"""A picture in memory has four bytes a pixel."""
_LEAST = 200


@dataclass(frozen=True, slots=True)
class Style:
    """Size and colours of a picture.

    Attributes:
        width, height: in pixels; 1/96 inch each on paper.
        dark: whether the ground is dark.
        caption: whether a line at the foot says what the picture is and is not.

    Raises:
        UserError: the size is none that can be drawn.
    """

    width: int = 1600
    height: int = 1200
    dark: bool = False
    caption: bool = True

    def __post_init__(self) -> None:
        if min(self.width, self.height) < _LEAST:
            raise UserError(f"A picture of a map is at least {_LEAST} pixels wide and high.")
        if self.width * self.height > MOST_PIXELS:
            raise UserError(
                f"{self.width:,} × {self.height:,} pixels are more than can be drawn; at most "
                f"{MOST_PIXELS // 1_000_000} million together. SVG and PDF are sharp at any size."
            )
