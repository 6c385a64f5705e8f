"""Why a paper is like others, in short words for each hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.search.hits import SearchHit
from litscape.search.reasons import Terms, shared_terms
from litscape.store.coupling import cited_together, linked, shared_references

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from litscape.alike.ground import Ground, Values
    from litscape.alike.ranking import Ranked
    from litscape.paper import PaperId
    from litscape.search.reasons import Counts

_BESIDES = {
    "manuscripts": "cited together in your manuscripts",
    "related": "related in Zotero",
    "author": "same author",
    "collection": "same collection or tag",
}
"""What signals that say nothing of their own are called, the most telling first."""


def hits_of(
    ground: Ground,
    ranked: Ranked,
    places: NDArray[np.int64],
    weights: Mapping[str, float],
    counts_of: Counts,
    papers: int,
) -> tuple[SearchHit, ...]:
    """Some of the candidates as hits, with their reasons."""
    ids = ground.links.ids[ranked.numbers]
    chosen = ids[places].tolist()
    links = link_reasons(ground, chosen, dict(zip(ids.tolist(), ranked.voters, strict=True)))
    own = Terms.of(ground.liked.texts)
    shared = shared_terms(own, [ranked.texts[paper] for paper in chosen], counts_of, papers)
    words = _ranks(np.where(ranked.values["lexical"] > 0, ranked.values["lexical"], np.nan))
    cosines = ground.cosines[ranked.numbers]
    meaning = _ranks(cosines)
    hits = []
    for place, paper, terms in zip(places.tolist(), chosen, shared, strict=True):
        cosine = None if np.isnan(cosines[place]) else float(cosines[place])
        besides = [what for name, what in _BESIDES.items() if _says(ranked, name, place)]
        hits.append(
            SearchHit(
                paper_id=paper,
                score=float(ranked.total[place]),
                lexical_rank=words[place],
                semantic_rank=meaning[place],
                similarity=cosine,
                why=_why((*links[paper], *besides), terms, cosine),
                parts=_parts(ranked, weights, place),
            )
        )
    return tuple(hits)


def link_reasons(
    ground: Ground, hits: Sequence[PaperId], voters: Mapping[PaperId, int]
) -> dict[PaperId, tuple[str, ...]]:
    """What citations say of the hits: links to an example, shared references, co-citation."""
    seeds = ground.links.ids[ground.liked.numbers].tolist()
    conn, one = ground.conn, ground.liked.size == 1
    shared = shared_references(conn, seeds, hits) if seeds else {}
    together = cited_together(conn, seeds, hits) if seeds else {}
    cited, citing = linked(conn, seeds)
    cited |= set(ground.links.ids[ground.liked.cited].tolist())
    reasons: dict[PaperId, tuple[str, ...]] = {}
    for paper in hits:
        found = []
        if paper in cited:
            found.append("cited by it" if one else "cited by one of them")
        if paper in citing:
            found.append("cites it" if one else "cites one of them")
        number = shared.get(paper, 0)
        if number:
            found.append(f"{number} shared reference{'s' if number > 1 else ''}")
        if times := together.get(paper, 0):
            found.append(f"cited together by {times} paper{'s' if times > 1 else ''}")
        if voters.get(paper, 0) > 1:
            found.append(f"cited by {voters[paper]} papers like {'it' if one else 'them'}")
        reasons[paper] = tuple(found)
    return reasons


def _says(ranked: Ranked, name: str, place: int) -> bool:
    return name in ranked.values and bool(ranked.values[name][place] > 0)


def _parts(
    ranked: Ranked, weights: Mapping[str, float], place: int
) -> tuple[tuple[str, float], ...]:
    """What each signal adds to the score, the most first; those that add nothing are left out."""
    parts = [(name, weights[name] * float(found[place])) for name, found in ranked.values.items()]
    return tuple(sorted((part for part in parts if part[1]), key=lambda part: -part[1]))


def _ranks(values: Values) -> list[int | None]:
    """The rank of each value from 1, highest first; None for NaN."""
    known = np.flatnonzero(~np.isnan(values))
    ranks: list[int | None] = [None] * len(values)
    order = known[np.argsort(-values[known], kind="stable")]
    for rank, i in enumerate(order.tolist(), start=1):
        ranks[i] = rank
    return ranks


def _why(links: tuple[str, ...], words: tuple[str, ...], cosine: float | None) -> tuple[str, ...]:
    shared = (f"shared words: {', '.join(words)}",) if words else ()
    meaning = () if cosine is None else (f"meaning {cosine:.2f}",)
    return (*links, *shared, *meaning)
