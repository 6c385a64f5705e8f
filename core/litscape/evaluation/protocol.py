"""The one protocol by which rankings are compared: search, similar papers and trained models.

A query is a held-out paper, known by its text alone; candidates are all papers dated no later,
the query removed; relevant are those that it cites.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.evaluation.bootstrap import compare, estimate
from litscape.evaluation.metrics import MEASURES, PRIMARY
from litscape.evaluation.records import Question
from litscape.jobs import null_context

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from litscape.evaluation.bootstrap import Comparison, Estimate
    from litscape.evaluation.splits import HeldOutPaper
    from litscape.jobs import JobContext
    from litscape.paper import PaperId

    Ranked = Sequence[int] | NDArray[np.int64]
    Ranker = Callable[[HeldOutPaper, NDArray[np.int64]], Ranked]
    """From a query and its candidates (n,) to candidates in order, best first."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The values of one ranking, a query each, in the order of the queries.

    Attributes:
        name: what was measured.
        values: by measure, (n,) float64.
    """

    name: str
    values: Mapping[str, NDArray[np.float64]]

    def estimates(self) -> dict[str, Estimate]:
        """Mean and interval by measure."""
        return {measure: estimate(values) for measure, values in self.values.items()}

    def against(self, base: Evaluation, measure: str = PRIMARY) -> Comparison:
        """What this ranking changes over ``base``, measured on the same queries."""
        return compare(base.values[measure], self.values[measure])


def ask(
    name: str,
    rank: Callable[[Question], Ranked],
    questions: Sequence[Question],
    ctx: JobContext | None = None,
) -> Evaluation:
    """Put the candidates of every question in order and measure each ranking.

    Raises:
        ValueError: a ranking holds a paper twice, or one that is no candidate.
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    values: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    for done, question in enumerate(questions):
        ctx.progress(done, len(questions), name)
        ranked = np.asarray(rank(question), dtype=np.int64)
        candidates = question.candidates
        if len(np.unique(ranked)) != len(ranked) or not np.isin(ranked, candidates).all():
            raise ValueError(f"{name} ranked a paper twice or one that is no candidate")
        for measure, value in MEASURES.items():
            values[measure].append(value(ranked, question.relevant))
    return Evaluation(name, {measure: np.array(found) for measure, found in values.items()})


def evaluate(
    name: str,
    ranker: Ranker,
    queries: Sequence[HeldOutPaper],
    years: Mapping[PaperId, int],
    ctx: JobContext | None = None,
) -> Evaluation:
    """Rank the candidates of every held-out paper and measure each ranking.

    Raises:
        ValueError: a ranking holds a paper twice, or one that is no candidate.
    """
    pools: dict[int, NDArray[np.int64]] = {}
    held: dict[PaperId, HeldOutPaper] = {}
    questions = []
    for query in queries:
        if query.year not in pools:
            pools[query.year] = np.array(
                sorted(p for p, year in years.items() if year <= query.year), dtype=np.int64
            )
        pool = pools[query.year]
        held[query.paper] = query
        candidates = pool[pool != query.paper]
        relevant = dict.fromkeys(query.relevant, 1)
        questions.append(Question("", query.paper, candidates, relevant))
    return ask(name, lambda one: ranker(held[one.paper or 0], one.candidates), questions, ctx)
