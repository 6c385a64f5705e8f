"""What the papers most like a paper cite: each of them votes for its references.

A neighbourhood vote as in k-nearest-neighbour classification, by citations instead of labels; it
needs no link of the paper itself, so that it works for one that is new.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from litscape.store.coupling import cites_up_to, in_scope

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.paper import PaperId
    from litscape.store.lexical import Scope

WEIGHT = 0.3
"""What it counts for that all voters cite a paper, beside the blend of meaning and words: chosen
on development queries of two corpora (docs/decisions)."""
VOTERS = 30
LOOKED_AT = 100
"""The best candidates that cite anything vote; so many are looked at."""
A_VOTER_IN = 10
"""At most one of so many candidates votes: where there are few, most are not alike at all."""
MORE = 50
"""Most papers that become candidates by votes alone."""


@dataclass(frozen=True, slots=True)
class Votes:
    """How the papers most like some papers vote.

    Attributes:
        shares: by paper, the share of the votes that it has, more than 0 … 1; a voter's vote counts
            by how similar it is.
        numbers: by paper, how many voters cite it.
    """

    shares: Mapping[PaperId, float] = field(default_factory=dict)
    numbers: Mapping[PaperId, int] = field(default_factory=dict)

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """The shares of papers, (n,); 0 for those without a vote."""
        return np.array([self.shares.get(paper, 0.0) for paper in ids.tolist()], dtype=np.float64)


def cast(
    conn: sa.Connection,
    ids: NDArray[np.int64],
    scores: NDArray[np.float64],
    without: Collection[PaperId],
    as_of: int | None,
) -> Votes:
    """Let the best candidates that cite anything vote.

    Args:
        conn: a connection.
        ids: (n,) candidates.
        scores: (n,) how similar they are.
        without: papers that nobody votes for.
        as_of: only links between papers dated up to this year count; all where None.
    """
    best = np.lexsort((ids, -scores))[:LOOKED_AT]
    cites = cites_up_to(conn, ids[best].tolist(), as_of)
    voters = [n for n in best.tolist() if int(ids[n]) in cites]
    voters = voters[: min(VOTERS, len(ids) // A_VOTER_IN)]
    weights = np.maximum(scores[voters], 0)
    total = float(weights.sum())
    if total <= 0:
        return Votes()
    shares: dict[PaperId, float] = {}
    numbers: dict[PaperId, int] = {}
    for voter, weight in zip(ids[voters].tolist(), weights.tolist(), strict=True):
        for cited in cites[voter]:
            if cited not in without:
                shares[cited] = shares.get(cited, 0.0) + weight / total
                numbers[cited] = numbers.get(cited, 0) + 1
    return Votes(shares, numbers)


def elected(
    conn: sa.Connection, votes: Votes, ids: NDArray[np.int64], scope: Scope
) -> NDArray[np.int64]:
    """The papers with most votes that are no candidates yet and may be found, ascending."""
    others = sorted(
        votes.shares.keys() - set(ids.tolist()), key=lambda paper: (-votes.shares[paper], paper)
    )
    allowed = in_scope(conn, others, scope)
    chosen = [paper for paper in others if paper in allowed][:MORE]
    return np.array(sorted(chosen), dtype=np.int64)
