"""Topics of a scope, computed: from vectors to rows that can be stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import NotReadyError, UserError
from litscape.store import topics as store
from litscape.store.bulk import now
from litscape.topics import density, leiden
from litscape.topics.acts import free
from litscape.topics.matching import STILL_CALLED_SO, matched
from litscape.topics.parting import Node, name_nodes, nodes_of
from litscape.topics.reading import former, parted_papers
from litscape.topics.records import ALL_PAPERS, METHODS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.records import MapScope
    from litscape.topics.naming import Name
    from litscape.topics.records import Method

LEAST_PAPERS = 10
"""Papers with a vector that it takes to find topics among them."""
_MANY = 0.5


def make(
    library: Library, scope: MapScope, version: str, method: Method, seed: int, ctx: JobContext
) -> store.TreeRow:
    """Find the topics of a scope; what stood there before gives names and colours.

    Raises:
        UserError: no such method, no or too few papers, or all have the same vector.
        NotReadyError: no paper has a vector.
        JobCancelledError: ``ctx`` was cancelled.
    """
    if method not in METHODS:
        raise UserError(f"Topics can't be found by {method!r}; use {' or '.join(METHODS)}.")
    with library.database.read() as conn:
        live = store.live_ids(conn)
        papers = live if scope.ids is None else np.intersect1d(live, np.array(scope.ids, np.int64))
        before = former(conn, scope, papers)
    matrix, ids = _vectors(library, version, papers)
    _need(scope, len(papers), matrix)
    ctx.check()
    ids, found = _parted(library, scope, version, method, (ids, matrix), seed, ctx)
    nodes = nodes_of(ids, found)
    if not nodes:
        raise UserError(
            f"{_told(scope)} can't be parted into topics by {method}: no two groups of papers "
            "stand apart. Use the other method."
        )
    names = name_nodes(library.database, nodes, ctx)
    rows = rows_of(nodes, names, before, ids)
    inside = np.concatenate([row.members for row in rows])
    rest = np.setdiff1d(papers, inside)
    return store.TreeRow(
        key=0,
        scope=scope.title,
        model=version,
        method=method,
        seed=seed,
        made_at=now(),
        rest=rest,
        told={
            "sentence": _sentence(len(papers), np.isin(papers, ids), len(rest), method),
            "bare": np.setdiff1d(papers, ids).tolist(),
            "whole": scope.ids is None,
        },
        topics=tuple(rows),
    )


def _parted(
    library: Library,
    scope: MapScope,
    version: str,
    method: Method,
    vectors: tuple[NDArray[np.int64], NDArray[np.float32]],
    seed: int,
    ctx: JobContext,
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """The part of each paper at each level, and which papers these are."""
    ids, matrix = vectors
    if method == "hdbscan":
        return ids, density.levels(matrix, seed, ctx)
    chosen = None if scope.ids is None else ids.tolist()
    graph = library.maps.neighbours(version, chosen, leiden.neighbours_for(len(ids)), ctx)
    return graph.ids, leiden.levels(graph, seed, ctx)


def _vectors(
    library: Library, version: str, papers: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    from litscape.maps.material import gather

    material = gather(library.vector_store.snapshot(version), papers)
    return material.matrix, material.ids


def _told(scope: MapScope) -> str:
    return "The library" if scope.title == ALL_PAPERS else f"“{scope.title}”"


def _need(scope: MapScope, papers: int, matrix: NDArray[np.float32]) -> None:
    """Refuse a scope in which no topics can be found.

    Raises:
        UserError: too few papers, or all vectors equal.
        NotReadyError: no vectors.
    """
    named = _told(scope)
    if not papers:
        raise UserError(f"{named} has no papers, so there are no topics to find.")
    if not len(matrix):
        raise NotReadyError(
            f"{named} has no vectors yet: compute similarity first, then find topics."
        )
    if len(matrix) < LEAST_PAPERS:
        number = "1 paper" if len(matrix) == 1 else f"{len(matrix)} papers"
        raise UserError(
            f"{named} has {number} with a vector; it takes at least {LEAST_PAPERS} to find topics."
        )
    if float(np.abs(matrix - matrix[0]).max()) < 1e-6:
        raise UserError(
            f"All {len(matrix):,} papers have the same vector, so that they can't be parted into "
            "topics; look whether they are copies of one paper."
        )


def _sentence(
    papers: int, has_vector: NDArray[np.bool_], rest: int, method: Method = "leiden"
) -> str:
    """How many papers have no topic, in per cent, and why; what would give them one."""
    said = _unassigned(papers, has_vector, rest)
    if method == "hdbscan" and rest > _MANY * papers:
        return f"{said} Leiden, the usual method, gives nearly all a topic."
    return said


def _unassigned(papers: int, has_vector: NDArray[np.bool_], rest: int) -> str:
    if not rest:
        return "Every paper has a topic."
    bare = int((~has_vector).sum())
    said = f"{rest / papers:.0%} of the papers ({rest:,} of {papers:,}) have no topic"
    if rest / papers < 0.01:
        said = f"Under 1% of the papers ({rest:,} of {papers:,}) have no topic"
    if not bare:
        return f"{said}: they lie between topics, or in groups of fewer than {leiden.LEAST}."
    if bare == rest:
        return f"{said}: they have no vector yet, or no text."
    return f"{said}: {bare:,} have no vector, the others lie between topics or in tiny groups."


def rows_of(
    nodes: Sequence[Node],
    names: Sequence[Name],
    before: store.TreeRow | None,
    looked_at: NDArray[np.int64],
) -> list[store.TopicRow]:
    """Topics as rows, with names and colours of the old ones that they are.

    Args:
        nodes: the topics, parents before their parts.
        names: what each is called by its terms.
        before: the tree that stood there before.
        looked_at: the papers that were parted, with those that got no topic.
    """
    both = np.intersect1d(looked_at, parted_papers(before)) if before is not None else looked_at
    own = [node.papers for node in nodes]
    members = list(own)
    for place, node in enumerate(nodes):
        if node.parent >= 0:
            members[node.parent] = np.setdiff1d(members[node.parent], own[place])
    rows = []
    for level in range(1 + max(node.level for node in nodes)):
        here = [place for place, node in enumerate(nodes) if node.level == level]
        old, papers = _old(before, level)
        same = matched([own[place] for place in here], papers, both)
        used = {old[other].colour for other, _share in same.values()}
        taken: set[str] = set()
        for number, place in sorted(enumerate(here), key=lambda one: one[0] not in same):
            name, edited, colour = names[place].name, False, -1
            if number in same:
                known, share = old[same[number][0]], same[number][1]
                colour = known.colour
                if known.edited or share >= STILL_CALLED_SO:
                    name, edited = known.name, known.edited
            if colour < 0:
                colour = next(free for free in range(len(used) + 1) if free not in used)
                used.add(colour)
            name = free(name, taken)
            taken.add(name.casefold())
            node = nodes[place]
            parent = node.parent if node.parent >= 0 else None
            rows.append(
                store.TopicRow(
                    place, parent, level, name, edited, colour, names[place].terms, members[place]
                )
            )
    return rows


def _old(
    before: store.TreeRow | None, level: int
) -> tuple[list[store.TopicRow], list[NDArray[np.int64]]]:
    """The topics of a level that stood there before, and the papers of each with its parts."""
    if before is None:
        return [], []
    papers = {topic.key: [topic.members] for topic in before.topics}
    for topic in sorted(before.topics, key=lambda one: -one.level):
        if topic.parent in papers:
            papers[topic.parent] += papers[topic.key]
    rows = [topic for topic in before.topics if topic.level == level]
    return rows, [np.unique(np.concatenate(papers[topic.key])) for topic in rows]
