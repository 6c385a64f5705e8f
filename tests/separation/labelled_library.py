"""A library whose vectors and labels are planted: who lies where is known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.library import Library
from litscape.paper import PaperDraft
from litscape.store import bulk

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

NAMES = ("corals", "glaciers", "violins", "meteors")
SIZES = (60, 40, 30, 20)
PAPERS = sum(SIZES)
STRAYS = (3, 61)
"""Papers that lie among the violins: 3 is tagged corals, 61 glaciers."""
RARE = 7
"""Papers with a further tag that is too rare to be measured."""
BOTH = (101, 102, 103)
"""Violins that are tagged meteors too."""
DIM = 16


def tags_of(paper: int) -> tuple[str, ...]:
    """The tags of a paper, 1 to :data:`PAPERS`."""
    own = NAMES[int(np.searchsorted(np.cumsum(SIZES), paper - 1, side="right"))]
    more = ("meteors",) if paper in BOTH else ()
    return (own, *more, *(("rare",) if paper <= RARE else ()))


def vectors(noise: float, seed: int = 1) -> NDArray[np.float32]:
    """Unit vectors (n, d): a centre for each tag and noise around it."""
    rng = np.random.default_rng(seed)
    centres = np.eye(len(NAMES), DIM)
    place = np.repeat(np.arange(len(NAMES)), SIZES)
    place[[paper - 1 for paper in STRAYS]] = NAMES.index("violins")
    made = centres[place] + noise * rng.normal(size=(PAPERS, DIM))
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made.astype(np.float32)


def make(folder: Path, *, noise: float = 0.12) -> None:
    """Make the library, with vectors of the active model."""
    with Library.open(folder) as library:
        papers = [
            bulk.NewPaper(
                paper,
                f"key{paper}",
                PaperDraft(
                    title=f"Paper {paper}",
                    venue=f"Proceedings of the {paper}th Meeting on Water {2000 + paper % 9}",
                    fields=(tags_of(paper)[0], "water"),
                    tags=tags_of(paper),
                ),
            )
            for paper in range(1, PAPERS + 1)
        ]
        with library.database.write() as conn:
            bulk.insert_papers(conn, papers)
        write_vectors(library, vectors(noise))


def write_vectors(library: Library, matrix: NDArray[np.float32], version: str = "") -> str:
    """Store planted vectors, widened to what the model has, of another version where one is named.

    Returns:
        The version.
    """
    card = library.models.active()
    if version:
        card = replace(card, version=version, name=version, source="folder")
    library.models.register(card)
    wide = np.zeros((len(matrix), card.dim), dtype=np.float32)
    wide[:, : matrix.shape[1]] = matrix
    library.vector_store.write(
        card.version, range(1, len(matrix) + 1), wide, [b"x" * 16] * len(matrix), "torch/test"
    )
    return card.version
