"""A small library with a subject for every tenth paper, citations inside subjects, and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.library import Library
from litscape.paper import PaperDraft
from litscape.store import bulk

if TYPE_CHECKING:
    from pathlib import Path

SUBJECTS = (
    "coral", "glacier", "violin", "harbour", "meteor", "orchid", "turbine", "falcon", "cipher",
    "vineyard",
)  # fmt: skip
PAPERS = 600
FIRST_YEAR = 2000


def subject(paper: int) -> str:
    """The word that papers of one subject share."""
    return SUBJECTS[paper % len(SUBJECTS)]


def draft(paper: int) -> PaperDraft:
    """A paper whose title and abstract say its subject, the abstract among other words."""
    word, other = subject(paper), subject(paper * 7 + 3)
    own = f"mark{paper:03d}"
    return PaperDraft(
        title=f"{word} {own} studies",
        abstract=(
            f"We look at {word} and {own} in the field, with methods that are told at length so "
            f"that the text is long enough to be searched, {word} again, and here and there at "
            f"{other}. What was found of {own} is compared with what others have said about it."
        ),
        year=FIRST_YEAR + paper // 60,
        keywords=(f"hidden{paper // 2}", word),
    )


def links(papers: int = PAPERS) -> list[tuple[int, int]]:
    """Each paper cites up to four older ones of its subject."""
    size = len(SUBJECTS)
    return [(p, c) for p in range(1, papers + 1) for c in range(p - size, 0, -size)[:4]]


def make(folder: Path, *, vectors: bool = True, papers: int = PAPERS) -> None:
    """Make the library; one of other than 600 papers has no vectors."""
    with Library.open(folder) as library:
        with library.database.write() as conn:
            bulk.insert_papers(
                conn,
                [bulk.NewPaper(p, f"key{p}", draft(p)) for p in range(1, papers + 1)],
            )
            bulk.insert_citations(conn, [(a, b, "made") for a, b in sorted(links(papers))])
        if vectors:
            card = library.models.active()
            library.models.register(card)
            rng = np.random.default_rng(1)
            axes = rng.standard_normal((len(SUBJECTS), card.dim))
            matrix = np.array(
                [axes[p % len(SUBJECTS)] + rng.standard_normal(card.dim) for p in
                 range(1, PAPERS + 1)]
            )  # fmt: skip
            matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
            marks = [bytes([p % 256]) * 16 for p in range(1, PAPERS + 1)]
            library.vector_store.write(
                card.version,
                range(1, PAPERS + 1),
                matrix.astype(np.float32),
                marks,
                "torch/made",
            )
