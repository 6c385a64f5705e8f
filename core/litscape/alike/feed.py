"""New papers from outside, ranked by how close they are to examples: a feed for a collection."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.alike.drafts import known_as
from litscape.alike.seeds import cited_papers
from litscape.jobs import null_context
from litscape.search.reasons import Terms, shared_terms
from litscape.store.alike_reads import authors_of
from litscape.store.lexical import Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.alike.ground import Ground, Values
    from litscape.alike.ranking import Words
    from litscape.alike.seeds import Encode
    from litscape.index.base import Vectors
    from litscape.jobs import JobContext
    from litscape.paper import PaperDraft
    from litscape.search.reasons import Counts

BATCH = 16
"""Texts that are encoded in one go."""


@dataclass(frozen=True, slots=True)
class FeedHit:
    """A paper from outside.

    Attributes:
        draft: what is known of it.
        score: higher is better; comparable within one feed.
        similarity: cosine with the examples, None where meaning is not known.
        why: short reasons, the most telling first.
    """

    draft: PaperDraft
    score: float
    similarity: float | None
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Feed:
    """New papers, the closest first.

    Attributes:
        hits: those that are not in the library.
        known: how many of those looked at are there already.
        notes: what the reader should know.
    """

    hits: tuple[FeedHit, ...]
    known: int = 0
    notes: tuple[str, ...] = ()


def new_ones(conn: sa.Connection, drafts: Sequence[PaperDraft]) -> tuple[list[PaperDraft], int]:
    """The records that the library has not, each once, and how many it has."""
    new: dict[object, PaperDraft] = {}
    known = 0
    for draft in drafts:
        if known_as(conn, draft) is not None:
            known += 1
        else:
            new.setdefault(draft.doi or draft.arxiv or (draft.title or "").casefold(), draft)
    return list(new.values()), known


def encoded(drafts: Sequence[PaperDraft], encode: Encode, ctx: JobContext | None = None) -> Vectors:
    """(n, d) vectors of records, batch by batch.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    parts = []
    for start in range(0, len(drafts), BATCH):
        ctx.progress(start, len(drafts), "Reading new papers")
        parts.append(encode([(one.title, one.abstract) for one in drafts[start : start + BATCH]]))
    return np.concatenate(parts)


def rank_drafts(
    ground: Ground,
    words: Words,
    drafts: Sequence[PaperDraft],
    cosines: Values,
    weights: Mapping[str, float],
    k: int,
    counts_of: Counts,
    papers: int,
) -> tuple[FeedHit, ...]:
    """The closest records.

    Args:
        ground: what to be close to.
        words: what that is about.
        drafts: what to rank.
        cosines: (n,) with the direction sought; NaN where it is not known.
        weights: what each signal counts for.
        k: how many.
        counts_of: in how many papers words stand.
        papers: how many papers the library has.
    """
    links, liked = ground.links, ground.liked
    names = set().union(*authors_of(ground.conn, links.ids[liked.numbers].tolist()).values())
    known = ~np.isnan(ground.cosines)
    above = np.where(known, ground.cosines, 0.0)
    if known.any():
        above[known] -= above[known].mean()
    references = np.unique(links.out.gather(liked.numbers)[0])
    hits = []
    for draft, meant in zip(drafts, cosines.tolist(), strict=True):
        cosine = None if np.isnan(meant) else meant
        cited = links.numbers_of(np.array(cited_papers(ground.conn, draft), dtype=np.int64))
        of_them = len(np.intersect1d(cited, liked.numbers))
        values = {
            "vector": cosine or 0.0,
            "lexical": words.fit_of(f"{draft.title or ''} {draft.abstract or ''}"),
            "smoothed": float(above[cited].sum()) / (len(cited) + 1),
            "direct": min(1.0, of_them / max(1, liked.size) ** 0.5),
            "coupling": _share(cited, references),
            "author": float(any(one.display.casefold() in names for one in draft.authors)),
        }
        score = sum(weights[name] * value for name, value in values.items())
        hits.append(FeedHit(draft, score, cosine, _why(values, draft, names, of_them, cosine)))
    hits.sort(key=lambda hit: (-hit.score, hit.draft.title or ""))
    return _with_terms(ground, hits[:k], counts_of, papers)


def _with_terms(
    ground: Ground, hits: Sequence[FeedHit], counts_of: Counts, papers: int
) -> tuple[FeedHit, ...]:
    """Hits with the words that they share with the examples among their reasons."""
    texts = [Text(one.draft.title or "", one.draft.abstract or "", "") for one in hits]
    shared = shared_terms(Terms.of(ground.liked.texts), texts, counts_of, papers)
    found = []
    for hit, terms in zip(hits, shared, strict=True):
        said = (f"shared words: {', '.join(terms)}",) if terms else ()
        place = len(hit.why) - (hit.similarity is not None)
        found.append(replace(hit, why=(*hit.why[:place], *said, *hit.why[place:])))
    return tuple(found)


def _share(cited: NDArray[np.int32], references: NDArray[np.int32]) -> float:
    shared = len(np.intersect1d(cited, references))
    return float(shared / (np.sqrt(len(cited) * max(1, len(references))) + 1))


def _why(
    values: Mapping[str, float],
    draft: PaperDraft,
    names: set[str],
    cites: int,
    cosine: float | None,
) -> tuple[str, ...]:
    why = [f"cites {cites} of them"] if cites else []
    if not cites and values["coupling"]:
        why.append("cites what they cite")
    if values["author"]:
        by = next(one.display for one in draft.authors if one.display.casefold() in names)
        why.append(f"by {by}")
    if cosine is not None:
        why.append(f"meaning {cosine:.2f}")
    return tuple(why)
