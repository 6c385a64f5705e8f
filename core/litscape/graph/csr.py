"""Rows of different lengths in two arrays (compressed sparse rows), in plain NumPy.

The window's process asks these; SciPy, which knows the same layout, stays out of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Rows:
    """Which columns each row has.

    Attributes:
        indptr: (n + 1,) int64; row i is ``indices[indptr[i]:indptr[i + 1]]``.
        indices: (m,) int32, ascending within a row.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]

    @classmethod
    def of(cls, rows: NDArray[np.int32], columns: NDArray[np.int32], count: int) -> Rows:
        """From pairs in any order, each once, for so many rows."""
        order = np.lexsort((columns, rows))
        return cls.of_sorted(rows[order], columns[order], count)

    @classmethod
    def of_sorted(cls, rows: NDArray[np.int32], columns: NDArray[np.int32], count: int) -> Rows:
        """From pairs that are sorted by row."""
        indptr = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(rows, minlength=count), out=indptr[1:])
        return cls(indptr, columns)

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def row(self, index: int) -> NDArray[np.int32]:
        """The columns of a row."""
        return self.indices[self.indptr[index] : self.indptr[index + 1]]

    def lengths(self) -> NDArray[np.int64]:
        """How many columns each row has, (n,)."""
        return np.diff(self.indptr)

    def row_numbers(self) -> NDArray[np.int32]:
        """The row of each entry, (m,)."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.lengths())

    def gather(self, rows: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The columns of several rows one after the other, and how many each has."""
        starts = self.indptr[rows]
        counts = self.indptr[rows + 1] - starts
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        places = np.repeat(starts - (ends - counts), counts) + np.arange(total)
        return self.indices[places], counts

    def transposed(self, columns: int) -> Rows:
        """Columns as rows; there are so many of them."""
        order = np.argsort(self.indices, kind="stable")
        return Rows.of_sorted(self.indices[order], self.row_numbers()[order], columns)

    def kept(self, rows: NDArray[np.bool_], columns: NDArray[np.bool_]) -> Rows:
        """Without some rows and columns; those that stay are counted anew."""
        own = self.row_numbers()
        stay = rows[own] & columns[self.indices]
        new_rows = (np.cumsum(rows) - 1).astype(np.int32)
        new_columns = (np.cumsum(columns) - 1).astype(np.int32)
        return Rows.of_sorted(new_rows[own[stay]], new_columns[self.indices[stay]], int(rows.sum()))
