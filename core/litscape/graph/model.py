"""The citation graph of a library as it is at one moment, or as it was in one year."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from litscape.graph.csr import Rows
from litscape.graph.works import Cited, works_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.works import Works
    from litscape.paper import PaperId


@dataclass(frozen=True)
class CitationGraph:
    """Papers and whom they cite; never changes, so that any thread may ask it.

    Papers are numbered 0 … n - 1 by ascending id. Works outside the library are numbered likewise.

    Attributes:
        ids: (n,) int64, ascending: papers that are not in the trash.
        years: (n,) int32; ``NO_YEAR`` where a paper has none.
        out: papers that each paper cites.
        outside: works outside the library.
        lists: the references to them.
        list_lengths: (n,) int64: how many works each paper cites, inside, outside and in the
            trash; in the graph of a year those of all years.
        year: the year as of which it is, None for all.
    """

    ids: NDArray[np.int64]
    years: NDArray[np.int32]
    out: Rows
    outside: Works
    lists: Cited
    list_lengths: NDArray[np.int64]
    year: int | None = None

    @cached_property
    def into(self) -> Rows:
        """Papers that cite each paper."""
        return self.out.transposed(len(self.ids))

    @property
    def works(self) -> Rows:
        """Works outside the library that each paper cites."""
        return self.outside.cited

    @property
    def work_keys(self) -> NDArray[np.int64]:
        """(m,) int64: what tells these works, see :mod:`litscape.graph.cited`."""
        return self.outside.keys

    @property
    def work_years(self) -> NDArray[np.int32]:
        """(m,) int32: the earliest year that a reference gives them."""
        return self.outside.years

    @cached_property
    def works_cited_by(self) -> Rows:
        """Papers that cite each work outside the library."""
        return self.works.transposed(len(self.work_keys))

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def edge_count(self) -> int:
        """How many links there are between its papers."""
        return len(self.out.indices)

    def index_of(self, paper: PaperId) -> int | None:
        """The number of a paper; None where it is not in the graph."""
        place = int(np.searchsorted(self.ids, paper))
        return place if place < len(self.ids) and self.ids[place] == paper else None

    def references(self, paper: PaperId) -> NDArray[np.int64]:
        """Ids of the papers that a paper cites, ascending; empty for one that is not there."""
        return self._others(self.out, paper)

    def citing(self, paper: PaperId) -> NDArray[np.int64]:
        """Ids of the papers that cite a paper, ascending."""
        return self._others(self.into, paper)

    def citations_of_work(self, work: int | None) -> int:
        """How many papers cite a work outside the library, by whichever of its numbers."""
        if work is None:
            return 1
        place = int(self.outside.columns_of(np.array([work], dtype=np.int64))[0])
        return 0 if place < 0 else len(self.works_cited_by.row(place))

    def two_hop(self, paper: PaperId) -> NDArray[np.int64]:
        """Ids of the papers two links away, in whichever direction, but no nearer; ascending."""
        index = self.index_of(paper)
        if index is None:
            return np.empty(0, dtype=np.int64)
        near = self._around(np.array([index], dtype=np.int32))
        return self._beyond(self._around(near), near, index)

    def two_hop_references(self, paper: PaperId) -> NDArray[np.int64]:
        """Ids of what a paper's references cite and it does not itself; ascending.

        The hard negatives of SPECTER (Cohan et al. 2020).
        """
        index = self.index_of(paper)
        if index is None:
            return np.empty(0, dtype=np.int64)
        near = self.out.row(index)
        return self._beyond(self.out.gather(near)[0], near, index)

    def out_degrees(self) -> NDArray[np.int64]:
        """How many papers of the graph each paper cites, (n,)."""
        return self.out.lengths()

    def in_degrees(self) -> NDArray[np.int64]:
        """How many papers of the graph cite each paper, (n,)."""
        return np.bincount(self.out.indices, minlength=len(self)).astype(np.int64)

    def edges(self) -> NDArray[np.int64]:
        """All links as (citing id, cited id), (m, 2), by citing then cited."""
        return np.column_stack((self.ids[self.out.row_numbers()], self.ids[self.out.indices]))

    def as_of(self, year: int) -> Self:
        """The graph with papers and works dated up to a year, and links whose both ends are.

        What has no year is in no such graph. Works are told and dated by the references of its own
        papers alone.
        """
        papers = self.years <= year
        lists = self.lists.kept(papers)
        return type(self)(
            ids=self.ids[papers],
            years=self.years[papers],
            out=self.out.kept(papers, papers),
            outside=works_of(lists, int(papers.sum())).up_to(year),
            lists=lists,
            list_lengths=self.list_lengths[papers],
            year=year if self.year is None else min(year, self.year),
        )

    def matrix(self) -> Any:
        """Who cites whom as a SciPy sparse matrix (n, n) of ones, float32.

        Loads SciPy: not for the window's process.
        """
        from scipy.sparse import csr_matrix

        ones = np.ones(self.edge_count, dtype=np.float32)
        return csr_matrix((ones, self.out.indices, self.out.indptr), shape=(len(self), len(self)))

    def _others(self, rows: Rows, paper: PaperId) -> NDArray[np.int64]:
        index = self.index_of(paper)
        return np.empty(0, dtype=np.int64) if index is None else self.ids[rows.row(index)]

    def _around(self, papers: NDArray[np.int32]) -> NDArray[np.int32]:
        there = np.zeros(len(self), dtype=np.bool_)
        there[self.out.gather(papers)[0]] = True
        there[self.into.gather(papers)[0]] = True
        return np.flatnonzero(there).astype(np.int32)

    def _beyond(
        self, far: NDArray[np.int32], near: NDArray[np.int32], index: int
    ) -> NDArray[np.int64]:
        """Ids of papers of ``far`` that are neither in ``near`` nor the one itself, ascending."""
        there = np.zeros(len(self), dtype=np.bool_)
        there[far] = True
        there[near] = there[index] = False
        found: NDArray[np.int64] = self.ids[there]
        return found


def build(
    nodes: tuple[NDArray[np.int64], ...],
    links: tuple[NDArray[np.int64], ...],
    works: tuple[NDArray[np.int64], ...],
) -> CitationGraph:
    """The graph of columns as :class:`litscape.store.graph_reads.Columns` has them.

    A link to or from a paper that is not among the nodes is left out, though it counts in the
    length of its paper's list.
    """
    ids, years = nodes[0], nodes[1].astype(np.int32)
    number = np.full(_size(ids, links, works), -1, dtype=np.int32)
    number[ids] = np.arange(len(ids), dtype=np.int32)
    citing, cited = number[links[0]], number[links[1]]
    whose = number[works[0]]
    both = (citing >= 0) & (cited >= 0) & (citing != cited)
    live = whose >= 0
    lists = Cited(whose[live], works[1][live], works[2][live].astype(np.int32),
                  works[3][live], works[4][live])  # fmt: skip
    outside = works_of(lists, len(ids))
    lengths = np.bincount(citing[(citing >= 0) & (links[0] != links[1])], minlength=len(ids))
    return CitationGraph(
        ids=ids,
        years=years,
        out=Rows.of(citing[both], cited[both], len(ids)),
        outside=outside,
        lists=lists,
        list_lengths=lengths.astype(np.int64) + outside.cited.lengths(),
    )


def _size(*columns: NDArray[np.int64] | tuple[NDArray[np.int64], ...]) -> int:
    """One more than the highest id of papers."""
    ids, links, works = columns
    return 1 + max(int(part.max()) if len(part) else 0 for part in (ids, *links, works[0]))
