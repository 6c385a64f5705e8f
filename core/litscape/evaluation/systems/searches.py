"""The program's own search: by words (BM25), by meaning (vectors), and by both."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from litscape.evaluation.systems.base import Bench, Scores, System, only

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from litscape.evaluation.records import Question
    from litscape.search.hits import Mode

_NO_SYNTAX = re.compile(r"[^\w.,;?!%&/' -]|(?<!\w)-|\b(?:OR|AND|NOT)\b")


def plain(text: str) -> str:
    """A text without what the search box would read as anything but words."""
    return " ".join(_NO_SYNTAX.sub(" ", text).split())


class _Search(System):
    mode: ClassVar[Mode]

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        from litscape.search.searcher import Searcher

        library = bench.library
        self._searcher = Searcher(
            library.database,
            library.vector_store,
            library.models,
            self._vector,
            index_setting=library.settings.index_kind,
            fusion=library.settings.hybrid_fusion,
        )
        self._snapshot = library.vector_store.snapshot(library.models.active().version)
        self._rows = {paper: row for row, paper in enumerate(self._snapshot.ids.tolist())}
        self._known: NDArray[np.float32] | None = None

    def score(self, question: Question, k: int) -> Scores:
        """What the search box finds for the text."""
        # A paper's own vector is that of its text: no need to compute it again.
        row = None if question.paper is None else self._rows.get(question.paper)
        self._known = None if row is None else self._snapshot.matrix[row]
        found = self._searcher.search(plain(question.text), self.mode, k, only(question))
        return {hit.paper_id: hit.score for hit in found}

    def _vector(self, text: str) -> NDArray[np.float32]:
        return self.bench.encode(text) if self._known is None else self._known


class Words(_Search):
    """Search by words."""

    name: ClassVar[str] = "words"
    title: ClassVar[str] = "Words (BM25)"
    mode: ClassVar[Mode] = "lexical"


class Meaning(_Search):
    """Search by meaning."""

    name: ClassVar[str] = "meaning"
    title: ClassVar[str] = "Meaning (vectors)"
    needs_vectors: ClassVar[bool] = True
    mode: ClassVar[Mode] = "semantic"


class Hybrid(_Search):
    """Search by both."""

    name: ClassVar[str] = "hybrid"
    title: ClassVar[str] = "Both (hybrid)"
    needs_vectors: ClassVar[bool] = True
    mode: ClassVar[Mode] = "hybrid"
