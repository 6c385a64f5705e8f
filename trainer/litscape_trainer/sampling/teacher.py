"""How alike papers are by all that a library knows of them: vectors, words, links.

Cosines of the base model, those of TF-IDF on the same scale, and a fixed amount more for papers
that are known to belong together. Search by words and meaning finds more than either alone, and
that holds for papers of later years too; so a model is taught to see both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from litscape_trainer.sampling.drawing import dice
from litscape_trainer.sampling.likeness import word_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape_trainer.examples.material import TrainingMaterial

_SCALED_BY = 2000
"""Papers by whose likenesses to each other the two scales are told: four million pairs."""


class Shares(Protocol):
    """What of a training recipe a teacher follows."""

    @property
    def teacher_words(self) -> float:
        """The words' share of the likeness of texts, 0 … 1."""

    @property
    def teacher_links(self) -> float:
        """What is added for papers that belong together, in units of the cosine."""


class Teacher:
    """The likenesses of papers that may be learnt from.

    Loads scikit-learn: for a process of its own.

    Args:
        material: what may be learnt from.
        ids: papers that have a vector of the base model, int64 (n,), ascending.
        vectors: the unit vectors, float32 (n, d).
        shares: how much words and links count.
    """

    def __init__(
        self,
        material: TrainingMaterial,
        ids: NDArray[np.int64],
        vectors: NDArray[np.float32],
        shares: Shares,
    ) -> None:
        self._material = material
        self._shares = shares
        own = np.searchsorted(ids, material.ids)
        own = np.minimum(own, max(len(ids) - 1, 0))
        there = ids[own] == material.ids if len(ids) else np.zeros(len(material), dtype=np.bool_)
        self._vectors = np.zeros((len(material), vectors.shape[1]), dtype=np.float32)
        self._vectors[there] = vectors[own[there]]
        self._words: Any = word_vectors(material)
        self._scale = self._scaled()

    def likeness(self, papers: NDArray[np.int64]) -> NDArray[np.float32]:
        """Of each of some papers to each other, float32 (n, n); the diagonal says nothing.

        Args:
            papers: ids, (n,); one that may not be learnt from is like none.
        """
        places = self._material.places(papers)
        there = np.flatnonzero(places >= 0)
        own = places[there]
        found = np.zeros((len(papers), len(papers)), dtype=np.float32)
        cosines = self._vectors[own] @ self._vectors[own].T
        texts = cosines + self._scale * self._by_words(own)
        together = self._material.known.mask(papers[there])
        found[np.ix_(there, there)] = texts + self._shares.teacher_links * together
        return found

    def _scaled(self) -> float:
        """By what the words' cosines are multiplied to have their share beside the model's."""
        share = self._shares.teacher_words
        size = len(self._material)
        if size < 2:
            return share
        own = np.arange(size)
        if size > _SCALED_BY:
            own = np.sort(dice("scale", 0).choice(size, _SCALED_BY, replace=False))
        upper = np.triu_indices(len(own), 1)
        spread = float(np.std((self._vectors[own] @ self._vectors[own].T)[upper]))
        of_words = float(np.std(self._by_words(own)[upper]))
        if not of_words or not spread:  # no words, or all vectors are one
            return share
        return share / max(1 - share, 1e-6) * spread / of_words

    def _by_words(self, places: NDArray[Any]) -> NDArray[np.float32]:
        if self._words is None:
            return np.zeros((len(places), len(places)), dtype=np.float32)
        some = self._words[places]
        found: NDArray[np.float32] = (some @ some.T).toarray()
        return found
