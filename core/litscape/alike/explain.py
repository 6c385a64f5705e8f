"""Why one hit is like the examples, told at length: for the hit that is looked at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from litscape.alike.paths import chain
from litscape.alike.weights import labels
from litscape.graph.outside import name_of_work
from litscape.search.reasons import Terms, shared_terms
from litscape.store import lexical
from litscape.store.alike_reads import authors_of, common_groups, written_names
from litscape.store.link_reads import references_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.alike.ground import Ground
    from litscape.alike.ranking import Words
    from litscape.graph.model import CitationGraph
    from litscape.index.base import Vectors
    from litscape.paper import PaperId
    from litscape.search.hits import SearchHit
    from litscape.search.reasons import Counts
    from litscape.store.lexical import Text

_ENDS = re.compile(r"(?<=[.!?])[\s]+(?=[\"“(\[]?[^\W_a-z])|(?<=[。！？])")
MOST_NAMED = 6
"""Shared references, authors and groups that are named."""


@dataclass(frozen=True, slots=True)
class SharedWork:
    """A work that an example and the hit both cite; ``paper_id`` where it is in the library."""

    name: str
    paper_id: PaperId | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """What speaks for a hit.

    Attributes:
        paper_id: the hit.
        sentence: the sentence of its abstract that fits best, None without abstract.
        by: whether meaning or words chose the sentence.
        terms: words and phrases shared, the most telling first.
        references: works that both cite, those in the library first.
        more_references: how many more they share.
        path: papers of which each cites the next, from an example to the hit or the other way
            round; empty where no three links lead there.
        cocited_by: a paper that cites the hit and an example.
        cocitations: how many papers do.
        authors: names shared.
        groups: collections and tags shared.
        shares: what each signal adds, by its label, as shares that sum to 1.
    """

    paper_id: PaperId
    sentence: str | None
    by: Literal["meaning", "words"]
    terms: tuple[str, ...]
    references: tuple[SharedWork, ...]
    more_references: int
    path: tuple[PaperId, ...]
    cocited_by: PaperId | None
    cocitations: int
    authors: tuple[str, ...]
    groups: tuple[str, ...]
    shares: tuple[tuple[str, float], ...]


def explain(
    ground: Ground,
    hit: SearchHit,
    words: Words,
    graph: CitationGraph,
    counts_of: Counts,
    papers: int,
    encode: Callable[[Sequence[str]], Vectors] | None,
    vector: Vectors | None,
) -> Explanation:
    """Explain a hit.

    Args:
        ground: what was asked for.
        hit: what was found.
        words: what the examples are about.
        graph: who cites whom, with what works outside are.
        counts_of: in how many papers words stand.
        papers: how many papers the library has.
        encode: from sentences to vectors; None: the sentence is chosen by words.
        vector: the direction sought, None where meaning is not known.
    """
    conn = ground.conn
    text = lexical.texts(conn, [hit.paper_id])[hit.paper_id]
    meant = encode is not None and vector is not None
    sentence = _sentence(text, words, encode if meant else None, vector)
    shared = shared_terms(Terms.of(ground.liked.texts), [text], counts_of, papers)[0]
    target = ground.links.numbers_of(np.array([hit.paper_id], dtype=np.int64))
    seeds = ground.liked.numbers
    references, more = _references(conn, ground, graph, target) if len(target) else ((), 0)
    citing, times = _cocited_by(ground, target)
    path = chain(ground.links, seeds, int(target[0])) if len(target) else ()
    seed_ids = ground.links.ids[seeds].tolist()
    return Explanation(
        paper_id=hit.paper_id,
        sentence=sentence,
        by="meaning" if meant else "words",
        terms=shared,
        references=references,
        more_references=more,
        path=tuple(ground.links.ids[list(path)].tolist()),
        cocited_by=citing,
        cocitations=times,
        authors=_authors(conn, seed_ids, hit.paper_id),
        groups=tuple(common_groups(conn, seed_ids, hit.paper_id)[:MOST_NAMED]),
        shares=shares(hit),
    )


def shares(hit: SearchHit) -> tuple[tuple[str, float], ...]:
    """What each signal adds to a hit's score, by its label, as shares; those below 0 left out."""
    named = labels()
    positive = [(named[name], value) for name, value in hit.parts if value > 0]
    total = sum(value for _label, value in positive)
    return tuple((label, value / total) for label, value in positive)


def sentences(abstract: str) -> list[str]:
    """The sentences of an abstract."""
    return [part.strip() for part in _ENDS.split(abstract) if part.strip()]


def _sentence(
    text: Text,
    words: Words,
    encode: Callable[[Sequence[str]], Vectors] | None,
    vector: Vectors | None,
) -> str | None:
    parts = sentences(text.abstract)
    if not parts:
        return None
    if encode is not None and vector is not None:
        return parts[int(np.argmax(encode(parts) @ vector))]
    return parts[int(np.argmax([words.fit_of(part) for part in parts]))]


def _references(
    conn: sa.Connection, ground: Ground, graph: CitationGraph, target: NDArray[np.int32]
) -> tuple[tuple[SharedWork, ...], int]:
    links, seeds = ground.links, ground.liked.numbers
    of_seeds = np.concatenate((links.out.gather(seeds)[0], ground.liked.cited))
    inside = np.intersect1d(of_seeds, links.out.row(int(target[0])))
    outside = np.intersect1d(links.works.gather(seeds)[0], links.works.row(int(target[0])))
    ids = links.ids[inside[:MOST_NAMED]].tolist()
    texts = lexical.texts(conn, ids)
    named = [SharedWork(texts[paper].title or "a paper without a title", paper) for paper in ids]
    named += _outside(conn, graph, int(links.ids[target[0]]), outside)[: MOST_NAMED - len(named)]
    return tuple(named), len(inside) + len(outside) - len(named)


def _outside(
    conn: sa.Connection, graph: CitationGraph, paper: PaperId, shared: NDArray[np.int32]
) -> list[SharedWork]:
    """The works outside the library that a paper shares, as its own list names them."""
    rows = [row for row in references_at(conn, paper) if row[1] is not None]
    columns = graph.outside.columns_of(np.array([row[1] for row in rows], dtype=np.int64))
    found: dict[int, SharedWork] = {}
    for column, (_place, _work, reference) in zip(columns.tolist(), rows, strict=True):
        if column in shared:
            found.setdefault(column, SharedWork(name_of_work(reference), None))
    return list(found.values())


def _cocited_by(ground: Ground, target: NDArray[np.int32]) -> tuple[PaperId | None, int]:
    links = ground.links
    if not len(target) or not len(ground.liked.numbers):
        return None, 0
    both = np.intersect1d(links.into.gather(ground.liked.numbers)[0], links.into.gather(target)[0])
    if not len(both):
        return None, 0
    # The one with the shortest list says most.
    return int(links.ids[both[np.argmin(links.lengths[both])]]), len(both)


def _authors(conn: sa.Connection, seeds: Sequence[PaperId], paper: PaperId) -> tuple[str, ...]:
    known = authors_of(conn, (*seeds, paper))
    theirs = set().union(*(known[seed] for seed in seeds if seed in known))
    names = [name for name in written_names(conn, paper) if name.casefold() in theirs]
    return tuple(names[:MOST_NAMED])
