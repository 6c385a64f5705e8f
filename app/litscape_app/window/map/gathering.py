"""What the map shows, read beside the window: a stored map, names, years, links, neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import NotReadyError, UserError
from litscape.maps.colouring import paper_years, times_cited, topics_of
from litscape.maps.ground import Ground, ground_of
from litscape_app.window.map.labels import Name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.facets.index import FacetIndex
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.records import Aligned, MapInfo, MapLayout, MapScope
    from litscape.paper import PaperId, PaperRow
    from litscape.topics.records import TopicTree

_MOST_LINKS = 4_000
_NEAREST = 8
_MOVERS = 60


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A map to be drawn.

    Attributes:
        scope: which papers.
        layout: the stored map; None where there is none yet.
        ids: papers, (n,) int64.
        xy: their places, (n, 2) float32: of the stored map, or a first picture by PCA.
        years: (n,) int32, 0 where there is none.
        cited: how often each is cited in the library, (n,) int64.
        names: of topics.
        ground: whose points lie where, by topic; None where there are no topics.
        topics: (t,) names, and of each paper the number of its own, (n,) int64, -1 for none.
        by: what to colour by, unless a person wants otherwise.
        unplaced: papers that have a vector by now and no place.
        joined: papers that came into the scope after its map was made.
        missing: why there is nothing to draw, or None.
        stored: all maps of the library.
        layouts: the names of the layouts there are.
    """

    scope: MapScope
    layout: MapLayout | None
    ids: NDArray[np.int64]
    xy: NDArray[np.float32]
    years: NDArray[np.int32]
    cited: NDArray[np.int64]
    names: tuple[Name, ...] = ()
    ground: Ground | None = None
    topics: tuple[tuple[str, ...], NDArray[np.int64]] = ((), np.empty(0, dtype=np.int64))
    by: str = "topic"
    unplaced: int = 0
    joined: int = 0
    missing: str | None = None
    stored: tuple[MapInfo, ...] = ()
    layouts: tuple[str, ...] = ()


def gather(
    library: Library, ctx: JobContext, scope: MapScope, layout: str | None, *, stays: bool = False
) -> Picture:
    """The newest stored map of some papers, or a first picture by PCA.

    Args:
        library: read from.
        ctx: asked between the steps whether to end.
        scope: which papers.
        layout: only a map of this layout; None for the newest of any.
        stays: whether a stored map serves though other papers are in the scope by now, as for a
            collection; else it is another scope, as for a search.
    """
    stored = _stored(library, scope, layout, stays=stays)
    ctx.check()
    missing: str | None = None
    if stored is not None:
        ids, xy = stored.ids, stored.xy
    else:
        ids, xy = np.empty(0, dtype=np.int64), np.empty((0, 2), dtype=np.float32)
        try:
            first = library.maps.first_picture(scope)
            ids, xy = first.ids, first.xy
        except (NotReadyError, UserError) as error:
            missing = str(error)
    ctx.check()
    index = library.facets.prepare(ctx)
    tree = topics_of(library, None if scope.ids is None else scope.title, ids)
    ground = ground_of(tree, ids, xy) if tree is not None else None
    ctx.check()
    return Picture(
        scope,
        stored,
        ids,
        xy,
        paper_years(index, ids),
        times_cited(library, ids),
        topic_names(tree, ground, xy) if tree is not None and ground is not None else (),
        ground,
        _topic_of(tree, ids) if tree is not None else ((), np.empty(0, dtype=np.int64)),
        "topic" if tree is not None else _telling(index, ids),
        _unplaced(library, stored) if stored is not None else 0,
        _joined(scope, stored) if stored is not None else 0,
        missing,
        library.maps.list(),
        library.maps.layouts(),
    )


def _telling(index: FacetIndex, ids: NDArray[np.int64]) -> str:
    """What tells papers apart where no topics are known."""
    mask = index.mask(ids)
    for by in ("collection", "tag", "venue"):
        if np.count_nonzero(index.facets[by].counts(mask) > 1) > 1:
            return by
    return "year" if index.facets["year"].counts(mask).any() else "none"


def _stored(
    library: Library, scope: MapScope, layout: str | None, *, stays: bool
) -> MapLayout | None:
    if scope.ids is None:
        return library.maps.latest(layout=layout)
    # A search or a selection of the same name may hold other papers by now.
    return library.maps.latest(scope.title, layout=layout, ids=None if stays else scope.ids)


def _unplaced(library: Library, layout: MapLayout) -> int:
    """Papers of a map's scope that could have a place by now."""
    if not layout.missing:
        return 0
    known = library.vector_store.snapshot(layout.version).ids
    wanted = library.papers.ids()
    if layout.scope.ids is not None:
        wanted = wanted[np.isin(wanted, np.array(layout.scope.ids, dtype=np.int64))]
    there = np.isin(wanted, known) & ~np.isin(wanted, layout.ids)
    return int(there.sum())


def _joined(scope: MapScope, layout: MapLayout) -> int:
    if scope.ids is None or layout.scope.ids is None:
        return 0
    return len(set(scope.ids) - set(layout.scope.ids))


# -- names ------------------------------------------------------------------------------------


