"""Pairs of papers that belong together: never to be pushed apart, by no objective."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.csr import Rows
    from litscape_trainer.examples.material import TrainingMaterial

COCITED = 2
"""Cited together by so many papers, two are known to be near."""
COUPLED = 3
"""Sharing so many references, two are known to be near."""
LONG_LIST = 150
"""A paper with more references is a survey: in its list anything stands beside anything."""
_PAIRS = 50_000
"""Pairs that are looked at in one go: bounds the memory."""


class Known:
    """Known positives of a training material: see :class:`~.records.KnownPositives`.

    Loads SciPy when first asked: not for the window's process.
    """

    def __init__(self, material: TrainingMaterial) -> None:
        self._material = material

    def mask(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which papers of a batch, (b,), belong together: (b, b), symmetric, true on its diagonal.

        A paper that is not in the material belongs to itself alone.
        """
        return self.between(ids, ids)

    def between(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The same for anchors, (a,), against candidates, (c,): (a, c)."""
        material = self._material
        found: NDArray[np.bool_] = rows[:, None] == columns[None, :]
        mine, theirs = material.places(rows), material.places(columns)
        own, others = np.flatnonzero(mine >= 0), np.flatnonzero(theirs >= 0)
        if len(own) and len(others):
            found[np.ix_(own, others)] |= self._near(mine[own], theirs[others])
        return found

    def pairs(self, one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether each pair of places, (m,) and (m,), belongs together: (m,)."""
        if not len(one):
            return np.zeros(0, dtype=np.bool_)
        parts = [
            self._pairs(one[start : start + _PAIRS], other[start : start + _PAIRS])
            for start in range(0, len(one), _PAIRS)
        ]
        return np.concatenate(parts)

    def _near(self, rows: NDArray[np.int32], columns: NDArray[np.int32]) -> NDArray[np.bool_]:
        twins = self._material.twins
        found: NDArray[np.bool_] = twins[rows][:, None] == twins[columns][None, :]
        told = self._told[rows][:, columns]
        if told.nnz:
            found |= told.toarray() > 0
        for matrix, least in ((self._citing, COCITED), (self._cited, COUPLED)):
            shared = matrix[rows] @ matrix[columns].T
            shared.data = np.where(shared.data >= least, 1.0, 0.0).astype(np.float32)
            found |= shared.toarray() > 0
        return found

    def _pairs(self, one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
        twins = self._material.twins
        found: NDArray[np.bool_] = twins[one] == twins[other]
        found |= np.asarray(self._told[one, other]).ravel() > 0
        for matrix, least in ((self._citing, COCITED), (self._cited, COUPLED)):
            shared = matrix[one].multiply(matrix[other]).sum(axis=1)
            found |= np.asarray(shared).ravel() >= least
        return found

    @cached_property
    def _told(self) -> Any:
        """(n, n): linked either way, or said to be related."""
        from scipy.sparse import csr_matrix

        graph, vetoes = self._material.graph, self._material.vetoes
        citing = np.concatenate((graph.out.row_numbers(), vetoes[:, 0]))
        cited = np.concatenate((graph.out.indices, vetoes[:, 1]))
        ones = np.ones(2 * len(citing), dtype=np.float32)
        both = (np.concatenate((citing, cited)), np.concatenate((cited, citing)))
        return csr_matrix((ones, both), shape=(len(graph), len(graph)))

    @cached_property
    def _citing(self) -> Any:
        """(n, n): who cites each paper, surveys left out."""
        graph = self._material.graph
        surveys = graph.list_lengths > LONG_LIST
        return _matrix(graph.into, len(graph)) @ _diagonal(~surveys)

    @cached_property
    def _cited(self) -> Any:
        """(n, n + m): what each paper cites, inside the library and outside."""
        from scipy.sparse import hstack

        graph = self._material.graph
        parts = [_matrix(graph.out, len(graph)), _matrix(graph.works, len(graph.work_keys))]
        return hstack(parts, format="csr")


def _matrix(rows: Rows, columns: int) -> Any:
    from scipy.sparse import csr_matrix

    ones = np.ones(len(rows.indices), dtype=np.float32)
    return csr_matrix((ones, rows.indices, rows.indptr), shape=(len(rows), columns))


def _diagonal(there: NDArray[np.bool_]) -> Any:
    from scipy.sparse import csr_matrix

    places = np.flatnonzero(there)
    ones = np.ones(len(places), dtype=np.float32)
    return csr_matrix((ones, (places, places)), shape=(len(there), len(there)))
