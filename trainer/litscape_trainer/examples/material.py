"""What a run may learn from: papers, texts, links, and what a person said of them.

Everything that is held out, dated too late or outside the chosen collections is gone from it, so
that no builder can come across it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape_trainer.examples.known import Known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from litscape.graph.csr import Rows
    from litscape.graph.model import CitationGraph
    from litscape.graph.weak import WeakKind


@dataclass(frozen=True, eq=False)
class TrainingMaterial:
    """Papers that may be learnt from, numbered 0 … n - 1 by ascending id ("places").

    Attributes:
        graph: these papers and the links between them that may be learnt; co-citation and coupling
            are counted in it alone.
        titles: (n,) title of each paper, empty where it has none.
        abstracts: (n,) abstract of each paper, empty where it has none.
        groups: by kind of weak link the groups of each paper: collections, tags, related pairs.
        vetoes: (k, 2) int32 places of papers that a person said are related.
        twins: (n,) int32: papers of one number are one work.
        sentences: what was left out, and why.
    """

    graph: CitationGraph
    titles: tuple[str, ...]
    abstracts: tuple[str, ...]
    groups: Mapping[WeakKind, Rows]
    vetoes: NDArray[np.int32]
    twins: NDArray[np.int32]
    sentences: tuple[str, ...] = ()
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    """What builders worked out once and need again in the next epoch, by a name of their own."""

    def __len__(self) -> int:
        return len(self.graph)

    @property
    def ids(self) -> NDArray[np.int64]:
        """(n,) ids, ascending."""
        return self.graph.ids

    @property
    def years(self) -> NDArray[np.int32]:
        """(n,) years; ``NO_YEAR`` of the store where a paper has none."""
        return self.graph.years

    def places(self, ids: NDArray[np.int64]) -> NDArray[np.int32]:
        """The places of papers; -1 for one that is not in it."""
        if not len(self):
            return np.full(len(ids), -1, dtype=np.int32)
        found = np.minimum(np.searchsorted(self.ids, ids), len(self) - 1)
        return np.where(self.ids[found] == ids, found, -1).astype(np.int32)

    def text(self, paper: int) -> tuple[str, str]:
        """Title and abstract of a paper.

        Raises:
            KeyError: it is not in it.
        """
        place = int(self.places(np.array([paper], dtype=np.int64))[0])
        if place < 0:
            raise KeyError(paper)
        return self.titles[place], self.abstracts[place]

    @cached_property
    def known(self) -> Known:
        """Which papers belong together, so that they never are each other's negatives."""
        return Known(self)
