"""Words: TF-IDF similarity, measured for candidates alone, since it reads their texts."""

from __future__ import annotations

from litscape.alike.signals.base import Signal

SIGNAL = Signal("lexical", "words", 0.6, None, of_links=False)
