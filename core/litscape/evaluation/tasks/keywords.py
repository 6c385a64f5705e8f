"""Known-item search: from an author's keyword to the papers that have it and do not say it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from litscape.evaluation.records import Question
from litscape.evaluation.tasks.base import Prepared, Task, halves
from litscape.sorting import plain_letters
from litscape.store import measuring

if TYPE_CHECKING:
    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Wanted
    from litscape.library import Library
    from litscape.paper import PaperId

FEWEST, MOST = 2, 50
"""A keyword of so many papers names a subject, neither one paper nor a whole field."""
LEAST = 100
_WORD = re.compile(r"[^\W_]+")


class KeywordSearch(Task):
    """Keywords are hidden, and papers that have the words in their text are left out."""

    name: ClassVar[str] = "keywords"
    title: ClassVar[str] = "By keyword"
    about: ClassVar[str] = (
        "Given a keyword that 2 to 50 papers have, find those of them that do not say it in title "
        "or abstract; keywords are hidden."
    )
    things: ClassVar[str] = "papers with the keyword"
    of_papers: ClassVar[bool] = False
    least: ClassVar[int] = LEAST

    def prepare(self, library: Library, material: Material, wanted: Wanted) -> Prepared:
        """Half the keywords as queries for choosing, the other half for the final figure."""
        with library.database.read() as conn:
            rows = measuring.keywords(conn)
        papers: dict[str, set[PaperId]] = {}
        written: dict[str, str] = {}
        for term, paper in rows:
            if key := _run(term):
                papers.setdefault(key, set()).add(paper)
                written.setdefault(key, term)
        texts = {paper: f" {_run(text.prose)} " for paper, text in material.texts.items()}
        found = []
        for key, having in sorted(papers.items()):
            if FEWEST <= len(having) <= MOST:
                saying = {paper for paper in having if f" {key} " in texts[paper]}
                if silent := having - saying:
                    found.append((written[key], silent, saying))
        questions = tuple(
            Question(
                term,
                None,
                np.setdiff1d(material.ids, np.array(sorted(saying), dtype=np.int64)),
                dict.fromkeys(sorted(silent), 1),
            )
            for term, silent, saying in halves(found, wanted)
        )
        self.enough(len(questions), "Papers need keywords that several of them share.")
        split = "by keyword: half of them to choose by, the other half for the test"
        return Prepared(questions, split, measuring.without_keywords)


def _run(text: str) -> str:
    """The words of a text in plain small letters, parted by blanks."""
    return " ".join(_WORD.findall(plain_letters(text).lower()))
