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
from litscape.jobs import null_context

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from litscape.evaluation.bootstrap import Comparison, Estimate
    from litscape.evaluation.splits import HeldOutPaper
    from litscape.jobs import JobContext
    from litscape.paper import PaperId

    Ranker = Callable[["HeldOutPaper", NDArray[np.int64]], "Sequence[int] | NDArray[np.int64]"]
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


def evaluate(
    name: str,
    ranker: Ranker,
    queries: Sequence[HeldOutPaper],
    years: Mapping[PaperId, int],
    ctx: JobContext | None = None,
) -> Evaluation:
    """Rank the candidates of every query and measure each ranking.

    Raises:
        ValueError: a ranking holds a paper twice, or one that is no candidate.
    """
    ctx = ctx or null_context()
    values: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    pools: dict[int, NDArray[np.int64]] = {}
    for done, query in enumerate(queries):
        ctx.progress(done, len(queries), name)
        if query.year not in pools:
            pools[query.year] = np.array(
                sorted(p for p, year in years.items() if year <= query.year), dtype=np.int64
            )
        pool = pools[query.year]
        pool = pool[pool != query.paper]
        ranked = np.asarray(ranker(query, pool), dtype=np.int64)
        if len(np.unique(ranked)) != len(ranked) or not np.isin(ranked, pool).all():
            raise ValueError(f"{name} ranked a paper twice or one that is no candidate")
        for measure, value in MEASURES.items():
            values[measure].append(value(ranked, query.relevant))
    return Evaluation(name, {measure: np.array(found) for measure, found in values.items()})
