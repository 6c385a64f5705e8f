"""What a run is, how far it is, and what came out of it; all of it is plain JSON on disk."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from litscape.evaluation.bootstrap import Comparison, Estimate

if TYPE_CHECKING:
    from collections.abc import Mapping

Status = Literal[
    "queued", "running", "paused", "interrupted", "done", "stopped", "failed", "cancelled"
]
Phase = Literal["waiting", "preparing", "probing", "training", "embedding", "measuring", "ended"]
Word = Literal["too-small", "no-change", "better", "mixed", "worse"]
Request = Literal["pause", "stop", "cancel"]
WORDS: tuple[Word, ...] = get_args(Word)
OPEN: frozenset[Status] = frozenset({"queued", "running", "paused", "interrupted"})
"""Runs that can still go on."""


@dataclass(frozen=True, slots=True)
class RunState:
    """Where a run stands; ``<run>/state.json``, replaced as a whole.

    Attributes:
        id: of the run, and the name of its folder.
        recipe: the recipe's name; the recipe itself lies beside as ``recipe.toml``.
        status: ``interrupted`` is a run whose process ended without a word.
        phase: what it does.
        made_at, started_at, ended_at: UTC, ISO 8601; None where it has not come to that.
        pid, born: its process, and when that began (pids are used again); None without one.
        step, steps: how far the training is; ``steps`` is fixed once, from the probe.
        loss: mean of the last steps.
        examples_per_second: of the last steps.
        seconds_left: estimated; None where unknown.
        dev, dev_base, dev_best: nDCG@10 of the development queries: last, before training, best.
        layered: the encoder began with a layer on the stored vectors, and ``dev_base`` is of that.
        text: one sentence on what it does, or on what ended it.
        base: version of the model that it started from.
        version: of the model that it made; None before that.
        current: version in use when the run was made.
        share: how much of the whole run is done, from 0 to 1, by rough seconds of its parts; it
            never goes back.
        seconds, cpu_seconds, peak_mb, joules: spent so far, over all parts of the run; joules
            None where the machine does not let them be read.
    """

    id: str
    recipe: str
    status: Status = "queued"
    phase: Phase = "waiting"
    made_at: str = ""
    started_at: str | None = None
    ended_at: str | None = None
    pid: int | None = None
    born: float | None = None
    step: int = 0
    steps: int | None = None
    loss: float | None = None
    examples_per_second: float | None = None
    seconds_left: float | None = None
    dev: float | None = None
    dev_base: float | None = None
    dev_best: float | None = None
    layered: bool = False
    text: str = ""
    base: str | None = None
    version: str | None = None
    current: str | None = None
    share: float = 0.0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float = 0.0
    joules: float | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status not in OPEN

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """From plain values; keys of later releases are dropped."""
        known = {one.name for one in fields(cls)}
        return cls(**{key: value for key, value in values.items() if key in known})


@dataclass(frozen=True, slots=True)
class Row:
    """One ranking on one task, by one measure.

    Attributes:
        task: as the evaluation names it: ``citations``, ``reranking``, ``titles``, ``tags`` …
        task_title: the same for people.
        system: ``words``, ``tfidf``, ``base``, ``current``, ``new``, ``hybrid-base`` …, and
            ``blend-base`` … for similar papers as the program shows them.
        system_title: the same for people.
        measure: ``nDCG@10``, ``Recall@20``, ``MAP`` …
        estimate: mean and 95 % interval, n queries; shares of 1.
        over: what it changes over its counterpart, paired; None where it has none.
        against: the counterpart's name in ``system``: ``current`` for the new model.
    """

    task: str
    task_title: str
    system: str
    system_title: str
    measure: str
    estimate: Estimate
    over: Comparison | None = None
    against: str | None = None


@dataclass(frozen=True, slots=True)
class QueryChange:
    """One query that gained or lost, with both lists side by side.

    Attributes:
        paper: the query's paper.
        title: its title.
        before, after: nDCG@10 of the current and of the new model.
        old, new: the first ten papers of each, as (paper, title, relevant).
    """

    paper: int
    title: str
    before: float
    after: float
    old: tuple[tuple[int, str, bool], ...]
    new: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True, slots=True)
class RunResult:
    """What came out of a run; ``<run>/result.json``.

    Attributes:
        id: of the run.
        recipe: as plain values.
        verdict: one word.
        sentence: the verdict with its figures.
        base, current, version: the models: started from, in use at that time, and made
            (None where none was kept).
        split: how queries were held out, in words.
        queries: test queries of the primary task.
        examples: by source: how many; ``dropped`` by reason.
        rows: all that was measured on the test.
        gained, lost: queries with the largest changes.
        notes: what a reader should know.
        seconds, cpu_seconds, peak_mb, joules: time and memory of the run, and energy where the
            machine lets it be read.
        steps: optimiser steps taken.
        made_at: UTC, ISO 8601.
    """

    id: str
    recipe: Mapping[str, Any]
    verdict: Word
    sentence: str
    base: str
    current: str
    version: str | None
    split: str = ""
    queries: int = 0
    examples: Mapping[str, Any] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    gained: tuple[QueryChange, ...] = ()
    lost: tuple[QueryChange, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float = 0.0
    joules: float | None = None
    steps: int = 0
    made_at: str = ""

    def row(self, task: str, system: str, measure: str) -> Row | None:
        """One row; None where it was not measured."""
        wanted = (task, system, measure)
        return next((r for r in self.rows if (r.task, r.system, r.measure) == wanted), None)

    def to_json(self) -> dict[str, Any]:
        """As plain values; :meth:`from_json` reads them."""
        values = asdict(self)
        for name in ("rows", "gained", "lost", "notes"):
            values[name] = list(values[name])
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """From what :meth:`to_json` gave."""
        known = {one.name for one in fields(cls)}
        kept = {key: value for key, value in values.items() if key in known}
        kept["rows"] = tuple(_row(one) for one in values["rows"])
        for name in ("gained", "lost"):
            kept[name] = tuple(_change(one) for one in values[name])
        kept["notes"] = tuple(values["notes"])
        return cls(**kept)


def _row(values: Mapping[str, Any]) -> Row:
    over = values.get("over")
    if over is not None:
        over = Comparison(**{**over, "difference": Estimate(**over["difference"])})
    return Row(**{**values, "estimate": Estimate(**values["estimate"]), "over": over})


def _change(values: Mapping[str, Any]) -> QueryChange:
    lists = {
        name: tuple((int(p), str(title), bool(hit)) for p, title, hit in values[name])
        for name in ("old", "new")
    }
    return QueryChange(**{**values, **lists})


@dataclass(frozen=True, slots=True)
class Survey:
    """What a library has to learn from, before anything is begun.

    Attributes:
        papers: live papers.
        abstracts: of them with an abstract.
        links: citation links between papers of the library.
        sources: how many of each kind: citation links, co-cited pairs, coupled pairs, pairs from
            collections and tags, titles with abstracts, vetoes.
        training_links, dev_queries, test_queries: as the split has them.
        split: how queries are held out, in words.
        cut: the year up to which is learnt; None where papers are drawn.
        enough: whether a run can be measured.
        sentence: what that means, and the way forward where it is too small.
        recipe: the one to offer first: ``head``, or ``text`` where there are no links.
    """

    papers: int
    abstracts: int
    links: int
    sources: Mapping[str, int]
    training_links: int
    dev_queries: int
    test_queries: int
    split: str
    cut: int | None
    enough: bool
    sentence: str
    recipe: str


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run will take, from real steps on this device.

    Attributes:
        device: where it would run.
        seconds_per_step: measured.
        steps: that fit the recipe's minutes and epochs.
        seconds: training, embedding and measuring together.
        peak_mb: memory.
        sentence: the same in words.
        enough: whether the recipe's minutes suffice.
    """

    device: str
    seconds_per_step: float
    steps: int
    seconds: float
    peak_mb: float
    sentence: str
    enough: bool = True
