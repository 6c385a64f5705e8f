"""Clusters against labels as a table whose cells hold their papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.separation.records import HeatMap
from litscape.topics.parting import name_nodes, nodes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.separation.agreement import Runs
    from litscape.separation.labels import Labelled
    from litscape.store.database import Database


def heat_map(database: Database, labelled: Labelled, runs: Runs, ctx: JobContext) -> HeatMap:
    """The clusters of the start whose V-measure is the median, beside the labels they fit best."""
    from scipy.optimize import linear_sum_assignment

    seed = int(np.argsort(runs.values["v"], kind="stable")[(len(runs.values["v"]) - 1) // 2])
    codes = np.unique(runs.clusters[seed], return_inverse=True)[1]
    number = int(codes.max()) + 1
    counts = np.stack([labelled.member[codes == code].sum(axis=0) for code in range(number)])
    rows, columns = linear_sum_assignment(-counts)
    column_of = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    order = sorted(range(number), key=lambda row: (column_of.get(row, number), row))
    return HeatMap(
        seed=seed,
        clusters=_names(database, labelled.ids, codes.astype(np.int64), order, ctx),
        labels=labelled.names,
        papers=tuple(
            tuple(_papers(labelled, (codes == row) & labelled.member[:, column])
                  for column in range(len(labelled.names)))
            for row in order
        ),
        row_papers=tuple(_papers(labelled, codes == row) for row in order),
    )  # fmt: skip


def _papers(labelled: Labelled, which: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(labelled.ids[which].tolist())


def _names(
    database: Database, ids: NDArray[np.int64], codes: NDArray[np.int64], order: list[int],
    ctx: JobContext,
) -> tuple[str, ...]:  # fmt: skip
    """What tells the papers of each cluster from the others, as topics are named."""
    names = name_nodes(database, nodes_of(ids, [codes]), ctx)
    return tuple(f"{place}: {names[row].name}" for place, row in enumerate(order, start=1))
