"""What a ranking is asked, and what it has at hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from litscape.paper import PaperFilter

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Question
    from litscape.library import Library

    Encode = Callable[[str], NDArray[np.float32]]

Scores = dict[int, float]
"""Score by paper, best first; only comparable within one ranking, unless a task says so."""


@dataclass(frozen=True)
class Bench:
    """What rankings work on.

    Attributes:
        library: a copy that lacks what is to be found.
        material: the papers of that copy.
        encode: from a query to its unit vector.
        check: raises where the work is to end.
    """

    library: Library
    material: Material
    encode: Encode
    check: Callable[[], None]


class System(ABC):
    """One ranking.

    Attributes:
        name: as commands and reports name it.
        title: as people call it.
        needs_vectors: whether it says nothing without vectors.
        needs_paper: whether it works for papers alone, not for words.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    needs_vectors: ClassVar[bool] = False
    needs_paper: ClassVar[bool] = False

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    @abstractmethod
    def score(self, question: Question, k: int) -> Scores:
        """At least the ``k`` best candidates of a question, best first, as far as it finds any."""


def in_order(scores: Scores, candidates: NDArray[np.int64], *, listed: bool) -> NDArray[np.int64]:
    """The candidates among scored papers, best first; where all are ``listed``, the rest last.

    The rest comes in the order of a fixed shuffle of ids, which knows nothing of relevance.
    """
    ids = np.fromiter(scores, dtype=np.int64, count=len(scores))
    found = ids[np.isin(ids, candidates)]
    if not listed:
        return found
    rest = np.setdiff1d(candidates, found)
    return np.concatenate((found, rest[np.argsort((rest * 2654435761) % 2**32, kind="stable")]))


def best_of(ids: NDArray[np.int64], values: NDArray[np.float64], k: int) -> Scores:
    """The ``k`` best of some papers with a value above 0, best first, ties by id."""
    order = np.lexsort((ids, -values))[:k]
    return {int(ids[i]): float(values[i]) for i in order.tolist() if values[i] > 0}


def only(question: Question) -> PaperFilter:
    """Lets through a question's candidates: a query itself would else be what is found best."""
    return PaperFilter(ids=frozenset(question.candidates.tolist()))
