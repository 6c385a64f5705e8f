"""What a map is made from: the papers of a scope, their vectors, and what is to be said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import NotReadyError, UserError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.maps.records import MapScope
    from litscape.store import map_reads
    from litscape.vectors.store import VectorSnapshot

_UNIT = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """Papers with sound vectors.

    Attributes:
        ids: papers, int64 (n,), ascending.
        matrix: their unit vectors, float32 (n, d).
        revision: changes whenever a vector of the model version does.
    """

    ids: NDArray[np.int64]
    matrix: NDArray[np.float32]
    revision: str

    def __len__(self) -> int:
        return len(self.ids)


def gather(snapshot: VectorSnapshot, wanted: NDArray[np.int64] | None) -> Material:
    """The sound vectors of wanted papers (all where None); one that is not finite is left out."""
    order = np.argsort(snapshot.ids, kind="stable")
    if wanted is not None:
        order = order[np.isin(snapshot.ids[order], wanted)]
    ids = snapshot.ids[order]
    in_order = len(order) == len(snapshot) and bool((np.diff(order) == 1).all())
    matrix = snapshot.matrix if in_order else snapshot.matrix[order]
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float32))
    sound = np.isfinite(lengths) & (lengths > _UNIT)
    if not sound.all():
        ids, matrix, lengths = ids[sound], matrix[sound], lengths[sound]
    if len(ids) and float(np.abs(lengths - 1).max()) > _UNIT:
        matrix = matrix / lengths[:, None]
    return Material(ids, np.ascontiguousarray(matrix, dtype=np.float32), snapshot.revision)


def need(material: Material, scope: MapScope, in_scope: int) -> None:
    """Refuse a scope of which nothing can be drawn.

    Raises:
        UserError: it has no papers.
        NotReadyError: none of its papers has a vector.
    """
    if in_scope == 0 and scope.ids is None:
        raise UserError("The library has no papers yet: import some, and there is a map to make.")
    if in_scope == 0:
        raise UserError(f"“{scope.title}” has no papers, so there is nothing to map.")
    if not len(material):
        raise NotReadyError(
            f"No paper of “{scope.title}” has a vector yet: compute similarity first, then make "
            "the map."
        )


def live_scope(live: map_reads.LivePapers, scope: MapScope) -> NDArray[np.bool_]:
    """Which of the live papers belong to a scope, bool (m,)."""
    if scope.ids is None:
        return np.ones(len(live.ids), dtype=bool)
    return np.isin(live.ids, np.array(scope.ids, dtype=np.int64))


def missing_and_said(
    live: map_reads.LivePapers,
    with_vector: NDArray[np.int64],
    scope: MapScope,
    drawn: NDArray[np.int64],
) -> tuple[int, tuple[str, ...]]:
    """How many papers of a scope have no place, and the sentences about these and their texts.

    Args:
        live: the papers of the library.
        with_vector: those with a vector, int64 (v,).
        scope: which papers should have a place.
        drawn: papers that have one, int64 (n,).
    """
    inside = live_scope(live, scope)
    total = int(inside.sum())
    has_place = np.isin(live.ids, drawn)
    absent = inside & ~has_place
    textless = int((absent & ~live.has_text).sum())
    new = int((absent & live.has_text & np.isin(live.ids, with_vector)).sum())
    waiting = int((absent & live.has_text).sum()) - new
    bare = int((has_place & ~live.has_abstract).sum())
    said = []
    if bare:
        said.append(f"{_of(bare, total)} no abstract: {_rest(bare)} on the title alone.")
    if textless:
        said.append(f"{_of(textless, total)} neither title nor abstract, so no place.")
    if waiting:
        said.append(f"{_of(waiting, total)} no vector yet: compute similarity, then place them.")
    if new:
        said.append(f"{_of(new, total)} no place yet: new papers can be placed.")
    return int(absent.sum()), tuple(said)


def _rest(papers: int) -> str:
    return "its place rests" if papers == 1 else "their places rest"


def _of(number: int, total: int) -> str:
    if number == total:
        return "The only paper has" if total == 1 else f"All {total:,} papers have"
    papers = "paper" if total == 1 else "papers"
    return f"{number:,} of {total:,} {papers} {'has' if number == 1 else 'have'}"
