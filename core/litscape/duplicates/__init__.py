"""Papers that are in a library twice: found, shown beside each other, merged or kept apart."""

from litscape.duplicates.facade import Comparison, Duplicates, RefusedPair
from litscape.duplicates.groups import DuplicateGroup, DuplicatePair
from litscape.duplicates.union import CHOICES

__all__ = [
    "CHOICES",
    "Comparison",
    "DuplicateGroup",
    "DuplicatePair",
    "Duplicates",
    "RefusedPair",
]
