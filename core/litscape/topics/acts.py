"""Working on topics: merging, splitting, placing papers that came later; each is one change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import UserError
from litscape.store import topics as store
from litscape.topics import leiden
from litscape.topics.naming import TERMS, alike
from litscape.topics.parting import Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.maps.material import Material
    from litscape.store.history import Recorder
    from litscape.store.topics import TopicRow, TreeRow
    from litscape.topics.naming import Name

_IN_NAME = 3
_FIRST = 0.35
"""The resolution that a topic is split at first: few parts, if it has such."""
_FINER = 1.5
_TRIES = 6
_NEAREST = 10
_BLOCK = 2048


def parts_below(tree: TreeRow, key: int) -> list[TopicRow]:
    """The topics that a topic consists of."""
    return [topic for topic in tree.topics if topic.parent == key]


def papers_below(tree: TreeRow, key: int) -> NDArray[np.int64]:
    """All papers of a topic, with those of its parts, ascending."""
    found = [topic.members for topic in tree.topics if topic.key == key]
    for part in parts_below(tree, key):
        found.append(papers_below(tree, part.key))
    return np.unique(np.concatenate(found))


def state(tree: TreeRow) -> list[tuple[object, ...]]:
    """What acts on topics go by, to be compared."""
    return [
        (one.key, one.parent, one.level, one.name, one.members.tobytes()) for one in tree.topics
    ]


def _levels_apart(rows: Mapping[int, TopicRow], chosen: Sequence[TopicRow]) -> str:
    """Why topics of different levels can't be merged."""
    first = chosen[0]
    other = next(one for one in chosen if one.level != first.level)
    above, below = sorted((first, other), key=lambda one: one.level)
    step = below
    while step.parent is not None and step.level > above.level:
        step = rows[step.parent]
    if step.key == above.key:
        how = f"“{below.name}” is a part of “{above.name}”"
    else:
        how = f"“{below.name}” is a part of “{step.name}”, and “{above.name}” is as coarse as that"
    return f"Topics of different levels can't be merged: {how}. Choose topics of one level."


def merge(recorder: Recorder, tree: TreeRow, keys: Sequence[int], name: str | None) -> int:
    """Make several topics of one level one; returns the one that stays.

    It is the largest, and keeps its number and colour. Parts stay parts; a topic without parts
    becomes one where another one has some.

    Raises:
        UserError: fewer than two topics, or not of one level.
    """
    rows = {topic.key: topic for topic in tree.topics}
    chosen = [rows[key] for key in dict.fromkeys(keys)]
    if len(chosen) < 2:
        raise UserError("It takes two topics at least to merge.")
    if len({topic.level for topic in chosen}) > 1:
        raise UserError(_levels_apart(rows, chosen))
    chosen.sort(key=lambda one: (-len(papers_below(tree, one.key)), one.key))
    kept, others = chosen[0], chosen[1:]
    nested = any(parts_below(tree, one.key) for one in chosen)
    if nested:
        _add_parts(recorder, tree, chosen, kept.key)
    else:
        members = np.concatenate([one.members for one in chosen])
        kept = replace(kept, members=np.unique(members))
    for other in others:
        for part in parts_below(tree, other.key):
            store.change_topic(recorder, replace(part, parent=kept.key))
        store.remove_topic(recorder, other.key)
    if nested:
        kept = replace(kept, members=np.empty(0, np.int64))
    called = name or next((one.name for one in chosen if one.edited), None)
    terms = _terms_together(chosen)
    store.change_topic(
        recorder,
        replace(
            kept,
            name=called or ", ".join(terms[:_IN_NAME]) or kept.name,
            edited=called is not None,
            terms=terms,
        ),
    )
    _remove_empty(recorder, tree, {one.parent for one in others} - {kept.parent}, others)
    return kept.key


def _add_parts(recorder: Recorder, tree: TreeRow, chosen: Iterable[TopicRow], parent: int) -> None:
    """Make parts of the papers that lie in none, named as the topic they were of."""
    for one in chosen:
        if len(one.members):
            part = replace(one, parent=parent, level=one.level + 1, key=-one.key)
            store.add_topics(recorder, tree.key, [part])


