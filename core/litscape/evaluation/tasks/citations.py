"""Citation retrieval: of its text alone, which papers of the whole library does a paper cite?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from litscape.evaluation.records import Question
from litscape.evaluation.tasks.base import LinkTask, Prepared, drawn

if TYPE_CHECKING:
    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Wanted
    from litscape.evaluation.splits import HeldOutPaper
    from litscape.library import Library


class CitationRetrieval(LinkTask):
    """The main figure: a ranking of all papers dated no later than the query."""

    name: ClassVar[str] = "citations"
    title: ClassVar[str] = "What a paper cites"
    about: ClassVar[str] = (
        "Given the text of a paper alone, find the papers that it cites among all that are dated "
        "no later."
    )
    things: ClassVar[str] = "cited papers"

    def prepare(self, _library: Library, material: Material, wanted: Wanted) -> Prepared:
        """Held-out citing papers as queries."""
        split = self.split(material, wanted.held)
        found = drawn(self.part(split, wanted), wanted.most, wanted.seed)
        questions = tuple(one for query in found if (one := question(material, query)) is not None)
        self.enough(len(questions), self.lack)
        return Prepared(questions, split.name, self.change(material, split))


def question(material: Material, query: HeldOutPaper) -> Question | None:
    """A held-out paper as a query; None where it has no text or cites nothing but its twins."""
    text = material.texts[query.paper].prose.strip()
    same = {query.paper, *material.twins(query.paper)}
    relevant = dict.fromkeys(sorted(query.relevant - same), 1)
    if not text or not relevant:
        return None
    dated = material.dated(query.year)
    candidates = dated[~np.isin(dated, np.array(sorted(same), dtype=np.int64))]
    return Question(text, query.paper, candidates, relevant, year_to=material.until(query.year))
