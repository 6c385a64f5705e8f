"""The vectors that labels are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import NotReadyError, UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.library import Library


def known_versions(library: Library, wanted: Sequence[str]) -> tuple[str, ...]:
    """The wanted model versions, each once; the active one where none is wanted.

    Raises:
        UserError: the library has no such version.
    """
    if not wanted:
        return (library.models.active().version,)
    known = {card.version for card in library.models.available()}
    for version in wanted:
        if version not in known:
            raise UserError(
                f"This library has no model version {version!r}; it has: "
                f"{', '.join(sorted(known))}."
            )
    return tuple(dict.fromkeys(wanted))


def papers_with_vectors(library: Library, versions: Sequence[str]) -> NDArray[np.int64]:
    """Papers that have a vector of each version, ascending.

    Raises:
        NotReadyError: no paper has one of a version.
    """
    common: NDArray[np.int64] | None = None
    for version in versions:
        ids = library.vector_store.snapshot(version).ids
        if not len(ids):
            raise NotReadyError(
                f"No paper has a vector of the model {version} yet; compute similarity first."
            )
        common = np.sort(ids) if common is None else np.intersect1d(common, ids)
    assert common is not None
    return common


def vectors_of(library: Library, version: str, ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """The unit vectors of some papers that all have one, (n, d)."""
    snapshot = library.vector_store.snapshot(version)
    order = np.argsort(snapshot.ids)
    rows = order[np.searchsorted(snapshot.ids, ids, sorter=order)]
    return np.ascontiguousarray(snapshot.matrix[rows], dtype=np.float32)
