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
    from litscape.alike.ground import Ground, Values
    from litscape.graph.csr import Rows

DOUBT = 1.0
"""Added to the number of linked papers: a single one says less than many."""


def measure(ground: Ground) -> Values:
    """(n,): by how much the papers linked with each are nearer than papers are on average."""
    cosines, links = ground.cosines, ground.links
    known = ~np.isnan(cosines)
    if not known.any() or not len(links.out.indices):
        return ground.nothing()
    above = np.where(known, cosines - cosines[known].mean(), 0.0)
    summed = _sums(links.out, above) + _sums(links.into, above)
    found: Values = summed / (links.citing_times + links.cited_times + DOUBT)
    return found


def _sums(rows: Rows, values: Values) -> Values:
    """(n,): the sum of the values of each row's entries."""
    running = np.concatenate(([0.0], np.cumsum(values[rows.indices])))
    found: Values = running[rows.indptr[1:]] - running[rows.indptr[:-1]]
    return found


SIGNAL = Signal("smoothed", "what it cites and is cited by", 0.1, measure, of_links=False)
