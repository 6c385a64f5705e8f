"""Called related to an example in Zotero."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal
from litscape.store.alike_reads import related_to

if TYPE_CHECKING:
    from litscape.alike.ground import Ground, Values
    from litscape.alike.seeds import Side


def measure(ground: Ground) -> Values:
    """(n,)."""
    return ground.balanced(_of)


def _of(ground: Ground, side: Side) -> Values:
    ids = ground.links.ids[side.numbers].tolist()
    others = ground.links.numbers_of(np.array(related_to(ground.conn, ids), dtype=np.int64))
    return ground.of_pairs(others, np.ones(len(others)), side.size)


SIGNAL = Signal("related", "related in Zotero", 0.1, measure)
