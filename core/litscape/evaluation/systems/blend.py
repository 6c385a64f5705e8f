"""What the program shows as similar papers: every signal, weighed as by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from litscape.alike.request import Examples, SimilarRequest
from litscape.evaluation.systems.base import Scores, System, only
from litscape.paper import PaperFilter

if TYPE_CHECKING:
    from litscape.evaluation.records import Question

_DEEP = 500
"""Papers of a short list are looked for so far down among all papers first: there the links of
others count too."""


class Blend(System):
    """Papers like a paper of which title and abstract alone are known."""

    name: ClassVar[str] = "blend"
    title: ClassVar[str] = "Similar (blend)"
    needs_vectors: ClassVar[bool] = True
    needs_paper: ClassVar[bool] = True

    def score(self, question: Question, k: int) -> Scores:
        """Papers like the question's."""
        if not question.listed:
            return self._like(question, only(question), k)
        found = self._like(question, PaperFilter(year_to=question.year_to), _DEEP)
        listed = frozenset(question.candidates.tolist())
        among = {paper: score for paper, score in found.items() if paper in listed}
        if rest := listed - among.keys():
            among |= self._like(question, PaperFilter(ids=rest), len(listed))
        return among

    def _like(self, question: Question, flt: PaperFilter, k: int) -> Scores:
        if question.paper is None:
            return {}
        asked = SimilarRequest(Examples((question.paper,)), k=k, flt=flt, text_only=True)
        found = self.bench.library.searcher.alike.scored(asked)  # without reasons, which take long
        return dict(zip(found.ids[:k].tolist(), found.total[:k].tolist(), strict=True))
