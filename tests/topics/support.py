"""Libraries with vectors to find topics in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.library import Library
from litscape.paper import PaperDraft
from litscape.store.bulk import NewPaper, insert_papers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


def add_papers(
    library: Library, titles: Sequence[str | None], abstracts: Sequence[str | None] | None = None
) -> None:
    """Put in papers with the ids 1, 2, …"""
    texts = abstracts or [None] * len(titles)
    with library.database.write() as conn:
        insert_papers(
            conn,
            [
                NewPaper(n, f"p{n}", PaperDraft(title=title, abstract=text))
                for n, (title, text) in enumerate(zip(titles, texts, strict=True), 1)
            ],
        )


SUBJECTS = (
    ("river floods", "sediment", "catchment"),
    ("graph neural networks", "node classification", "message passing"),
    ("blood pressure", "hypertension", "calcium antagonists"),
    ("machine translation", "parallel corpora", "decoding"),
)
"""What planted papers are about: terms of each subject."""


def planted(folder: Path, n: int, *, noise: float = 0.25, extra: int = 0, seed: int = 1) -> Library:
    """A library of ``n`` papers with vectors, each about one of four subjects in turn.

    Args:
        folder: where.
        n: papers.
        extra: further papers without a vector.
    """
    library = Library.open(folder)
    titles, abstracts = zip(*(texts_of(paper) for paper in range(n + extra)), strict=True)
    add_papers(library, titles, abstracts)
    give_vectors(library, range(1, n + 1), vectors(n))
    return library


def texts_of(paper: int) -> tuple[str, str]:
    """Title and abstract of the paper of a place (from 0)."""
    first, second, third = SUBJECTS[paper % len(SUBJECTS)]
    half = second if paper // 4 % 2 else third
    return (
        f"A study of {first}: case {paper}",
        f"In this paper we propose a method for {first} with {half}. Results show {second}. "
        "© 2020 Elsevier Ltd. All rights reserved.",
    )


def vectors(n: int, seed: int = 1) -> NDArray[np.float32]:
    """Unit vectors (n, 384): a round cloud for each subject, all in the same eight directions."""
    rng = np.random.default_rng(seed)
    found = np.zeros((n, 384))
    found[:, 0] = 30
    found[np.arange(n), 1 + np.arange(n) % len(SUBJECTS)] = 12
    found[:, 5:13] = rng.standard_normal((n, 8))
    unit: NDArray[np.float64] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit.astype(np.float32)


def give_vectors(library: Library, papers: Sequence[int], matrix: NDArray[np.float32]) -> None:
    """Store vectors of the active model as if it had made them."""
    card = library.models.active()
    library.models.register(card)
    marks = [int(paper).to_bytes(16, "little") for paper in papers]
    library.vector_store.write(card.version, list(papers), matrix, marks, "torch/made")
