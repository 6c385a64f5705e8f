"""Cosine of TF-IDF vectors of all candidates, the plain measure that others are held against."""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from litscape.evaluation.systems.base import Bench, Scores, System, best_of
from litscape.search.profile import term_frequencies

if TYPE_CHECKING:
    from litscape.evaluation.records import Question


_CHECKED = 1000


class TfIdf(System):
    """(1 + log tf) × smoothed idf without stop words, cosine (Salton and Buckley 1988).

    Loads SciPy: for a process of its own.
    """

    name: ClassVar[str] = "tfidf"
    title: ClassVar[str] = "TF-IDF"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        from scipy.sparse import csr_matrix

        self._ids = bench.material.ids
        self._numbers: dict[str, int] = {}
        rows, columns, values = array("i"), array("i"), array("f")
        for row, paper in enumerate(self._ids.tolist()):
            if row % _CHECKED == 0:
                bench.check()
            for word, tf in term_frequencies(bench.material.texts[paper].prose).items():
                rows.append(row)
                columns.append(self._numbers.setdefault(word, len(self._numbers)))
                values.append(tf)
        size = len(self._ids), len(self._numbers)
        places = np.frombuffer(columns, dtype=np.int32) if columns else np.empty(0, np.int32)
        counts = np.bincount(places, minlength=size[1])
        self._idf = np.log((1 + size[0]) / (1 + counts)) + 1
        weighted = np.array(values, dtype=np.float32) * self._idf[places]
        matrix = csr_matrix((weighted, (np.array(rows, dtype=np.int32), places)), shape=size)
        lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
        self._matrix = csr_matrix(matrix.multiply(1 / np.maximum(lengths, 1e-12)[:, None]))

    def score(self, question: Question, k: int) -> Scores:
        """The candidates that share a word with the text."""
        query = np.zeros(len(self._numbers))
        for word, tf in term_frequencies(question.text).items():
            if (number := self._numbers.get(word)) is not None:
                query[number] = tf * self._idf[number]
        length = math.sqrt(float(query @ query)) or 1.0
        values = self._matrix @ (query / length)
        places = np.flatnonzero(np.isin(self._ids, question.candidates))
        return best_of(self._ids[places], values[places], k)
