"""Whether a text from outside is close to anything in the library, and what is to be said of it.

The measure is the library's own: how near two of its papers, taken at random, are. A text whose
nearest paper is no nearer than that is about something else, and what papers "like it" cite is what
is cited often in the library, whatever the text is about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.seeds import outsiders
from litscape.languages import guess, note_on_text

if TYPE_CHECKING:
    from litscape.alike.ground import Ground
    from litscape.alike.request import Examples
    from litscape.search.semantic import Loaded

PAIRS = 4_000
"""Random pairs of papers that are looked at."""
SHARE = 0.75
"""So many of them are farther apart than what counts as near."""
LEAST = 50
"""In a library with fewer vectors nothing is judged."""


_FAR = (
    "Nothing in the library is close to {what}: the nearest paper (meaning {nearest:.2f}) is no "
    "nearer than papers of the library are to each other by chance."
)


class Nearness:
    """Judges texts by the cosines in one library, which are remembered while it stays as it is."""

    def __init__(self) -> None:
        self._known: tuple[str, str, float] | None = None

    def judge(
        self, loaded: Loaded | None, like: Examples, ground: Ground
    ) -> tuple[bool, tuple[str, ...]]:
        """Whether the library has nothing close to examples that are not in it, and a sentence.

        Examples that are papers of the library are close to it.
        """
        if loaded is None or ground.liked.papers or bool(np.isnan(ground.cosines).all()):
            return False, ()
        texts = [" ".join(filter(None, one)) for one in outsiders(like)]
        nearest = float(np.nanmax(ground.cosines))
        far = len(loaded.snapshot.ids) >= LEAST and nearest < self._usual(loaded)
        if any(guess(text) == "other" for text in texts) and (
            said := note_on_text(loaded.card, len(texts))
        ):
            return far, (said,)
        what = "this text" if len(texts) == 1 else "these texts"
        return far, (_FAR.format(what=what, nearest=nearest),) if far else ()

    def _usual(self, loaded: Loaded) -> float:
        """The cosine that :data:`SHARE` of random pairs of papers stay below."""
        snapshot, known = loaded.snapshot, self._known
        if known is not None and known[:2] == (loaded.card.version, snapshot.revision):
            return known[2]
        found = usual(loaded)
        self._known = loaded.card.version, snapshot.revision, found
        return found


def usual(loaded: Loaded) -> float:
    """The cosine that :data:`SHARE` of random pairs of papers stay below; takes milliseconds."""
    snapshot = loaded.snapshot
    first, second = np.random.default_rng(0).integers(0, len(snapshot.ids), (2, PAIRS))
    apart = first != second
    rows = snapshot.matrix[first[apart]], snapshot.matrix[second[apart]]
    return float(np.quantile(np.einsum("ij,ij->i", *rows), SHARE))


def far_off(loaded: Loaded, nearest: float, what: str) -> str:
    """What is said where the nearest paper is no nearer than chance; empty where it is nearer.

    Args:
        loaded: the library's vectors.
        nearest: the cosine of the nearest paper.
        what: what it was compared with.
    """
    if len(loaded.snapshot.ids) < LEAST or nearest >= usual(loaded):
        return ""
    return _FAR.format(what=what, nearest=nearest)
