"""Works outside the library that the papers most like some examples cite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.cited import first_author
from litscape.graph.missing import MissingWork
from litscape.graph.outside import name_of_work
from litscape.search import profile as profiles
from litscape.store.link_reads import representatives

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.alike.ground import Ground, Values
    from litscape.alike.ranking import Ranked, Words
    from litscape.graph.model import CitationGraph

VOTERS = 100
OWN = 0.5
"""What it counts for that an example itself cites a work, against all votes."""
WORDS = 0.3
"""What the words of a work's title count for against all votes."""
LOOKED_AT = 500


@dataclass(frozen=True, slots=True)
class OutsideHit:
    """A work that is not in the library, and why it would fit.

    Attributes:
        work: what references say of it, and the papers of the library that cite it.
        score: higher is better; comparable within one answer.
        why: short reasons, the most telling first.
    """

    work: MissingWork
    score: float
    why: tuple[str, ...]

    @property
    def title(self) -> str:
        """What it is called."""
        return name_of_work(self.work.reference)


def outside(
    conn: sa.Connection,
    ground: Ground,
    ranked: Ranked,
    words: Words,
    graph: CitationGraph,
    k: int,
    years: tuple[int | None, int | None],
) -> tuple[OutsideHit, ...]:
    """The works that fit best.

    The best candidates vote for what they cite, each by how similar it is; that an example cites a
    work, and the words of its title, count besides.

    Args:
        conn: a connection.
        ground: what was asked for.
        ranked: candidates in the library.
        words: what the examples are about.
        graph: who cites what.
        k: how many.
        years: only works dated after the first and before the second, where they are given.
    """
    links, size = ground.links, ground.links.work_count
    best = ranked.order()[:VOTERS]
    voters, weights = ranked.numbers[best].astype(np.int32), np.maximum(ranked.total[best], 0)
    shares, numbers = _votes(links.works.gather(voters), weights, size)
    seeds = ground.liked.numbers
    of_seeds, _ = _votes(links.works.gather(seeds), np.ones(len(seeds)), size)
    score = shares + OWN * of_seeds
    chosen = np.flatnonzero((score > 0) & _dated(graph, years))
    chosen = chosen[np.argsort(-score[chosen], kind="stable")[: max(LOOKED_AT, k)]]
    works = _read(conn, graph, chosen)
    found = []
    for column, work in works.items():
        fit = profiles.fit(words.profile, work.reference.title or work.reference.raw or "")
        why = []
        if of_seeds[column]:
            why.append("cited by it" if ground.liked.size == 1 else "cited by one of them")
        if numbers[column]:
            n = int(numbers[column])
            them = "it" if ground.liked.size == 1 else "them"
            why.append(f"cited by {n} paper{'s' if n > 1 else ''} like {them}")
        why.append(f"cited by {len(work.cited_by)} in the library")
        found.append(OutsideHit(work, float(score[column]) + WORDS * max(0.0, fit), tuple(why)))
    found.sort(key=lambda hit: (-hit.score, hit.title))
    return tuple(found[:k])


def _votes(
    lists: tuple[NDArray[np.int32], NDArray[np.int64]], weights: Values, size: int
) -> tuple[Values, NDArray[np.int64]]:
    """The share of the votes of each work, (size,), and how many voters cite it."""
    cited, counts = lists
    total = float(weights.sum()) or 1.0
    shares = np.bincount(cited, np.repeat(weights / total, counts), minlength=size)
    return shares.astype(np.float64), np.bincount(cited, minlength=size)


def _dated(graph: CitationGraph, years: tuple[int | None, int | None]) -> NDArray[np.bool_]:
    after, before = years
    found = np.ones(len(graph.work_years), dtype=bool)
    if after is not None:
        found &= (graph.work_years > after) & (graph.work_years < 10_000)
    if before is not None:
        found &= graph.work_years < before
    return found


def _read(
    conn: sa.Connection, graph: CitationGraph, columns: NDArray[np.int64]
) -> Mapping[int, MissingWork]:
    """What works are, by their column, in the order given."""
    cited_by = {column: graph.works_cited_by.row(column) for column in columns.tolist()}
    papers = np.unique(np.concatenate([*cited_by.values(), columns[:0].astype(np.int32)]))
    numbers = graph.outside.numbers[np.isin(graph.outside.columns, columns)]
    read = representatives(conn, numbers.tolist(), graph.ids[papers].tolist())
    found: dict[int, MissingWork] = {}
    of_numbers = graph.outside.columns_of(np.array(list(read), dtype=np.int64)).tolist()
    references: dict[int, list[int]] = {}
    for number, column in zip(read, of_numbers, strict=True):
        references.setdefault(column, []).append(number)
    for column, citing in cited_by.items():
        if column in references:
            # Of the names of one work, one that has a title.
            best = max(references[column], key=lambda one: bool(read[one].title))
            reference = read[best]
            author = first_author(reference.raw, reference.extra)
            found[column] = MissingWork(tuple(graph.ids[citing].tolist()), reference, author)
    return found
