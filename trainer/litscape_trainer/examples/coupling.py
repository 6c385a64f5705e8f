"""Pairs of papers that share references, those to works outside the library among them.

Kessler (1963), "Bibliographic coupling between scientific papers", American Documentation 14(1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples.assembling import assembled
from litscape_trainer.examples.kinds import COUPLED
from litscape_trainer.examples.known import COUPLED as LEAST
from litscape_trainer.examples.strong_pairs import strong_pairs
from litscape_trainer.sampling.together import sharing

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet, Wanted

MOST = 500
"""A work that more papers cite says little of any two of them, and would take the longest."""


class Coupling:
    """Pairs of papers that share references."""

    name = "coupling"
    title = "Papers with shared references"
    about = "Near are papers that cite the same works; far are the other papers of a batch."

    def build(
        self,
        material: TrainingMaterial,
        recipe: Wanted,
        seed: int,
        epoch: int = 0,
        ctx: JobContext | None = None,
    ) -> ExampleSet:
        """See :class:`~.records.ExampleBuilder`; each anchor gives ``recipe.positives`` at most."""
        graph = material.graph
        if self.name not in material.kept:
            material.kept[self.name] = sharing(graph, MOST, ctx)
        lists = material.kept[self.name]
        draft, least = strong_pairs(material, lists, LEAST, COUPLED, recipe.positives, seed, epoch)
        times = f"at least {least}" if least > 1 else "one is enough, as few share more"
        if len(draft.anchors):
            draft.sentences.append(
                f"Pairs share references ({times}) and count by how strongly: a work that n papers "
                "cite adds 1 / (n - 1)."
            )
        cited = np.concatenate((graph.in_degrees(), graph.works_cited_by.lengths()))
        draft.drop(
            "cited by very many",
            int(np.count_nonzero(cited > MOST)),
            f"{{n}} works that more than {MOST} papers cite are not counted.",
        )
        draft.drop(
            "no shared references",
            len(material) - len(np.unique(draft.anchors)),
            "{n} papers share too few references with any: they are no anchors.",
        )
        return assembled(self.name, material, draft)
