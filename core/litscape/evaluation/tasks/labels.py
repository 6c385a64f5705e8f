"""Same label: are the papers nearest to a paper those with its tags or in its collections?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from litscape.evaluation.metrics import PRIMARY
from litscape.evaluation.records import Question
from litscape.evaluation.tasks.base import Prepared, Task, TooFewError, halves
from litscape.store import measuring

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Wanted
    from litscape.library import Library
    from litscape.paper import PaperId

SMALLEST = 20
"""Papers of a label, at least."""
FEWEST = 3
"""Labels, at least: telling two apart says little."""
_MOST_SHARE = 0.5
"""A label of more of the labelled papers says nothing of a subject."""


class SameLabel(Task):
    """The agreement of neighbours in their labels, which are hidden."""

    name: ClassVar[str] = "labels"
    title: ClassVar[str] = "Same tag or collection"
    about: ClassVar[str] = (
        "Given the text of a paper, find the papers that share a tag or collection with it, of "
        f"those with {SMALLEST} papers or more; tags and collections are hidden."
    )
    things: ClassVar[str] = "papers of the same tag or collection"
    told: ClassVar[str] = PRIMARY

    def prepare(self, library: Library, material: Material, wanted: Wanted) -> Prepared:
        """Half the labelled papers as queries for choosing, the other half for the final figure."""
        with library.database.read() as conn:
            groups = measuring.labels(conn)
        labels = _telling(groups)
        if len(labels) < FEWEST:
            raise TooFewError(
                f"Too small to measure reliably: {len(labels)} tags and collections have "
                f"{SMALLEST} papers or more, and fewer than {FEWEST} say nothing. "
                "Sort more papers into collections, or tag them.",
                0,
            )
        of_paper: dict[PaperId, set[PaperId]] = {}
        for papers in labels.values():
            for paper in papers:
                of_paper.setdefault(paper, set()).update(papers)
        labelled = np.array(sorted(of_paper), dtype=np.int64)
        asked = [paper for paper in labelled.tolist() if material.texts[paper].prose.strip()]
        questions = tuple(
            self._question(material, labelled, paper, of_paper[paper])
            for paper in halves(asked, wanted)
        )
        self.enough(len(questions), "More papers need tags or collections.")
        split = (
            f"by paper, of {len(labels)} tags and collections: half to choose by, the other half "
            "for the test"
        )
        return Prepared(questions, split, measuring.without_labels)

    def _question(
        self,
        material: Material,
        labelled: np.ndarray[tuple[int], np.dtype[np.int64]],
        paper: PaperId,
        same: set[PaperId],
    ) -> Question:
        own = np.array([paper, *material.twins(paper)], dtype=np.int64)
        candidates = np.setdiff1d(labelled, own)
        relevant = dict.fromkeys(sorted(same - set(own.tolist())), 1)
        return Question(material.texts[paper].prose.strip(), paper, candidates, relevant)


def _telling(groups: Mapping[str, set[PaperId]]) -> dict[str, set[PaperId]]:
    """The labels that are large enough, and not of most of what is labelled."""
    large = {name: papers for name, papers in groups.items() if len(papers) >= SMALLEST}
    labelled = len(set().union(*large.values()))
    return {name: papers for name, papers in large.items() if len(papers) <= _MOST_SHARE * labelled}
