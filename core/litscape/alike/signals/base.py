"""What a signal is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.alike.ground import Ground, Values


class Signal(NamedTuple):
    """One thing that may speak for a paper.

    Attributes:
        name: as weights and the command line call it.
        label: as the window calls it.
        weight: what it counts for by default.
        measure: from the ground to (n,), a value for every paper, about 0 … 1; None where it is
            measured for candidates alone, by the ranking itself.
        of_links: whether it needs more than the texts of the examples.
    """

    name: str
    label: str
    weight: float
    measure: Callable[[Ground], Values] | None
    of_links: bool = True
