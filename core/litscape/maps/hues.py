"""Which hue each topic has on a map: topics near each other never share one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from litscape_resources.palettes import HUES

if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence

    from numpy.typing import NDArray

    from litscape.library import Library
    from litscape.topics.records import Topic, TopicTree

NEAREST = 5
"""Topics around each whose hue it does not have."""


def spread_hues(
    wished: Sequence[int], of: NDArray[np.integer], xy: NDArray[np.floating], hues: int = HUES
) -> list[int]:
    """A hue for each topic: its own wherever no near topic of more papers has it.

    As many topics as there are hues all differ. Beyond, the graph of the nearest topics is coloured
    greedily, large topics first; a topic whose hue is taken gets the one that is farthest away.
    How near two are is the distance of their medians less what half of their papers take.

    Args:
        wished: the colour number of each topic, (t,).
        of: the topic of each paper, (n,), -1 for none.
        xy: places of the papers, (n, 2).
        hues: how many there are.
    """
    topics = len(wished)
    sizes = np.bincount(of[of >= 0], minlength=topics)
    there = np.flatnonzero(sizes)
    gaps = _gaps(there, of, np.asarray(xy, dtype=np.float64))
    near = _near(gaps, len(there) - 1 if len(there) <= hues else NEAREST)
    found = [number % hues for number in wished]
    placed: list[int] = []
    for at in sorted(range(len(there)), key=lambda one: (-sizes[there[one]], one)):
        taken = {found[there[one]] for one in placed if near[at, one]}
        if found[there[at]] in taken:
            far = np.full(hues, np.inf)
            for one in placed:
                hue = found[there[one]]
                far[hue] = min(far[hue], gaps[at, one])
            free = [hue for hue in range(hues) if hue not in taken] or range(hues)
            found[there[at]] = max(free, key=lambda hue: (far[hue], -hue))
        placed.append(at)
    return found


def _gaps(
    topics: NDArray[np.intp], of: NDArray[np.integer], xy: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How far topics are from each other, (t, t); below 0 where they overlap."""
    middles, reaches = np.zeros((len(topics), 2)), np.zeros(len(topics))
    for at, topic in enumerate(topics):
        own = xy[of == topic]
        middles[at] = np.median(own, axis=0)
        reaches[at] = np.median(np.linalg.norm(own - middles[at], axis=1))
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    return np.asarray(apart - reaches[:, None] - reaches[None])


def _near(gaps: NDArray[np.float64], nearest: int) -> NDArray[np.bool_]:
    """Which topics are among the nearest of each other, (t, t), both ways."""
    others = gaps.copy()
    np.fill_diagonal(others, np.inf)
    near = np.zeros(gaps.shape, dtype=bool)
    order = np.argsort(others, axis=1, kind="stable")[:, : max(0, nearest)]
    np.put_along_axis(near, order, True, axis=1)
    np.fill_diagonal(near, False)
    return near | near.T


def coarse_of(tree: TopicTree, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place among the coarse topics of each paper's own, (n,); -1 for none."""
    if not len(tree.ids):
        return np.full(len(ids), -1, dtype=np.int64)
    place = {topic.id: number for number, topic in enumerate(tree.at(0))}
    known, which = np.unique(tree.labels(0), return_inverse=True)
    numbers = np.array([place.get(int(key), -1) for key in known], dtype=np.int64)[which]
    at = np.minimum(np.searchsorted(tree.ids, ids), len(tree.ids) - 1)
    return np.where(tree.ids[at] == ids, numbers[at], -1)


Known = dict[int, int]
"""The hues of coarse topics by their numbers."""


def hues_of(
    library: Library, topics: Sequence[Topic], kept: MutableMapping[object, Known]
) -> tuple[Topic, ...]:
    """Topics with the hues that they have on the newest map, for lists of them.

    Args:
        library: where the maps are.
        topics: of all levels, as :func:`litscape.topics.reading.places_of` tells them.
        kept: what was found before; it is filled.
    """
    coarse = [topic for topic in topics if topic.level == 0]
    own = {topic.id: topic.colour % HUES for topic in coarse}
    if len(set(own.values())) < len(coarse):
        key = _newest(library), tuple((topic.id, topic.size) for topic in coarse)
        if key not in kept:
            kept.clear()
            kept[key] = _on_map(library, key[0], own)
        own = kept[key]
    return tuple(replace(one, colour=own.get(one.id, one.colour % HUES)) for one in topics)


def _newest(library: Library) -> int | None:
    version = library.models.active().version
    of_all = (one for one in library.maps.list() if one.whole and one.version == version)
    return next((one.key for one in of_all), None)


def _on_map(library: Library, key: int | None, own: Known) -> Known:
    tree = library.topics.current()
    if key is None or tree is None:
        return own
    ids, xy = library.maps.places(key)
    topics = tree.at(0)
    wished = [topic.colour for topic in topics]
    hues = spread_hues(wished, coarse_of(tree, ids), xy)
    return {topic.id: hue for topic, hue in zip(topics, hues, strict=True)}
