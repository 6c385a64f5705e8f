"""What can be asked for: papers like some things and unlike others, within limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from litscape.search.hits import SearchResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from litscape.paper import PaperDraft, PaperFilter, PaperId


@dataclass(frozen=True, slots=True)
class Examples:
    """What papers can be like; all kinds may stand together.

    Attributes:
        papers: ids, citation keys or DOIs of papers of the library.
        texts: pasted texts, each an abstract, a title, or both.
        drafts: records that are not in the library, as a file or a look-up gives them.
        collections: ids of collections; all papers in one and below it count.
        flt: all papers that this filter lets through, as of a lasso or a saved search.
    """

    papers: tuple[PaperId | str, ...] = ()
    texts: tuple[str, ...] = ()
    drafts: tuple[PaperDraft, ...] = ()
    collections: tuple[int, ...] = ()
    flt: PaperFilter | None = None

    def __bool__(self) -> bool:
        return bool(
            self.papers or self.texts or self.drafts or self.collections or self.flt is not None
        )


@dataclass(frozen=True, slots=True)
class SimilarRequest:
    """Papers of the library like some examples and unlike others.

    Attributes:
        like: what hits should be like; at least one thing.
        unlike: what they should be unlike.
        k: how many.
        flt: which papers may be found; the live ones where None.
        newer_than: only papers dated after this year.
        older_than: only papers dated before this year.
        within: a query that hits must meet, such as ``is:unread -robots``.
        not_in: ids of collections; no paper in one, or below it, is found.
        without: papers that are not found, though they are no examples.
        diversity: 0 … 1: how much hits should differ from each other.
        weights: what each signal counts for, by name (:data:`litscape.alike.signals.SIGNALS`);
            those left out count as they do by default. The library's own weights where None.
        as_of: only links between papers dated up to this year count; all where None.
        text_only: of the examples only title and abstract are used: not their links, authors,
            collections or tags, as if they were new. So rankings are measured.
    """

    like: Examples
    unlike: Examples = field(default_factory=Examples)
    k: int = 20
    flt: PaperFilter | None = None
    newer_than: int | None = None
    older_than: int | None = None
    within: str = ""
    not_in: tuple[int, ...] = ()
    without: tuple[PaperId, ...] = ()
    diversity: float = 0.0
    weights: Mapping[str, float] | None = None
    as_of: int | None = None
    text_only: bool = False


@dataclass(frozen=True, slots=True)
class SimilarResult(SearchResult):
    """Hits in order, best first, and how they were ranked.

    Attributes:
        weights: what each signal counted for.
        learner: one sentence on how likes and dislikes were weighed.
        seeds: the papers of the library that hits were to be like, as far as they were named.
        against: those that they were to be unlike.
        outside: how many examples there were besides.
        remarks: of the notes, those that have nothing to do with how far vectors are: how limits
            were read, and that examples have no text.
        nothing: why there is no hit, one sentence; empty where there are some or nothing is alike.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    learner: str = ""
    seeds: tuple[PaperId, ...] = ()
    against: tuple[PaperId, ...] = ()
    outside: int = 0
    remarks: tuple[str, ...] = ()
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """All candidates of a request with what each signal says: for measuring and for learning.

    Attributes:
        ids: (n,) int64.
        signals: by name, (n,) float64; 0 where a signal says nothing.
        total: (n,) float64: the weighted sum by which hits are ranked (before diversity).
    """

    ids: NDArray[np.int64]
    signals: Mapping[str, NDArray[np.float64]]
    total: NDArray[np.float64]
