"""Pairs of papers that others cite together.

Small (1973), "Co-citation in the scientific literature", JASIS 24(4); as training pairs Hallee et
al. (2025), Scientific Reports, s41598-025-98185-8. A citing paper with n references adds
1 / (n - 1) to each pair; surveys are left out, as in their lists anything stands beside anything.
The citing papers are those that may be learnt from, so that pairs are parted by citing paper, never
by pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape_trainer.examples.assembling import assembled
from litscape_trainer.examples.kinds import COCITED
from litscape_trainer.examples.known import COCITED as LEAST
from litscape_trainer.examples.known import LONG_LIST
from litscape_trainer.examples.strong_pairs import strong_pairs
from litscape_trainer.sampling.together import cited_together

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet, Wanted


class Cocitation:
    """Pairs of papers that others cite together."""

    name = "cocitation"
    title = "Papers cited together"
    about = "Near are papers that others cite together; far are the other papers of a batch."

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
            material.kept[self.name] = cited_together(graph, LONG_LIST, ctx)
        lists = material.kept[self.name]
        draft, least = strong_pairs(material, lists, LEAST, COCITED, recipe.positives, seed, epoch)
        times = "at least twice" if least > 1 else "once is enough, as few are more often"
        if len(draft.anchors):
            draft.sentences.append(
                f"Pairs are cited together ({times}) and count by how strongly: a list of n "
                "references adds 1 / (n - 1)."
            )
        draft.drop(
            "survey",
            int(np.count_nonzero((graph.list_lengths > LONG_LIST) & (graph.out_degrees() > 1))),
            f"{{n}} papers with more than {LONG_LIST} references bring nothing together.",
        )
        draft.drop(
            "not cited together",
            len(material) - len(np.unique(draft.anchors)),
            "{n} papers are not cited together with any in that way: they are no anchors.",
        )
        return assembled(self.name, material, draft)
