"""Weak links: papers that somebody put together. They are no citations and never among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from litscape.errors import UserError
from litscape.graph.csr import Rows
from litscape.graph.neighbours import Neighbours
from litscape.graph.weighting import fractional
from litscape.store.graph_reads import read_nodes
from litscape.store.link_reads import count_sharing, memberships, zotero_related

if TYPE_CHECKING:
    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.paper import PaperId

WeakKind = Literal["collection", "tag", "related"]
"""Shared collection, shared tag, "related" in Zotero."""
KINDS: tuple[WeakKind, ...] = get_args(WeakKind)


@dataclass(frozen=True, slots=True)
class WeakLinks:
    """Papers and the groups that they share; two papers of one group are weakly linked.

    Attributes:
        kind: what the groups are.
        ids: (n,) int64, papers in a group, ascending.
        groups: the groups of each paper; of ``related``, each pair is one.
    """

    kind: WeakKind
    ids: NDArray[np.int64]
    groups: Rows

    def neighbours(self, paper: PaperId, k: int | None = 50) -> Neighbours:
        """The papers that share most groups with one; a group of n adds 1 / (n - 1)."""
        place = int(np.searchsorted(self.ids, paper))
        if place == len(self.ids) or self.ids[place] != paper:
            nobody = np.empty(0, dtype=np.int64)
            return Neighbours(nobody, nobody, np.empty(0, dtype=np.float64))
        count = int(self.groups.indices.max()) + 1
        members = self.groups.transposed(count)
        shared = self.groups.row(place)
        papers, sizes = members.gather(shared)
        counts = np.bincount(papers, minlength=len(self.ids))
        each = np.repeat(fractional(sizes), sizes)
        weights = np.bincount(papers, each, minlength=len(self.ids)).astype(np.float64)
        counts[place] = 0
        there = np.flatnonzero(counts)
        order = np.lexsort((there, -counts[there], -weights[there]))[:k]
        chosen = there[order]
        return Neighbours(self.ids[chosen], counts[chosen], weights[chosen])


def weak_links(conn: sa.Connection, kind: WeakKind, as_of: int | None = None) -> WeakLinks:
    """The weak links of a kind between live papers, with a year those dated up to it.

    Raises:
        UserError: there is no such kind.
    """
    if kind not in KINDS:
        raise UserError(f"There are no weak links by {kind!r}; use {', '.join(KINDS)}.")
    if kind == "related":
        pairs = [
            (paper, group) for group, pair in enumerate(zotero_related(conn)) for paper in pair
        ]
    else:
        pairs = memberships(conn, kind)
    rows = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    if as_of is not None:
        papers, years = read_nodes(conn)
        rows = _among(rows, papers[years <= as_of], whole=kind == "related")
    ids, number = np.unique(rows[:, 0], return_inverse=True)
    _, group = np.unique(rows[:, 1], return_inverse=True)
    return WeakLinks(kind, ids, Rows.of(number.astype(np.int32), group.astype(np.int32), len(ids)))


def count_weak(conn: sa.Connection, as_of: int | None = None) -> dict[WeakKind, int]:
    """How many live papers, with a year those dated up to it, have a weak link of each kind."""
    if as_of is not None:
        return {kind: _count_linked(weak_links(conn, kind, as_of)) for kind in KINDS}
    related = {paper for pair in zotero_related(conn) for paper in pair}
    return {
        "collection": count_sharing(conn, "collection"),
        "tag": count_sharing(conn, "tag"),
        "related": len(related),
    }


def _count_linked(links: WeakLinks) -> int:
    """How many papers share a group with another one."""
    shared = np.bincount(links.groups.indices)[links.groups.indices] > 1
    return len(np.unique(links.groups.row_numbers()[shared]))


def _among(rows: NDArray[np.int64], papers: NDArray[np.int64], *, whole: bool) -> NDArray[np.int64]:
    """The rows of some papers; of pairs those whose both ends are among them."""
    stay = np.isin(rows[:, 0], papers)
    if whole:
        gone = np.unique(rows[~stay, 1])
        stay &= ~np.isin(rows[:, 1], gone)
    return rows[stay]
