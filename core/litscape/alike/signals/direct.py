"""A direct link: cited by an example, or citing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal

if TYPE_CHECKING:
    from litscape.alike.ground import Ground, Values
    from litscape.alike.seeds import Side


def measure(ground: Ground) -> Values:
    """(n,)."""
    return ground.balanced(_of)


def _of(ground: Ground, side: Side) -> Values:
    cited = ground.links.out.gather(side.numbers)[0]
    citing = ground.links.into.gather(side.numbers)[0]
    linked = np.concatenate((cited, citing, side.cited))
    return ground.of_pairs(linked, np.ones(len(linked)), side.size)


SIGNAL = Signal("direct", "direct citation", 0.1, measure)
