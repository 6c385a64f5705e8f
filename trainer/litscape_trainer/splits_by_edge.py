"""Queries made by hiding links of papers that stay: for libraries too small to part by paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.evaluation.splits import HeldOutPaper, Split

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

BY_LINK = "by link"
"""How the names of such splits begin."""
SHARE = 0.15
"""The share of links that is hidden."""


def hide_edges(
    years: Mapping[int, int],
    links: NDArray[np.int64],
    ids: NDArray[np.int64],
    twins: NDArray[np.int32],
    share: float = SHARE,
    seed: int = 20,
) -> Split:
    """Hide links in both directions, and with each those between papers that are the same works.

    What needs a hidden link - cited together, cited by a cited paper, near in the graph - is then
    not there either, as all of it is counted from the links that stay.

    Args:
        years: year by paper; papers without one give no queries.
        links: (citing, cited), (n, 2).
        ids: (p,) all papers, ascending.
        twins: (p,) papers of one number are one work.
        share: of the links that could be asked for.
        seed: of the draw.
    """
    dates = np.array([years.get(paper, -1) for paper in ids.tolist()], dtype=np.int64)
    links = links[np.isin(links, ids).all(axis=1)]
    ends = np.searchsorted(ids, links)
    dated = dates[ends]
    citing, cited = dated.T
    may = (ends[:, 0] != ends[:, 1]) & (dated >= 0).all(axis=1) & (cited <= citing)
    places = np.flatnonzero(may)
    rng = np.random.default_rng(seed)
    drawn = rng.permutation(places)[: int(np.ceil(share * len(places)))]
    works = np.sort(twins[ends].astype(np.int64), axis=1)
    pairs = works[:, 0] * (len(ids) + 1) + works[:, 1]
    hidden = np.isin(pairs, pairs[drawn])
    asked: dict[int, set[int]] = {}
    for paper, other in links[hidden & may].tolist():
        asked.setdefault(paper, set()).add(other)
    queries = [HeldOutPaper(p, years[p], frozenset(asked[p])) for p in sorted(asked)]
    # Both halves are of whole works, so that no work is asked for choosing and for the figure.
    own = twins[np.searchsorted(ids, [one.paper for one in queries])] if queries else twins[:0]
    first = rng.permutation(np.unique(own))
    dev = set(first[: len(first) // 2].tolist())
    halves: tuple[list[HeldOutPaper], list[HeldOutPaper]] = ([], [])
    for work, query in zip(own.tolist(), queries, strict=True):
        halves[work not in dev].append(query)
    return Split(
        name=f"{BY_LINK}: {int(hidden.sum()):,} links hidden, asked of {len(halves[0])} papers for "
        f"dev and {len(halves[1])} for test",
        training=links[~hidden],
        dev=tuple(halves[0]),
        test=tuple(halves[1]),
    )
