"""All that an output needs of a map: places, colours, names of topics, and the papers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import UserError
from litscape.maps.colouring import BY, Asked, colouring, paper_years, times_cited, topics_of
from litscape.maps.ground import Ground, fitted, ground_of
from litscape.near import no_such
from litscape.store.map_papers import MapPaper, read_papers
from litscape_resources.palettes import PALETTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.colouring import Colouring
    from litscape.maps.records import MapLayout
    from litscape.topics.records import TopicTree

_LAYOUTS = {"umap": "UMAP", "tsne": "t-SNE", "pca": "PCA"}
NO_DISTANCES = "Near means similar in the model; distances between clusters prove nothing."
COLOURS = tuple(name for name in BY if name != "score")
"""What an exported map can be coloured by."""


@dataclass(frozen=True, slots=True)
class TopicName:
    """The name of a topic and where most of its papers are.

    Attributes:
        topic: its number.
        text: its name.
        x, y: in the unit square, y upwards.
        level: 0 for the coarsest.
        papers: how many it has on the map.
        parts: whether the next level parts it further.
        coarse: the number of the coarsest topic that it is in; its own at level 0.
    """

    topic: int
    text: str
    x: float
    y: float
    level: int
    papers: int
    parts: bool = False
    coarse: int = -1


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One map, ready to be written.

    Attributes:
        title: what a reader sees above it.
        about: how many papers, by which layout and model.
        caption: what the picture is, and what can't be read from it.
        note: what should be known of it; empty where there is nothing.
        ids: its papers, int64 (n,).
        places: as the map has them, float32 (n, 2).
        xy: the same in the unit square, both ways by the same factor, y upwards, float32 (n, 2).
        papers: what is known of each, in the same order.
        cited: how often each is cited in the library, int64 (n,).
        colours: by what they are coloured.
        names: of topics, coarse before fine, large before small.
        topics: (level, topic of each paper int64 (n,), -1 for none) for each level.
        topic_names: by topic.
        ground: whose points lie where, in ``xy``; None where there are no topics.
    """

    title: str
    about: str
    note: str
    ids: NDArray[np.int64]
    places: NDArray[np.float32]
    xy: NDArray[np.float32]
    papers: tuple[MapPaper, ...]
    cited: NDArray[np.int64]
    colours: Colouring
    names: tuple[TopicName, ...] = ()
    topics: tuple[NDArray[np.int64], ...] = ()
    topic_names: dict[int, str] | None = None
    ground: Ground | None = None
    caption: str = ""

    def colour(self, entry: int, *, dark: bool) -> str:
        """The colour of a line of the legend."""
        return self.colours.entries[entry].colour(PALETTES["dark" if dark else "light"])


def gather(
    library: Library, layout: MapLayout, by: str = "", ctx: JobContext | None = None
) -> Sheet:
    """Read what belongs to a stored map.

    Args:
        library: where it is from.
        layout: the map.
        by: what to colour by, of :data:`COLOURS`; topics where there are any, else years.
        ctx: asked between the steps whether to end.

    Raises:
        UserError: it can't be coloured by that, or the map has no papers.
        JobCancelledError: ``ctx`` asked for the end.
    """
    from litscape.jobs import null_context

    ctx = ctx or null_context()
    if not len(layout.ids):
        raise UserError("This map has no papers to write.")
    scope = None if layout.scope.ids is None else layout.scope.title
    tree = topics_of(library, scope, layout.ids)
    by = by or ("topic" if tree is not None else _without_topics(library, layout.ids))
    if by not in COLOURS:
        raise UserError(no_such("colouring", by, COLOURS))
    if by == "topic" and tree is None:
        raise UserError("No topics have been found yet: find them first, or colour by another.")
    ctx.progress(0, 3, "Reading papers")
    found, there = _papers(library, layout)
    ids = layout.ids[there]
    ctx.progress(1, 3, "Colouring papers")
    xy = unit(layout.xy[there])
    colours = colouring(library, Asked(by, ids, scope, xy=xy), ctx)
    ctx.progress(2, 3, "Placing names")
    ground = ground_of(tree, ids, xy) if tree is not None else None
    return Sheet(
        title=f"{library.folder.name}: {layout.scope.title}",
        about=_about(layout, len(ids)),
        note=" ".join(filter(None, (colours.note, layout.sentence))),
        ids=ids,
        places=layout.xy[there],
        xy=xy,
        papers=tuple(found[int(one)] for one in ids.tolist()),
        cited=times_cited(library, ids),
        colours=colours,
        names=topic_names(tree, ground) if tree is not None and ground is not None else (),
        topics=_topics(tree, ids) if tree is not None else (),
        topic_names={one.id: one.name for one in tree.topics} if tree is not None else {},
        ground=ground,
        caption=_caption(layout, len(ids)),
    )


def _without_topics(library: Library, ids: NDArray[np.int64]) -> str:
    """What to colour by where no topics are known: years, unless no paper has one."""
    years = paper_years(library.facets.prepare(), ids)
    return "year" if years.any() else "none"


def _papers(library: Library, layout: MapLayout) -> tuple[dict[int, MapPaper], NDArray[np.bool_]]:
    """What is known of a map's papers, and which of them are there."""
    with library.database.read() as conn:
        found = read_papers(conn, layout.ids.tolist())
    return found, np.array([int(one) in found for one in layout.ids.tolist()], dtype=bool)


def _about(layout: MapLayout, papers: int) -> str:
    number = "1 paper" if papers == 1 else f"{papers:,} papers"
    return f"{number}, {_LAYOUTS.get(layout.layout, layout.layout)} of {layout.version}"


def _caption(layout: MapLayout, papers: int) -> str:
    return f"{_about(layout, papers)}, seed {layout.seed}, {layout.made_at[:10]}. {NO_DISTANCES}"


def unit(xy: NDArray[np.float32]) -> NDArray[np.float32]:
    """Places moved and scaled into the unit square, in its middle, both ways by one factor.

    A few far strays lie outside of it.
    """
    left, bottom, right, top = fitted(xy)
    size = max(right - left, top - bottom) or 1.0
    middle = np.array([(left + right) / 2, (bottom + top) / 2])
    return np.asarray((xy - middle) / size + 0.5, dtype=np.float32)


def _topics(tree: TopicTree, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """The topic of each paper at each level, -1 for none."""
    if not len(tree.ids):
        return ()
    at = np.minimum(np.searchsorted(tree.ids, ids), len(tree.ids) - 1)
    known = tree.ids[at] == ids
    return tuple(np.where(known, tree.labels(level)[at], -1) for level in range(tree.levels))


def topic_names(tree: TopicTree, ground: Ground) -> tuple[TopicName, ...]:
    """Names where most of a topic's papers are."""
    found = []
    parents = {topic.id: topic.parent for topic in tree.topics}
    parted = set(parents.values())
    for topic in (topic for level in range(tree.levels) for topic in tree.at(level)):
        papers = ground.papers(topic.id)
        if papers:
            x, y = ground.anchor_of(topic.id)
            coarse = topic.id
            while (above := parents.get(coarse)) is not None:
                coarse = above
            more = topic.id in parted, coarse
            found.append(TopicName(topic.id, topic.name, x, y, topic.level, papers, *more))
    return tuple(sorted(found, key=lambda one: (one.level, -one.papers)))
