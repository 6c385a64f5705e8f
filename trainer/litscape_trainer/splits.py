"""Which papers and links a run may learn from, and by which queries it is judged.

The queries are those of :mod:`litscape.evaluation.splits`, so that a model is measured by the same
ones as every other ranking. Held-out papers, and papers that are one work with them, take no part
in training in any role.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from litscape.evaluation.splits import HeldOutPaper

HeldBy = Literal["year", "paper", "edge"]
"""How queries are held out."""


@dataclass(frozen=True, eq=False)
class TrainingSplit:
    """What is learnt, what chooses, what judges.

    Attributes:
        by: how it was parted.
        name: the same in words, for a report.
        training: links (citing, cited) that may be learnt, (m, 2) int64.
        dev: queries for every choice.
        test: queries for the final figure.
        held_out: (k,) int64 ids, ascending: papers that take no part in training in any role.
        hidden: (h, 2) int64: links that were taken away from papers that stay (by edge).
        cut: the last year that may be learnt from; None where it was not parted by year.
        sentences: what a person should know.
    """

    by: HeldBy
    name: str
    training: NDArray[np.int64]
    dev: tuple[HeldOutPaper, ...]
    test: tuple[HeldOutPaper, ...]
    held_out: NDArray[np.int64]
    hidden: NDArray[np.int64]
    cut: int | None
    sentences: tuple[str, ...]
