"""The meaning of what a paper cites and is cited by: smoothing over the citation graph.

A paper among papers of the subject is of the subject, whatever its own words. One hop of label
propagation (Zhou et al. 2004) as a sum over the graph's rows, so that no vector is changed or
stored: a mean of scores is the score of a mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.signals.base import Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.alike.ground import Ground, Values
    from litscape.graph.csr import Rows

DOUBT = 1.0
"""Added to the number of linked papers: a single one says less than many."""


NEAREST = 5_000
"""So many of the nearest papers are looked at: what cites others counts too little to lift one from
below them, and a million links take a while."""


def measure(ground: Ground) -> Values:
    """(n,): by how much the papers linked with each are nearer than papers are on average."""
    cosines, links = ground.cosines, ground.links
    known = np.flatnonzero(~np.isnan(cosines))
    found = ground.nothing()
    if not len(known) or not len(links.out.indices):
        return found
    above = np.zeros(len(cosines))
    above[known] = cosines[known] - cosines[known].mean()
    near = known
    if len(near) > NEAREST:
        near = near[np.argpartition(-cosines[near], NEAREST - 1)[:NEAREST]]
    summed = _sums(links.out, near, above) + _sums(links.into, near, above)
    found[near] = summed / (links.citing_times[near] + links.cited_times[near] + DOUBT)
    return found


def _sums(rows: Rows, of: NDArray[np.int64], values: Values) -> Values:
    """(m,): the sum of the values of the entries of some rows."""
    entries, counts = rows.gather(of.astype(np.int32))
    running = np.concatenate(([0.0], np.cumsum(values[entries])))
    ends = np.cumsum(counts)
    found: Values = running[ends] - running[ends - counts]
    return found


SIGNAL = Signal("smoothed", "what it cites and is cited by", 0.15, measure, of_links=False)
