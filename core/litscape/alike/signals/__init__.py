"""What may speak for a paper: one file and one line here for each."""

from litscape.alike.signals import (
    author,
    cocitation,
    collection,
    coupling,
    direct,
    lexical,
    manuscripts,
    related,
    smoothed,
    vector,
    votes,
)
from litscape.alike.signals.base import Signal

SIGNALS: tuple[Signal, ...] = (
    vector.SIGNAL,
    lexical.SIGNAL,
    smoothed.SIGNAL,
    votes.SIGNAL,
    direct.SIGNAL,
    cocitation.SIGNAL,
    coupling.SIGNAL,
    author.SIGNAL,
    collection.SIGNAL,
    manuscripts.SIGNAL,
    related.SIGNAL,
)
"""All signals, those of the texts first. Weights by default were chosen on development queries
(docs/decisions)."""
DEFAULTS = {signal.name: signal.weight for signal in SIGNALS}

__all__ = ["DEFAULTS", "SIGNALS", "Signal"]
