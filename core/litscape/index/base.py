"""The protocol that every vector index keeps; one contract test suite runs over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Vectors = NDArray[np.float32]


class VectorIndex(Protocol):
    """Nearest neighbours by inner product of unit vectors (that is, by cosine).

    Safe to search from several threads; a change waits for running searches.
    """

    kind: str
    """``exact`` or ``hnsw``, as settings and ``info`` name it."""

    @property
    def count(self) -> int:
        """How many ids can be found."""
        ...

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        ...

    def build(self, ids: Ids, matrix: Vectors) -> None:
        """Replace everything by ``ids`` (n,), each once, with rows of ``matrix`` (n, d)."""
        ...

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Add ``vectors`` (m, d); an id that is there already gets its new vector."""
        ...

    def remove(self, ids: Ids) -> None:
        """Make ``ids`` unfindable; unknown ones are passed over."""
        ...

    def search(self, query: Vectors, k: int, allowed: Ids | None = None) -> tuple[Ids, Vectors]:
        """The ``k`` nearest of ``allowed`` ids (all where None), best first, ties by id.

        Args:
            query: one vector (d,) or several (m, d).
            k: how many; where fewer can be found, all of them come back.
            allowed: ids that may be found; unknown and removed ones are passed over.

        Returns:
            Ids int64 and inner products float32, (k',) or (m, k') with
            k' = min(k, number of allowed ids that are there).
        """
        ...
