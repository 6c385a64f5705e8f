"""The rankings that are compared; a new one is a file and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.evaluation.systems.blend import Blend
from litscape.evaluation.systems.searches import Hybrid, Meaning, Words
from litscape.evaluation.systems.tfidf import TfIdf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.evaluation.systems.base import System

SYSTEMS: Mapping[str, type[System]] = {
    one.name: one for one in (Words, TfIdf, Meaning, Hybrid, Blend)
}
"""By name, in the order of tables."""
BASE = Hybrid.name
"""What the others are compared with."""
