"""What builders of examples take and give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial

NOBODY = -1
"""Stands where an example has fewer negatives than others."""


class Wanted(Protocol):
    """What of a training recipe a builder follows."""

    @property
    def positives(self) -> int:
        """Examples that an anchor gives in one epoch."""

    @property
    def hard_negatives(self) -> int:
        """Explicit negatives of one example that are near the anchor in some way."""

    @property
    def easy_negatives(self) -> int:
        """Explicit negatives of one example that are drawn from all papers."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Why a paper was chosen.

    Attributes:
        name: as reports count it: "direct citation".
        reason: a sentence's end for one example, with ``{n}`` where a number tells more, and
            ``{s}`` where an s follows any number but one: "cited together by {n} paper{s}".
    """

    name: str
    reason: str

    def told(self, number: int) -> str:
        """The reason of one example."""
        return self.reason.format(n=f"{number:,}", s="" if number == 1 else "s")


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was left out of the examples, and why, in a sentence."""

    name: str
    count: int
    sentence: str


@dataclass(frozen=True, slots=True)
class ExampleReport:
    """What a builder made of a library.

    Attributes:
        builder: its name.
        examples: how many examples one epoch has.
        anchors: how many papers they begin at.
        positives: how many of the examples are of each kind, by its name.
        negatives: how many explicit negatives are of each kind.
        dropped: what was left out.
        sentences: all of it in words, for a person.
    """

    builder: str
    examples: int
    anchors: int
    positives: Mapping[str, int]
    negatives: Mapping[str, int]
    dropped: tuple[Dropped, ...]
    sentences: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "builder": self.builder,
            "examples": self.examples,
            "anchors": self.anchors,
            "positives": dict(self.positives),
            "negatives": dict(self.negatives),
            "dropped": [
                {"name": one.name, "count": one.count, "sentence": one.sentence}
                for one in self.dropped
            ],
            "sentences": list(self.sentences),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """From :meth:`to_json`."""
        return cls(
            builder=values["builder"],
            examples=values["examples"],
            anchors=values["anchors"],
            positives=values["positives"],
            negatives=values["negatives"],
            dropped=tuple(Dropped(**one) for one in values["dropped"]),
            sentences=tuple(values["sentences"]),
        )


@dataclass(frozen=True, eq=False)
class ExampleSet:
    """The examples of one epoch: an anchor, a paper near it, and papers far from it.

    Attributes:
        anchors: (n,) int64 ids.
        positives: (n,) int64 ids; the anchors themselves where ``sides`` is given.
        negatives: (n, h) int64 ids, ``NOBODY`` where there is none; h may be 0.
        weights: (n,) float32, their mean is 1.
        kinds: (n,) int16: why the positive was chosen, a place in ``names``.
        negative_kinds: (n, h) int16: likewise, ``NOBODY`` where there is none.
        numbers: (n,) int32: the number in the reason of the positive: a rank, a count.
        negative_numbers: (n, h) int32: likewise.
        names: all kinds.
        report: what was drawn from what.
        sides: which text of a paper stands at either side, where not all of it:
            ``("title", "abstract")``.
    """

    anchors: NDArray[np.int64]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]
    weights: NDArray[np.float32]
    kinds: NDArray[np.int16]
    negative_kinds: NDArray[np.int16]
    numbers: NDArray[np.int32]
    negative_numbers: NDArray[np.int32]
    names: tuple[Kind, ...]
    report: ExampleReport
    sides: tuple[str, str] | None = None

    def __len__(self) -> int:
        return len(self.anchors)


@dataclass(frozen=True, slots=True)
class Described:
    """One example for the eye.

    Attributes:
        anchor: the paper's id.
        positive: the other paper, and ``why`` it should come near.
        why: "cited by it".
        negatives: (paper, why) of those that should stay away.
        weight: how much the example counts.
    """

    anchor: int
    positive: int
    why: str
    negatives: tuple[tuple[int, str], ...]
    weight: float


def describe(examples: ExampleSet, place: int) -> Described:
    """Why each paper of one example was chosen."""
    names = examples.names
    away = zip(
        examples.negatives[place].tolist(),
        examples.negative_kinds[place].tolist(),
        examples.negative_numbers[place].tolist(),
        strict=True,
    )
    return Described(
        anchor=int(examples.anchors[place]),
        positive=int(examples.positives[place]),
        why=names[int(examples.kinds[place])].told(int(examples.numbers[place])),
        negatives=tuple(
            (paper, names[kind].told(number)) for paper, kind, number in away if paper != NOBODY
        ),
        weight=float(examples.weights[place]),
    )


class KnownPositives(Protocol):
    """Pairs of papers that must never be pushed apart."""

    def mask(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which papers of a batch, (b,), belong together: (b, b), symmetric.

        True for a paper and itself or its twin, for papers linked either way, cited together by
        two papers, sharing three references, or said to be related by a person.
        """

    def between(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The same for anchors, (a,), against candidates, (c,): (a, c)."""


class Likenesses(Protocol):
    """What an objective's soft targets come from."""

    def likeness(self, papers: NDArray[np.int64]) -> NDArray[np.float32]:
        """Of each of some papers, (n,), to each other: (n, n); the diagonal says nothing."""


class ExampleBuilder(Protocol):
    """Makes examples of one kind.

    Attributes:
        name: as recipes name it.
        title: as people call it.
        about: one sentence on what is put together.
    """

    name: str
    title: str
    about: str

    def build(
        self,
        material: TrainingMaterial,
        recipe: Wanted,
        seed: int,
        epoch: int = 0,
        ctx: JobContext | None = None,
    ) -> ExampleSet:
        """The examples of one epoch; equal arguments give equal examples.

        An empty set comes of a library that has none of what is needed; its report says so.

        Raises:
            JobCancelledError: ``ctx`` asked for the end.
        """
