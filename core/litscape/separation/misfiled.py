"""Papers most of whose neighbours carry another label than they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.separation.records import MOST_MISFILED, Misfiled
from litscape.store.label_reads import titles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.separation.labels import Labelled
    from litscape.store.database import Database

MOSTLY = 0.5


def misfiled(
    database: Database,
    labelled: Labelled,
    shares: NDArray[np.float64],
    own: NDArray[np.float64],
) -> tuple[tuple[Misfiled, ...], int]:
    """The clearest of them, and how many there are.

    Args:
        database: for their titles.
        labelled: papers and their labels.
        shares: of each paper's neighbours by label (n, labels).
        own: share of each paper's neighbours that carry one of its labels (n,).
    """
    others = np.where(labelled.member, -1.0, shares)
    best = others.argmax(axis=1)
    share = others[np.arange(len(others)), best]
    rows = np.flatnonzero((share > MOSTLY) & (own < share))
    rows = rows[np.lexsort((labelled.ids[rows], -share[rows], own[rows] - share[rows]))]
    kept = rows[:MOST_MISFILED]
    with database.read() as conn:
        named = titles(conn, labelled.ids[kept].tolist())
    papers = tuple(
        Misfiled(
            paper=int(labelled.ids[row]),
            title=named.get(int(labelled.ids[row]), ""),
            labels=labelled.of(row),
            other=labelled.names[best[row]],
            share=float(share[row]),
            own_share=float(own[row]),
        )
        for row in kept.tolist()
    )
    return papers, len(rows)
