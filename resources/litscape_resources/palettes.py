"""The colours of the map: topics and other classes, and ramps for what is more or less.

Class colours were searched for by their smallest distance (OKLab, times 100): at least 10 to
readers who see all colours and 4.8 to those without red, green or blue cones, among any two of
twenty; each stands off its surface. Ramps run from pale to strong, so that lightness alone tells
more from less. A test checks all of it. A class has the same number, and about the same hue, in
both themes.
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
        classes: for up to twenty topics or values; beyond, :meth:`of` begins again.
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
        "#2f6db3", "#e07b00", "#2f9e6b", "#b8336a", "#2b460e", "#d883f2", "#50166b", "#2117b9",
        "#9b789e", "#755917", "#45a5cb", "#881b93", "#7c303d", "#636afb", "#fe4e75", "#612fd4",
        "#124862", "#ac663f", "#b249d0", "#0d6d5a",
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
        "#058de0", "#f97d5c", "#0cb228", "#f8c2dc", "#d8fa4c", "#b68dfa", "#8950d3", "#576bac",
        "#c45bce", "#dbbf45", "#b0f6fd", "#cb0f8c", "#9b5c4a", "#9db9f3", "#ef4079", "#455ef9",
        "#0fb2d1", "#d52314", "#c68aaf", "#48e895",
    ),
    none="#56575b",
    ghost="#393b3f",
    ramp=(
        "#4d4182", "#43529d", "#2567b2", "#007dbe", "#0094bf", "#00a9b6", "#00bba7", "#00c893",
        "#6fd281", "#a9d977", "#d6de7c", "#fae492",
    ),
)  # fmt: skip
PALETTES = {"light": _LIGHT, "dark": _DARK}
"""By the name of the tokens."""


def palette_of(tokens: Tokens) -> Palette:
    """The colours of the map that go with a theme's tokens."""
    return PALETTES[tokens.name]
