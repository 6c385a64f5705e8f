"""What the program shows as similar papers: meaning, words and citations in one score."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from litscape.evaluation.systems.base import Scores, System, only
from litscape.paper import PaperFilter

if TYPE_CHECKING:
    from litscape.evaluation.records import Question

_DEEP = 500
"""Papers that are to be put in order are looked for so far down among all papers first: there the
links of others count too."""


class Blend(System):
    """Papers like a paper whose own links are not known."""

    name: ClassVar[str] = "blend"
    title: ClassVar[str] = "Similar papers (blend)"
    needs_vectors: ClassVar[bool] = True
    needs_paper: ClassVar[bool] = True

    def score(self, question: Question, k: int) -> Scores:
        """Papers like the question's."""
        if not question.listed:
            return self._like(question, only(question), k)
        found = self._like(question, PaperFilter(year_to=question.year_to), _DEEP)
        listed = frozenset(question.candidates.tolist())
        among = {paper: score for paper, score in found.items() if paper in listed}
        rest = self._like(question, PaperFilter(ids=listed - among.keys()), len(listed))
        return {**among, **rest}

    def _like(self, question: Question, flt: PaperFilter, k: int) -> Scores:
        if question.paper is None or flt.ids == frozenset():
            return {}
        found = self.bench.library.searcher.similar([question.paper], k, flt=flt)
        return {hit.paper_id: hit.score for hit in found}
