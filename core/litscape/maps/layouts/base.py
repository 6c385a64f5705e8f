"""What a layout gets and gives: vectors and their neighbours in, places out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.maps.records import PartialMap

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.maps.records import NeighbourGraph

_SHOWN_EVERY_S = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The papers that a layout arranges.

    Attributes:
        ids: papers, int64 (n,).
        matrix: their unit vectors, float32 (n, d).
        neighbours: the graph with so many neighbours each.
        start: places to begin with, centred, float32 (n, 2).
        seed: of everything random.
    """

    ids: NDArray[np.int64]
    matrix: NDArray[np.float32]
    neighbours: Callable[[int], NeighbourGraph]
    start: NDArray[np.float32]
    seed: int

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to lay papers out.

    Attributes:
        name: as commands and files call it.
        title: as people call it.
        about: one sentence on what it is good for.
        least: papers below which it has nothing to work with, so that PCA is drawn.
        lay_out: places of the papers of a field, (n, 2); tells the context of rounds.
    """

    name: str
    title: str
    about: str
    least: int
    lay_out: Callable[[Field, JobContext], NDArray[np.float32]]


class Rounds:
    """Tells a context of the rounds of a layout, and now and then of the picture so far."""

    def __init__(self, ctx: JobContext, field: Field, title: str, steps: int) -> None:
        self._ctx = ctx
        self._field = field
        self._text = f"{title} of {len(field):,} papers"
        self._steps = steps
        self._shown = time.monotonic()

    def done(self, step: int, xy: NDArray[np.floating]) -> None:
        """So many rounds are done.

        Raises:
            JobCancelledError: the context was cancelled.
        """
        self._ctx.progress(step, self._steps, self._text)
        now = time.monotonic()
        if now - self._shown >= _SHOWN_EVERY_S and step < self._steps:
            self._shown = now
            places = np.array(xy, dtype=np.float32)
            self._ctx.partial(PartialMap(self._field.ids, places, step, self._steps))
