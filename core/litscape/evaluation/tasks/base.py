"""What a task gives: questions, and what must be taken away before they are asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np

from litscape.evaluation import splits
from litscape.store import measuring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Held, Question, Wanted
    from litscape.evaluation.scratch import Change
    from litscape.evaluation.splits import HeldOutPaper, Split
    from litscape.library import Library
    from litscape.paper import PaperId

T = TypeVar("T")
FOUND = "Recall@20"
"""So many of a hundred among the first 20: a measure that needs no explaining."""
LEAST = 50
"""Fewer queries give no number."""
TRUSTED = 200
"""Fewer queries give a number that is said to be rough."""


class TooFewError(Exception):
    """There is too little to measure; the message is a sentence for a person.

    ``number`` is how many queries there were, where that is known.
    """

    def __init__(self, sentence: str, number: int | None = None) -> None:
        super().__init__(sentence)
        self.number = number


@dataclass(frozen=True, slots=True)
class Pair:
    """Two candidates of one question, of which the first should score higher than any second."""

    question: Question
    positive: PaperId
    negative: PaperId


@dataclass(frozen=True, slots=True)
class Prepared:
    """A task made ready for one library.

    Attributes:
        questions: the queries.
        split: how they were held out, in words.
        change: takes away from a copy of the library what is to be found.
        same_texts: whether papers keep their texts, and so their vectors.
        notes: what a reader should know.
        pairs: pairs to be told apart, for tasks that have them.
    """

    questions: tuple[Question, ...]
    split: str
    change: Change
    same_texts: bool = True
    notes: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()


class Task(ABC):
    """One task.

    Attributes:
        name: as commands name it.
        title: as people call it.
        about: one sentence on what is asked and what counts as found.
        things: what is found, for a sentence: "cited papers".
        told: the measure that a sentence is about.
        of_papers: whether papers are the queries; words are where not.
        least: fewer queries give no number.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    things: ClassVar[str]
    told: ClassVar[str] = FOUND
    of_papers: ClassVar[bool] = True
    least: ClassVar[int] = LEAST

    @abstractmethod
    def prepare(self, library: Library, material: Material, wanted: Wanted) -> Prepared:
        """Draw the queries.

        Raises:
            TooFewError: there are too few to say anything.
        """

    def enough(self, number: int, lack: str) -> None:
        """Refuse to measure with too few queries.

        Raises:
            TooFewError: ``number`` is below ``least``; ``lack`` says what would bring more.
        """
        if number < self.least:
            raise TooFewError(
                f"Too small to measure reliably: {number:,} such queries here, and fewer than "
                f"{self.least} say nothing. {lack}",
                number,
            )


class LinkTask(Task):
    """A task over links that are held out."""

    lack: ClassVar[str] = (
        "Importing or looking up references would add links between papers; papers need years."
    )

    def split(self, material: Material, held: Held) -> Split:
        """Which papers' links are held out."""
        years = material.years
        if held == "paper":
            return splits.by_paper(years, material.links)
        if held == "auto":
            return splits.split(years, material.links)
        for least in (TRUSTED, LEAST):
            for cut in splits.cuts(years):
                found = splits.by_year(years, material.links, cut)
                if min(len(found.test), len(found.dev)) >= least:
                    return found
        raise TooFewError(
            "Too small to measure by year: no year leaves "
            f"{LEAST} citing papers of the next one and {LEAST} later ones. "
            "Hold out links by paper, or import references."
        )

    def change(self, material: Material, split: Split) -> Change:
        """Takes away every link that the queries are not to know."""
        if split.cut is not None:
            cut = split.cut
            return lambda conn: measuring.hide_links_after(conn, cut)
        held = material.with_twins([one.paper for one in (*split.dev, *split.test)])
        return lambda conn: measuring.hide_links_of(conn, held)

    def part(self, split: Split, wanted: Wanted) -> tuple[HeldOutPaper, ...]:
        """The queries of the wanted part."""
        return split.dev if wanted.part == "dev" else split.test


def drawn(items: Sequence[T], most: int, seed: int) -> tuple[T, ...]:
    """At most so many of the items, in their order."""
    if len(items) <= most:
        return tuple(items)
    chosen = np.random.default_rng(seed).choice(len(items), most, replace=False)
    return tuple(items[i] for i in sorted(chosen.tolist()))


def halves(items: Sequence[T], wanted: Wanted) -> tuple[T, ...]:
    """The half of the items for choosing or the other one, by a draw, and of it at most so many."""
    order = np.random.default_rng(wanted.seed).permutation(len(items))
    middle = (len(items) + 1) // 2
    mine = order[:middle] if wanted.part == "dev" else order[middle:]
    return tuple(items[i] for i in sorted(mine[: wanted.most].tolist()))
