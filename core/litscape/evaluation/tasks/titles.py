"""Known-item search: from a title to the paper, of which nothing but the abstract is known."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from litscape.evaluation.records import Question
from litscape.evaluation.tasks.base import Prepared, Task, drawn, halves
from litscape.store import measuring

if TYPE_CHECKING:
    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Wanted
    from litscape.library import Library

MOST_DOCUMENTS = 5000
"""Abstracts are embedded for this, which takes a minute a thousand: of a larger library a draw."""
SHORTEST = 200
"""Letters that an abstract has at least."""
LEAST = 100


class TitleSearch(Task):
    """Titles look for abstracts: what is looked for stands there in other words."""

    name: ClassVar[str] = "titles"
    title: ClassVar[str] = "By title"
    about: ClassVar[str] = (
        "Given a title, find its paper among papers of which search knows nothing but the abstract."
    )
    things: ClassVar[str] = "papers looked for"
    of_papers: ClassVar[bool] = False
    least: ClassVar[int] = LEAST

    def prepare(self, _library: Library, material: Material, wanted: Wanted) -> Prepared:
        """Half the papers as queries for choosing, the other half for the final figure."""
        there = [p for p, text in sorted(material.texts.items()) if len(text.abstract) >= SHORTEST]
        documents = drawn(there, MOST_DOCUMENTS, wanted.seed)
        titled = [p for p in documents if len(material.texts[p].title.split()) > 1]
        candidates = np.array(documents, dtype=np.int64)
        inside = set(documents)
        questions = tuple(
            Question(
                material.texts[paper].title,
                None,
                candidates,
                dict.fromkeys(sorted({paper, *material.twins(paper)} & inside), 1),
            )
            for paper in halves(titled, wanted)
        )
        self.enough(len(questions), "Papers need a title and an abstract.")

        notes: tuple[str, ...] = ()
        if len(there) > len(documents):
            notes = (f"Over {len(documents):,} papers drawn from {len(there):,} with abstracts.",)
        split = "by paper: half of them to choose by, the other half for the test"
        change = partial(measuring.only_abstracts, papers=inside)
        return Prepared(questions, split, change, same_texts=False, notes=notes)