def _remove_empty(
    recorder: Recorder, tree: TreeRow, parents: set[int | None], gone: Sequence[TopicRow]
) -> None:
    """Remove topics of which all parts went elsewhere."""
    away = {one.key for one in gone}
    for parent in parents:
        for row in tree.topics:
            left = [part for part in parts_below(tree, row.key) if part.key not in away]
            if row.key == parent and not left and not len(row.members):
                store.remove_topic(recorder, row.key)


def _terms_together(topics: Sequence[TopicRow]) -> tuple[str, ...]:
    """The first terms of each in turn, without near-duplicates."""
    found: list[str] = []
    for term in chain.from_iterable(zip_longest(*[one.terms for one in topics])):
        words = tuple(str(term).casefold().split())
        if term is None or any(alike(words, tuple(o.casefold().split())) for o in found):
            continue
        found.append(term)
    return tuple(found[:TERMS])


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Into what a topic is split, the largest part first.

    Attributes:
        own: of each part, the papers that lie in no part of the topic.
        children: of each part, the topics below it.
        nodes: all topics of the tree as they will be, to be named.
        places: of each part, its place among these.
    """

    own: list[NDArray[np.int64]]
    children: list[list[int]]
    nodes: list[Node]
    places: list[int]


def split(tree: TreeRow, key: int, material: Material, seed: int, ctx: JobContext) -> Split:
    """Find the parts of a topic that stand apart.

    Args:
        tree: as it is.
        key: the topic.
        material: its papers with vectors.
        seed: of the draws.
        ctx: hears of progress.

    Raises:
        UserError: it has too few papers, or they don't part.
    """
    row = next(topic for topic in tree.topics if topic.key == key)
    if len(material) < 2 * leiden.LEAST:
        raise UserError(
            f"The topic “{row.name}” has too few papers to split: it takes {2 * leiden.LEAST}."
        )
    from litscape.maps.neighbours import find_neighbours

    k = leiden.neighbours_for(len(material))
    links = leiden.weighted(find_neighbours(material.ids, material.matrix, k, ctx))
    children = parts_below(tree, key)
    for attempt in range(_TRIES):
        ctx.check()
        labels = leiden.parts_of(links, seed, _FIRST * _FINER**attempt)
        of_child = {
            one.key: _home(papers_below(tree, one.key), material, labels) for one in children
        }
        of_own = np.zeros(len(row.members), np.int64)
        known = np.isin(row.members, material.ids)
        of_own[known] = labels[np.searchsorted(material.ids, row.members[known])]
        used = sorted({*of_child.values(), *of_own.tolist()})
        if len(used) > 1:
            own = [row.members[of_own == part] for part in used]
            below = [[one for one, part in of_child.items() if part == now] for now in used]
            return _planned(tree, row, own, below)
    raise UserError(f"The topic “{row.name}” doesn't part: its papers are all close to each other.")


def _home(papers: NDArray[np.int64], material: Material, labels: NDArray[np.int64]) -> int:
    """The part in which most of some papers lie."""
    inside = labels[np.isin(material.ids, papers)]
    return int(np.bincount(inside).argmax()) if len(inside) else 0


def _planned(
    tree: TreeRow,
    row: TopicRow,
    own: list[NDArray[np.int64]],
    children: list[list[int]],
) -> Split:
    papers = [
        np.unique(np.concatenate([mine, *[papers_below(tree, key) for key in below]]))
        for mine, below in zip(own, children, strict=True)
    ]
    order = sorted(range(len(own)), key=lambda part: (-len(papers[part]), part))
    own, papers = [own[part] for part in order], [papers[part] for part in order]
    children = [children[part] for part in order]
    nodes: list[Node] = []
    places: dict[int, int] = {}
    parts: list[int] = []
    for topic in sorted(tree.topics, key=lambda one: one.level):
        parent = places.get(topic.parent, -1) if topic.parent is not None else -1
        if topic.parent == row.key:
            parent = parts[next(n for n, below in enumerate(children) if topic.key in below)]
        for mine in papers if topic.key == row.key else [papers_below(tree, topic.key)]:
            if topic.key == row.key:
                parts.append(len(nodes))
            places[topic.key] = len(nodes)
            nodes.append(Node(topic.level, parent, mine))
    return Split(own, children, nodes, parts)


def write_split(
    recorder: Recorder, tree: TreeRow, key: int, plan: Split, names: Sequence[Name]
) -> list[int]:
    """Put the parts in the place of the topic; the largest keeps its number, colour and own name.

    Returns:
        The parts' ids.
    """
    row = next(topic for topic in tree.topics if topic.key == key)
    children = {one.key: one for one in parts_below(tree, key)}
    beside = [one for one in tree.topics if one.level == row.level]
    taken = {one.name.casefold() for one in beside if one.key != key}
    colours = {one.colour for one in beside}
    ids = []
    for number, place in enumerate(plan.places):
        name = names[place]
        called = row.name if number == 0 and row.edited else free(name.name, taken)
        taken.add(called.casefold())
        members, below = _without_single(recorder, tree, plan.own[number], plan.children[number])
        part = replace(row, name=called, terms=name.terms, members=members)
        if number == 0:
            store.change_topic(recorder, part)
            ids.append(key)
            continue
        colour = next(one for one in range(len(colours) + 1) if one not in colours)
        colours.add(colour)
        part = replace(part, key=-number, edited=False, colour=colour)
        made = store.add_topics(recorder, tree.key, [part])[-number]
        ids.append(made)
        for child in below:
            store.change_topic(recorder, replace(children[child], parent=made))
    return ids


def _without_single(
    recorder: Recorder, tree: TreeRow, own: NDArray[np.int64], children: list[int]
) -> tuple[NDArray[np.int64], list[int]]:
    """The papers and parts of a topic, whose only part is no topic of its own."""
    if len(children) != 1 or len(own) or parts_below(tree, children[0]):
        return own, children
    store.remove_topic(recorder, children[0])
    return next(one.members for one in tree.topics if one.key == children[0]), []


def free(name: str, taken: set[str]) -> str:
    """A name, with a number where it is taken (folded names)."""
    number, found = 1, name
    while found.casefold() in taken:
        number += 1
        found = f"{name} ({number})"
    return found


def places_for(
    tree: TreeRow, material: Material, new: NDArray[np.int64], ctx: JobContext
) -> dict[int, int]:
    """The finest topic of new papers: the one that most of their nearest neighbours have.

    Papers in the midst of such as have no topic get none.

    Args:
        tree: as it is.
        material: papers with vectors, the new ones among them.
        new: those to be placed.
        ctx: hears of progress.
    """
    keys = np.full(len(material), -1, np.int64)
    for topic in tree.topics:
        keys[np.isin(material.ids, topic.members)] = topic.key
    waiting = np.isin(material.ids, new)
    known = np.flatnonzero(~waiting & (np.isin(material.ids, tree.rest) | (keys >= 0)))
    rows = np.flatnonzero(waiting)
    found: dict[int, int] = {}
    if not len(known):
        return found
    near = min(_NEAREST, len(known))
    for start in range(0, len(rows), _BLOCK):
        ctx.progress(start, len(rows), "Placing papers")
        block = rows[start : start + _BLOCK]
        cosines = material.matrix[block] @ material.matrix[known].T
        best = np.argpartition(-cosines, near - 1, axis=1)[:, :near]
        for row, places in zip(block.tolist(), best, strict=True):
            weights = np.maximum(material.matrix[row] @ material.matrix[known[places]].T, 0.0)
            key = _vote(keys[known[places]], weights)
            if key >= 0:
                found[int(material.ids[row])] = key
    return found


def _vote(keys: NDArray[np.int64], weights: NDArray[np.float32]) -> int:
    known, place = np.unique(keys, return_inverse=True)
    votes = np.bincount(place, weights=weights.astype(np.float64) + 1e-9)
    return int(known[votes.argmax()])


def write_places(
    recorder: Recorder, tree: TreeRow, found: Mapping[int, int], new: NDArray[np.int64]
) -> None:
    """Put new papers into the topics found for them; the others have none."""
    papers = np.array(list(found), np.int64)
    keys = np.array(list(found.values()), np.int64)
    for topic in tree.topics:
        come = papers[keys == topic.key]
        if len(come):
            members = np.union1d(topic.members, come)
            store.change_topic(recorder, replace(topic, members=members))
    rest = np.setdiff1d(np.union1d(tree.rest, new), papers)
    store.set_rest(recorder, tree.key, rest)
