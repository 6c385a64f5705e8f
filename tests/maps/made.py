"""Libraries of made-up papers with chosen vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape import Library
from litscape.paper import PaperDraft
from litscape.store import bulk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

TOPICS = ("ponds", "walls", "birds")


def vectors(n: int, seed: int = 1, spread: float = 0.5) -> NDArray[np.float32]:
    """Unit vectors (n, 384) around one axis for each topic, in turn."""
    rng = np.random.default_rng(seed)
    axes = np.random.default_rng(0).standard_normal((len(TOPICS), 384))
    found = axes[np.arange(n) % len(TOPICS)] + spread * rng.standard_normal((n, 384))
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def make(
    folder: Path,
    n: int,
    matrix: NDArray[np.float32] | None = None,
    *,
    bare: Sequence[int] = (),
    textless: Sequence[int] = (),
) -> Library:
    """An open library of papers 1 … n; the first ones have the given vectors.

    Args:
        folder: where.
        n: papers.
        matrix: vectors (m, 384) of papers 1 … m.
        bare: papers without an abstract.
        textless: papers without title and abstract.
    """
    library = Library.open(folder)
    add(library, range(1, n + 1), bare=bare, textless=textless)
    if matrix is not None:
        embed(library, range(1, len(matrix) + 1), matrix)
    return library


def add(
    library: Library,
    papers: Sequence[int],
    *,
    bare: Sequence[int] = (),
    textless: Sequence[int] = (),
) -> None:
    """Write papers."""
    drafts = [
        bulk.NewPaper(
            p,
            f"key{p}",
            PaperDraft(
                title=None if p in textless else f"On {TOPICS[p % 3]}, part {p}",
                abstract=None if p in bare or p in textless else "What was seen there.",
            ),
        )
        for p in papers
    ]
    with library.database.write() as conn:
        bulk.insert_papers(conn, drafts)


def embed(library: Library, papers: Sequence[int], matrix: NDArray[np.float32]) -> None:
    """Store vectors of the active model as if it had made them."""
    card = library.models.active()
    library.models.register(card)
    marks = [p.to_bytes(16, "little") for p in papers]
    library.vector_store.write(card.version, list(papers), matrix, marks, "torch/made")
