"""Citation re-ranking as in SciDocs (Cohan et al. 2020): up to 5 cited papers among 25 others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from litscape.evaluation.tasks.base import LinkTask, Prepared, drawn
from litscape.evaluation.tasks.citations import question

if TYPE_CHECKING:
    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Question, Wanted
    from litscape.library import Library

POSITIVES = 5
NEGATIVES = 25


class Reranking(LinkTask):
    """Easy, and soon at its ceiling; the same candidates for every ranking and in every run."""

    name: ClassVar[str] = "reranking"
    title: ClassVar[str] = "Cited or not"
    about: ClassVar[str] = (
        "Given the text of a paper, put up to 5 papers that it cites before 25 that it does not."
    )
    things: ClassVar[str] = "cited papers among others"
    told: ClassVar[str] = "nDCG@10"

    def prepare(self, _library: Library, material: Material, wanted: Wanted) -> Prepared:
        """Held-out citing papers, each with a short list."""
        split = self.split(material, wanted.held)
        linked: dict[int, set[int]] = {}
        for citing, cited in material.links.tolist():
            linked.setdefault(citing, set()).add(cited)
            linked.setdefault(cited, set()).add(citing)
        asked = (question(material, query) for query in self.part(split, wanted))
        short = (
            listed(one, linked.get(one.paper or 0, set()), wanted.seed)
            for one in asked
            if one is not None
        )
        questions = drawn([one for one in short if one is not None], wanted.most, wanted.seed)
        self.enough(len(questions), self.lack)
        return Prepared(questions, split.name, self.change(material, split))


def listed(whole: Question, linked: set[int], seed: int) -> Question | None:
    """The question with a short list of candidates; None where there are not enough papers.

    Args:
        whole: the question with all of its candidates.
        linked: papers linked with the question's, either way: they are no negatives.
        seed: of the draw.
    """
    # A generator a query: its candidates stay the same whatever other queries there are.
    rng = np.random.default_rng((seed, whole.paper or 0))
    positives = np.array(sorted(whole.relevant), dtype=np.int64)
    others = np.setdiff1d(whole.candidates, np.array(sorted(linked), dtype=np.int64))
    if len(others) < NEGATIVES:
        return None
    chosen = rng.choice(positives, min(POSITIVES, len(positives)), replace=False)
    candidates = np.sort(np.concatenate((chosen, rng.choice(others, NEGATIVES, replace=False))))
    relevant = dict.fromkeys(sorted(chosen.tolist()), 1)
    return replace(whole, candidates=candidates, relevant=relevant, listed=True)
