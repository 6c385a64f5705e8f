"""A library whose papers lie in four groups, with years, tags, collections and citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.library import Library
from litscape.paper import Author, PaperDraft, Reference

if TYPE_CHECKING:
    from pathlib import Path

TAGS = ("corals", "glaciers", "violins", "meteors")
EACH = 20
PAPERS = EACH * len(TAGS)
WAIT_MS = 75_000
"""What a test waits for a window at most."""
LONE = 7
"""Papers 1 to 7 are of the corals and alone have that word in their titles."""


def group_of(paper: int) -> int:
    """The group of a paper, 1 to :data:`PAPERS`."""
    return (paper - 1) // EACH


def year_of(paper: int) -> int | None:
    """The year of a paper; the last of each group has none."""
    return None if paper % EACH == 0 else 1990 + (paper - 1) % EACH


def make(folder: Path, *, vectors: bool = True, mapped: bool = True) -> Path:
    """Make the library; with ``mapped``, with a map by PCA."""
    with Library.open(folder) as library:
        drafts = [
            PaperDraft(
                citekey=f"key{paper}",
                title=f"{'Reef' if paper <= LONE else 'Study'} {paper} of {TAGS[group_of(paper)]}",
                authors=(Author(family=f"Family{paper}", given="Given"),),
                year=year_of(paper),
                venue=f"Journal {group_of(paper)}",
                doi=f"10.1000/{paper}",
                tags=(TAGS[group_of(paper)],),
                # All of a group cite its first paper.
                references=()
                if paper % EACH == 1
                else (Reference(doi=f"10.1000/{group_of(paper) * EACH + 1}"),),
            )
            for paper in range(1, PAPERS + 1)
        ]
        library.imports.run_drafts(drafts, source="a list")
        first = library.papers.ids()[: EACH // 2].tolist()
        library.edit.add_to_collection(first, ["Half a group"])
        if vectors:
            write_vectors(library)
        if vectors and mapped:
            library.maps.make(layout="pca")
    return folder


def write_vectors(library: Library, papers: int = PAPERS) -> None:
    """Store vectors of the first papers: a centre for each group and noise around it."""
    card = library.models.active()
    library.models.register(card)
    rng = np.random.default_rng(1)
    made = np.zeros((PAPERS, card.dim), dtype=np.float32)
    made[np.arange(PAPERS), np.repeat(np.arange(len(TAGS)), EACH)] = 1
    made[:, :12] += 0.08 * rng.normal(size=(PAPERS, 12)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    ids = np.sort(library.papers.ids()).tolist()[:papers]
    library.vector_store.write(card.version, ids, made[:papers], [b"x" * 16] * papers, "torch/test")
