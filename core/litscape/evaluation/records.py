"""What is asked of a measurement, one query of it, and what came out."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from litscape.errors import UserError
from litscape.evaluation.bootstrap import Comparison, Estimate

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from litscape.paper import PaperId

Part = Literal["dev", "test"]
Held = Literal["auto", "year", "paper"]
PARTS: tuple[Part, ...] = get_args(Part)
HELD: tuple[Held, ...] = get_args(Held)
MOST_QUERIES = 500
SEED = 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to measure.

    Attributes:
        task: name of a task, see :data:`litscape.evaluation.tasks.TASKS`.
        part: ``dev`` for every choice; ``test`` for a final figure.
        held: how links are held out: by ``year``, by ``paper``, or ``auto``: by year wherever
            enough queries result.
        most: at most so many queries, drawn.
        seed: of all draws.

    Raises:
        UserError: one of them is none that there is.
    """

    task: str
    part: Part = "dev"
    held: Held = "auto"
    most: int = MOST_QUERIES
    seed: int = SEED

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise UserError(f"There are no {self.part!r} queries; use {' or '.join(PARTS)}.")
        if self.held not in HELD:
            raise UserError(f"Nothing is held out by {self.held!r}; use {', '.join(HELD)}.")
        if self.most < 1:
            raise UserError("Measure at least one query.")


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One query of a task.

    Attributes:
        text: what is looked for.
        paper: the paper whose text it is, which is never found; None for words.
        candidates: (n,) int64, ascending: what may be found.
        relevant: grades by paper; more than 0: relevant.
        listed: whether the candidates are few, and all of them are to be put in order.
        year_to: papers dated up to this year may speak for or against those of a list.
    """

    text: str
    paper: PaperId | None
    candidates: NDArray[np.int64]
    relevant: Mapping[PaperId, int]
    listed: bool = False
    year_to: int | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """How one ranking did.

    Attributes:
        system: its name in :data:`litscape.evaluation.systems.SYSTEMS`.
        title: as people call it.
        estimates: mean and 95 % interval, by measure.
        over: what it changes over hybrid search, by measure; empty for that itself.
    """

    system: str
    title: str
    estimates: Mapping[str, Estimate]
    over: Mapping[str, Comparison] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """One measurement.

    Attributes:
        task: what was measured.
        title: the same for people.
        about: one sentence on what is asked and what counts as found.
        part: ``dev`` or ``test``.
        split: how queries were held out, in words.
        queries: how many there were.
        papers: how many papers could be found.
        made_at: when (UTC, ISO 8601).
        model: the version of the model.
        seed: of all draws.
        figures: one for each ranking; empty where there was too little to measure.
        sentences: what came out, in plain words.
        notes: what a reader should know.
        seconds: how long it took.
        number: its number in the library; None where it was not stored.
    """

    task: str
    title: str
    about: str
    part: Part
    split: str
    queries: int
    papers: int
    made_at: str
    model: str
    seed: int
    figures: tuple[Figures, ...] = ()
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    number: int | None = None

    def figure(self, system: str) -> Figures | None:
        """The figures of one ranking; None where it was not measured."""
        return next((one for one in self.figures if one.system == system), None)

    def to_json(self) -> dict[str, Any]:
        """As plain values; :meth:`from_json` reads them."""
        values = asdict(self)
        values["figures"] = [_plain(one) for one in self.figures]
        for name in ("sentences", "notes"):
            values[name] = list(values[name])
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Report:
        """From what :meth:`to_json` gave."""
        known = {**values, "figures": tuple(_figures(one) for one in values["figures"])}
        for name in ("sentences", "notes"):
            known[name] = tuple(known[name])
        return cls(**known)


def _plain(one: Figures) -> dict[str, Any]:
    return {
        "system": one.system,
        "title": one.title,
        "estimates": {name: asdict(value) for name, value in one.estimates.items()},
        "over": {name: asdict(value) for name, value in one.over.items()},
    }


def _figures(values: Mapping[str, Any]) -> Figures:
    over = {
        name: Comparison(**{**value, "difference": Estimate(**value["difference"])})
        for name, value in values["over"].items()
    }
    estimates = {name: Estimate(**value) for name, value in values["estimates"].items()}
    return Figures(values["system"], values["title"], estimates, over)