def topic_names(tree: TopicTree, ground: Ground, xy: NDArray[np.float32]) -> tuple[Name, ...]:
    """The names of topics where most of their papers are."""
    names: list[Name] = []
    for topic in (topic for level in range(tree.levels) for topic in tree.at(level)):
        own = xy[ground.of(topic.id)]
        if len(own):
            place, level_of = ground.anchor_of(topic.id), (topic.level, topic.parent)
            names.append(Name(topic.id, topic.name, *place, _spread(own), len(own), *level_of))
    return tuple(names)


def _topic_of(tree: TopicTree, ids: NDArray[np.int64]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The names of the coarse topics, and which each paper has."""
    topics = tree.at(0)
    if not len(tree.ids):
        return (), np.full(len(ids), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(tree.ids, ids), len(tree.ids) - 1)
    labels = np.where(tree.ids[at] == ids, tree.labels(0)[at], -1)
    of = np.full(len(ids), -1, dtype=np.int64)
    for number, topic in enumerate(topics):
        of[labels == topic.id] = number
    return tuple(topic.name for topic in topics), of


def _spread(xy: NDArray[np.float32]) -> float:
    """How far most of some points reach."""
    low, high = np.percentile(xy, (5, 95), axis=0)
    return float(np.maximum(high - low, 1e-9).max())


# -- single papers ------------------------------------------------------------------------------


def rows_of(library: Library, ids: Sequence[PaperId]) -> dict[PaperId, PaperRow]:
    """Titles, authors and years of some papers."""
    return {row.id: row for row in library.papers.rows(ids)}


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Who cites whom.

    Attributes:
        pairs: ids, who cites before who is cited, (m, 2).
        left_out: links that are not among them, as there are too many.
    """

    pairs: NDArray[np.int64]
    left_out: int = 0


def links_of(
    library: Library, ids: tuple[PaperId, ...], shown: NDArray[np.int64], most: int = _MOST_LINKS
) -> Links:
    """Who of some papers cites whom, or is cited, among those shown.

    Of more than ``most`` those between two of the papers come first, then those to the most cited.
    """
    graph = library.citations.graph()
    wanted = np.array(ids, dtype=np.int64)
    at = np.minimum(np.searchsorted(graph.ids, wanted), max(0, len(graph.ids) - 1))
    if not len(graph.ids) or not len(wanted):
        return Links(np.empty((0, 2), dtype=np.int64))
    rows = at[graph.ids[at] == wanted].astype(np.int32)
    found = []
    for table, turned in ((graph.out, False), (graph.into, True)):
        others, lengths = table.gather(rows)
        own = np.repeat(graph.ids[rows], lengths)
        ends = (graph.ids[others], own) if turned else (own, graph.ids[others])
        found.append(np.column_stack(ends))
    pairs: NDArray[np.int64] = np.unique(np.concatenate(found), axis=0)
    pairs = pairs[np.isin(pairs, shown).all(axis=1)]
    if len(pairs) > most:
        inside = np.isin(pairs, wanted).all(axis=1)
        cited = graph.in_degrees()[np.searchsorted(graph.ids, pairs[:, 1])]
        pairs = pairs[np.lexsort((-cited, ~inside))]
    return Links(pairs[:most], max(0, len(pairs) - most))


def nearest_of(library: Library, paper: PaperId) -> NDArray[np.int64]:
    """The papers whose vectors are most like one's: pairs of it and each, (k, 2)."""
    snapshot = library.vectors()
    row = np.flatnonzero(snapshot.ids == paper)
    if not len(row) or len(snapshot.ids) < 2:
        return np.empty((0, 2), dtype=np.int64)
    vector = np.asarray(snapshot.matrix[row[0]], dtype=np.float32)
    cosines = np.asarray(snapshot.matrix @ vector)
    cosines[row[0]] = -np.inf
    most = min(_NEAREST, len(cosines) - 1)
    best = np.argpartition(-cosines, most - 1)[:most]
    others = snapshot.ids[best]
    return np.column_stack((np.full(len(others), paper), others))


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two stored maps laid over each other.

    Attributes:
        picture: the papers that both have, as they lie in the first.
        aligned: both places of each.
        names_after: the names of topics, in the order of the picture's, as they lie in the second.
        rows: the papers that moved most, the farthest first.
    """

    picture: Picture
    aligned: Aligned
    names_after: tuple[Name, ...]
    rows: tuple[PaperRow, ...]


def compared(library: Library, before: int, after: int, ctx: JobContext) -> Comparison:
    """Lay a stored map over another.

    Raises:
        UserError: they share too few papers, or one is not there.
    """
    first = library.maps.get(before)
    aligned = library.maps.align(first, library.maps.get(after))
    ctx.check()
    index = library.facets.prepare(ctx)
    scope = None if first.scope.ids is None else first.scope.title
    ids, xy = aligned.ids, aligned.before_xy
    tree = topics_of(library, scope, ids)
    picture = Picture(
        first.scope,
        first,
        ids,
        xy,
        paper_years(index, ids),
        times_cited(library, ids),
        topic_names(tree, ground_of(tree, ids, xy), xy) if tree is not None else (),
        None,  # the places of names are on their way between two maps
        _topic_of(tree, ids) if tree is not None else ((), np.empty(0, dtype=np.int64)),
        "topic" if tree is not None else _telling(index, ids),
        stored=library.maps.list(),
        layouts=library.maps.layouts(),
    )
    rows = library.papers.rows(aligned.movers[:_MOVERS].tolist())
    later = aligned.after_xy
    after_names = topic_names(tree, ground_of(tree, ids, later), later) if tree is not None else ()
    return Comparison(picture, aligned, after_names, tuple(rows))
