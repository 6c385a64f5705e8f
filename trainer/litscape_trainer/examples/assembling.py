"""From draws to a set of examples with its report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples.records import NOBODY, Dropped, ExampleReport, ExampleSet, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape_trainer.examples.material import TrainingMaterial


@dataclass(slots=True)
class Draft:
    """Examples by the places of their papers, before they are told.

    Attributes:
        anchors: (n,) places.
        positives: (n,) places.
        kinds: (n,) places in ``names``.
        numbers: (n,) the number in the reason of each.
        names: all kinds.
        negatives: (n, h) places, -1 for none.
        negative_kinds: (n, h).
        negative_numbers: (n, h).
        weights: (n,), of any sum.
    """

    anchors: NDArray[np.int32]
    positives: NDArray[np.int32]
    names: list[Kind]
    kinds: NDArray[np.int16]
    numbers: NDArray[np.int32]
    negatives: NDArray[np.int32]
    negative_kinds: NDArray[np.int16]
    negative_numbers: NDArray[np.int32]
    weights: NDArray[np.float64]
    sides: tuple[str, str] | None = None
    dropped: list[Dropped] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    @classmethod
    def of_pairs(
        cls,
        anchors: NDArray[np.int32],
        positives: NDArray[np.int32],
        names: list[Kind],
        columns: int = 0,
    ) -> Draft:
        """Pairs of the first kind, with room for so many negatives."""
        size = len(anchors)
        return cls(
            anchors=anchors,
            positives=positives,
            names=names,
            kinds=np.zeros(size, dtype=np.int16),
            numbers=np.zeros(size, dtype=np.int32),
            negatives=np.full((size, columns), NOBODY, dtype=np.int32),
            negative_kinds=np.full((size, columns), NOBODY, dtype=np.int16),
            negative_numbers=np.zeros((size, columns), dtype=np.int32),
            weights=np.ones(size),
        )

    def put(
        self,
        where: NDArray[np.bool_] | NDArray[np.int64],
        column: int,
        papers: NDArray[np.int32],
        kind: Kind,
        numbers: NDArray[np.int32] | None = None,
    ) -> None:
        """Give some examples a negative, where there is one (not -1)."""
        rows = np.flatnonzero(where) if where.dtype == np.bool_ else where
        there = papers >= 0
        rows = rows[there]
        self.negatives[rows, column] = papers[there]
        self.negative_kinds[rows, column] = self.names.index(kind)
        if numbers is not None:
            self.negative_numbers[rows, column] = numbers[there]

    def drop(self, name: str, count: int, sentence: str) -> None:
        """Note what was left out, if anything was; ``{n}`` in the sentence is the count."""
        if count:
            self.dropped.append(Dropped(name, count, sentence.format(n=f"{count:,}")))


def assembled(builder: str, material: TrainingMaterial, draft: Draft) -> ExampleSet:
    """The set, its papers by id."""
    ids = material.ids
    away = np.full(draft.negatives.shape, NOBODY, dtype=np.int64)
    there = draft.negatives >= 0
    away[there] = ids[draft.negatives[there]]
    mean = float(draft.weights.mean()) if len(draft.weights) else 1.0
    return ExampleSet(
        anchors=ids[draft.anchors],
        positives=ids[draft.positives],
        negatives=away,
        weights=(draft.weights / mean).astype(np.float32),
        kinds=draft.kinds,
        negative_kinds=draft.negative_kinds,
        numbers=draft.numbers,
        negative_numbers=draft.negative_numbers,
        names=tuple(draft.names),
        report=_report(builder, draft),
        sides=draft.sides,
    )


def _report(builder: str, draft: Draft) -> ExampleReport:
    positives = _counts(draft.kinds, draft.names)
    negatives = _counts(draft.negative_kinds[draft.negative_kinds >= 0], draft.names)
    anchors = len(np.unique(draft.anchors))
    size = len(draft.anchors)
    head = f"{size:,} examples from {anchors:,} papers."
    if size:
        far = _listed(negatives) or "the other papers of a batch"
        head += f" Near: {_listed(positives)}. Far: {far}."
    told = (head, *draft.sentences, *(one.sentence for one in draft.dropped))
    return ExampleReport(
        builder, size, anchors, positives, negatives, tuple(draft.dropped), tuple(told)
    )


def _counts(kinds: NDArray[np.int16], names: list[Kind]) -> dict[str, int]:
    numbers = np.bincount(kinds.ravel(), minlength=len(names)).tolist()
    return {one.name: number for one, number in zip(names, numbers, strict=True) if number}


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counts.items())
