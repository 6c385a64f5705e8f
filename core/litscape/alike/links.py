"""The citation links that may speak for a paper: all, those up to a year, or without some."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from litscape.graph.csr import Rows
from litscape.store.graph_reads import NO_YEAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph


@dataclass(frozen=True)
class Links:
    """Every live paper, numbered 0 … n - 1 by ascending id, and whom it cites.

    Other than in a graph as of a year, later papers are there too: they can be found, though they
    have no links.

    Attributes:
        ids: (n,) int64, ascending.
        years: (n,) int32.
        out: papers that each paper cites.
        works: works outside the library that each paper cites.
        work_years: (w,) int32: the year of each such work, ``NO_YEAR`` where none is known.
        lengths: (n,) int64: how many works each paper cites in all.
    """

    ids: NDArray[np.int64]
    years: NDArray[np.int32]
    out: Rows
    works: Rows
    work_years: NDArray[np.int32]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, graph: CitationGraph) -> Self:
        """All links of a graph."""
        return cls(
            graph.ids,
            graph.years,
            graph.out,
            graph.works,
            graph.work_years,
            graph.list_lengths,
        )

    def up_to(self, year: int) -> Self:
        """Only the links between papers dated up to a year; all papers stay.

        Works outside that are dated later are left out; one without a year is cited by then.
        """
        dated = self.years <= year
        return self._kept(dated, (self.work_years <= year) | (self.work_years == NO_YEAR))

    @property
    def work_count(self) -> int:
        """How many works outside the library there are."""
        return len(self.work_years)

    def without(self, papers: NDArray[np.int32]) -> Self:
        """Without the links from and to some papers, given by their numbers."""
        others = np.ones(len(self.ids), dtype=bool)
        others[papers] = False
        return self._kept(others, np.ones(self.work_count, dtype=bool))

    def _kept(self, papers: NDArray[np.bool_], works: NDArray[np.bool_]) -> Self:
        return type(self)(
            self.ids,
            self.years,
            _some(self.out, papers, papers),
            _some(self.works, papers, works),
            self.work_years,
            np.where(papers, self.lengths, 0),
        )

    @cached_property
    def into(self) -> Rows:
        """Papers that cite each paper."""
        return self.out.transposed(len(self.ids))

    @cached_property
    def works_cited_by(self) -> Rows:
        """Papers that cite each work outside the library."""
        return self.works.transposed(self.work_count)

    @cached_property
    def cited_times(self) -> NDArray[np.int64]:
        """(n,): how many papers cite each."""
        return np.diff(self.into.indptr)

    @cached_property
    def citing_times(self) -> NDArray[np.int64]:
        """(n,): how many papers each cites."""
        return np.diff(self.out.indptr)

    def __len__(self) -> int:
        return len(self.ids)

    def numbers_of(self, papers: NDArray[np.int64]) -> NDArray[np.int32]:
        """The numbers of those of the papers that are there, in the order given."""
        if not len(self.ids):
            return np.empty(0, dtype=np.int32)
        at = np.minimum(np.searchsorted(self.ids, papers), len(self.ids) - 1)
        found: NDArray[np.int32] = at[self.ids[at] == papers].astype(np.int32)
        return found


def _some(rows: Rows, keep: NDArray[np.bool_], columns: NDArray[np.bool_]) -> Rows:
    """Some of the entries; every row stays, be it empty."""
    own = rows.row_numbers()
    stay = keep[own] & columns[rows.indices]
    return Rows.of_sorted(own[stay], rows.indices[stay], len(rows))
