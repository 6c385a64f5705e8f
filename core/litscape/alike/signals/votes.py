"""What the papers most like the examples cite: each of them votes for its references.

A neighbourhood vote as in k-nearest-neighbour classification, by citations instead of labels; it
needs no link of the examples themselves, so that it works for a paper that is new.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.alike.ground import Values
    from litscape.alike.links import Links

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
        shares: (n,) the share of the votes that each paper has; a voter's vote counts by how
            similar it is.
        numbers: (n,) how many voters cite each paper.
    """

    shares: Values
    numbers: NDArray[np.int64]


def cast(
    links: Links, candidates: NDArray[np.int64], scores: Values, seeds: NDArray[np.int32]
) -> Votes:
    """Let the best candidates that cite anything vote.

    Args:
        links: who cites whom.
        candidates: (m,) numbers of papers.
        scores: (m,) how similar they are.
        seeds: papers that nobody votes for.
    """
    best = candidates[np.lexsort((candidates, -scores))[:LOOKED_AT]]
    of = dict(zip(candidates.tolist(), scores.tolist(), strict=True))
    voters = best[links.citing_times[best] > 0][: min(VOTERS, len(candidates) // A_VOTER_IN)]
    weights = np.maximum([of[voter] for voter in voters.tolist()], 0)
    size = len(links)
    total = float(weights.sum()) if len(voters) else 0.0
    if total <= 0:
        return Votes(np.zeros(size), np.zeros(size, dtype=np.int64))
    cited, counts = links.out.gather(voters.astype(np.int32))
    votes = np.repeat(weights / total, counts)
    shares = np.bincount(cited, votes, minlength=size).astype(np.float64)
    numbers = np.bincount(cited, minlength=size)
    shares[seeds], numbers[seeds] = 0.0, 0
    return Votes(shares, numbers)


def elected(
    votes: Votes, candidates: NDArray[np.int64], allowed: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The papers with most votes that are no candidates yet and may be found, ascending."""
    may = (votes.shares > 0) & allowed
    may[candidates] = False
    others = np.flatnonzero(may)
    return np.sort(others[np.lexsort((others, -votes.shares[others]))[:MORE]])


SIGNAL = Signal("votes", "cited by papers like it", 0.3, None, of_links=False)
