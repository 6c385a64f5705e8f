"""Likeness of words, where the graph says nothing. Loads scikit-learn: for a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.jobs import null_context

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial

_CELLS = 20_000_000
"""Likenesses that are worked out in one go: bounds the memory."""


def nearest_in_words(
    material: TrainingMaterial,
    count: int,
    anchors: NDArray[np.int32],
    ctx: JobContext | None = None,
) -> NDArray[np.int32]:
    """The papers nearest to some by cosine of TF-IDF, themselves left out: (a, count) places.

    -1 stands where fewer papers share a word.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    vectors = word_vectors(material)
    found = np.full((len(anchors), count), -1, dtype=np.int32)
    if vectors is None:
        return found
    step = max(1, _CELLS // max(len(material), 1))
    turned = vectors.T.tocsr()
    for start in range(0, len(anchors), step):
        ctx.progress(start, len(anchors), "Looking for papers near in words")
        some = anchors[start : start + step]
        values = (vectors[some] @ turned).toarray()
        values[np.arange(len(some)), some] = 0
        k = min(count, values.shape[1])
        best = np.argpartition(-values, k - 1, axis=1)[:, :k]
        order = np.lexsort((best, -np.take_along_axis(values, best, 1)), axis=1)
        best = np.take_along_axis(best, order, 1)
        there = np.take_along_axis(values, best, 1) > 0
        found[start : start + step, :k] = np.where(there, best, -1)
    return found


def word_vectors(material: TrainingMaterial) -> Any:
    """(n, words) sublinear TF-IDF of unit length; None where no word tells anything."""
    if "tfidf" not in material.kept:
        from sklearn.feature_extraction.text import TfidfVectorizer

        texts = (f"{a} {b}" for a, b in zip(material.titles, material.abstracts, strict=True))
        reader = TfidfVectorizer(
            sublinear_tf=True, stop_words="english", min_df=2, max_df=0.5, dtype=np.float32
        )
        try:
            material.kept["tfidf"] = reader.fit_transform(texts)
        except ValueError:  # only stop words, or no word twice
            material.kept["tfidf"] = None
    return material.kept["tfidf"]
