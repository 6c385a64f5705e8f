"""What a search gives back: hits with their reasons, and how the query was understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.fulltext.records import Passage
    from litscape.paper import PaperId
    from litscape.store.lexical import Term

Mode = Literal["lexical", "semantic", "hybrid"]
MODES: tuple[Mode, ...] = ("lexical", "semantic", "hybrid")


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One paper found, and why.

    Attributes:
        paper_id: the paper.
        score: higher is better; only comparable within one result. 0 for all where nothing ranked
            the papers, as in a list of those of a year.
        lexical_rank: place among the hits by words, from 1; None where words did not find it.
        semantic_rank: place among the hits by meaning, from 1; None where meaning did not find it.
        similarity: cosine of its vector with the query's, None without vectors.
        why: short reasons for the screen, most telling first.
        partial: whether words found it by some of them alone.
        passage: where its PDF has what was asked for; None where that was not looked for, or is
            not there.
        parts: of similar papers, what each signal adds to the score, the most first.
    """

    paper_id: PaperId
    score: float
    lexical_rank: int | None = None
    semantic_rank: int | None = None
    similarity: float | None = None
    why: tuple[str, ...] = ()
    partial: bool = False
    passage: Passage | None = None
    parts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in order, best first; iterating or counting the result means its hits.

    Attributes:
        hits: the papers found.
        understood: the query as it was understood, in words.
        mode_used: what ranked the hits (less than asked for where vectors are missing).
        notes: what the reader should know, one sentence each.
        words: the words that papers were found by, as they were searched for.
    """

    hits: tuple[SearchHit, ...]
    understood: str
    mode_used: Mode
    notes: tuple[str, ...] = ()
    words: tuple[Term, ...] = ()

    def __iter__(self) -> Iterator[SearchHit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)
