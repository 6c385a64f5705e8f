"""Titles with their own abstracts, for libraries without links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples.assembling import Draft, assembled
from litscape_trainer.examples.kinds import OWN_ABSTRACT

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet, Wanted


class Text:
    """Titles with their own abstracts."""

    name = "text"
    title = "Titles and abstracts"
    about = "Near to a title is the abstract of the same paper; far are those of a batch's others."

    def build(
        self,
        material: TrainingMaterial,
        recipe: Wanted,
        seed: int,
        epoch: int = 0,
        ctx: JobContext | None = None,
    ) -> ExampleSet:
        """See :class:`~.records.ExampleBuilder`; each paper with both gives one example."""
        titled = np.array([bool(one) for one in material.titles], dtype=np.bool_)
        told = np.array([bool(one) for one in material.abstracts], dtype=np.bool_)
        papers = np.flatnonzero(titled & told).astype(np.int32)
        draft = Draft.of_pairs(papers, papers, [OWN_ABSTRACT])
        draft.sides = ("title", "abstract")
        draft.drop(
            "no abstract", int(np.count_nonzero(~told)), "{n} papers are left out: no abstract."
        )
        draft.drop(
            "no title",
            int(np.count_nonzero(told & ~titled)),
            "{n} papers are left out: no title.",
        )
        return assembled(self.name, material, draft)
