"""The colours of the map: topics and other classes, and ramps for what is more or less.

Class colours were searched for by their smallest distance (OKLab, times 100): at least 17 to
readers who see all colours and 8.8 to those without red, green or blue cones, among any two of ten;
each stands off its surface. Twenty would be at most 10 and 5 apart: where there are more topics,
hues come again far from each other (:mod:`litscape.maps.hues`). Ramps run from pale to strong, so
that lightness alone tells more from less. A test checks all of it. A class has the same number in
both themes, and about the same hue but for the last, a yellow that only stands off a dark ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape_resources.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme's colours of the map, each ``#rrggbb``.

    Attributes:
        classes: for ten topics or values; beyond, :meth:`of` begins again.
        none: what has no topic or value.
        ghost: what is not chosen, not found, or not there yet.
        ramp: from least to most.
    """

    classes: tuple[str, ...]
    none: str
    ghost: str
    ramp: tuple[str, ...]

    def of(self, number: int) -> str:
        """The colour of a topic or class by its colour number; -1 is none."""
        return self.none if number < 0 else self.classes[number % len(self.classes)]


_LIGHT = Palette(
    classes=(
        "#0c5bcd", "#fc6e2a", "#309d80", "#890125", "#17a9fe", "#601597", "#a55a04", "#df71cb",
        "#01525e", "#8d5b95",
    ),
    none="#b9b4ac",
    ghost="#dcd8d1",
    ramp=(
        "#d5bd63", "#aaba4b", "#72b74c", "#00b060", "#00a678", "#00978d", "#00849d", "#006ea3",
        "#00589e", "#00438e", "#213177", "#2b235b",
    ),
)  # fmt: skip
_DARK = Palette(
    classes=(
        "#5563e1", "#fdb68f", "#7bba0d", "#ff6693", "#a2c6ff", "#bf7dfe", "#a27b3c", "#b43b9e",
        "#3dffe0", "#e0e92c",
    ),
    none="#56575b",
    ghost="#393b3f",
    ramp=(
        "#4d4182", "#43529d", "#2567b2", "#007dbe", "#0094bf", "#00a9b6", "#00bba7", "#00c893",
        "#6fd281", "#a9d977", "#d6de7c", "#fae492",
    ),
)  # fmt: skip
HUES = len(_LIGHT.classes)
"""Classes that have a colour of their own."""
PALETTES = {"light": _LIGHT, "dark": _DARK}
"""By the name of the tokens."""


def palette_of(tokens: Tokens) -> Palette:
    """The colours of the map that go with a theme's tokens."""
    return PALETTES[tokens.name]
