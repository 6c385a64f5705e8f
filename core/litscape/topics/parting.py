"""Papers parted into topics within topics, before these have names and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.store.papers import texts_for_embedding
from litscape.topics.naming import Level, Name, names_of
from litscape.topics.phrases import terms_of
from litscape.topics.words import Texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.store.database import Database
    from litscape.topics.phrases import Terms

_READ = 20_000
"""Papers that are read for names, at most."""
_READ_OF_EACH = 25
"""Papers of each topic that are read at least."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A topic to be.

    Attributes:
        level: 0 for the coarsest.
        parent: place of the topic above it in the list of all; -1 for none.
        papers: all its ids, with those of the topics below, int64, ascending.
    """

    level: int
    parent: int
    papers: NDArray[np.int64]


def nodes_of(ids: NDArray[np.int64], levels: Sequence[NDArray[np.int64]]) -> list[Node]:
    """Topics from the part of each paper at each level; parents stand before their parts.

    What is the only part of its topic is no topic of its own.
    """
    nodes: list[Node] = []
    places: dict[tuple[int, int], int] = {}
    for level, labels in enumerate(levels):
        for part in range(int(labels.max(initial=-1)) + 1):
            inside = np.flatnonzero(labels == part)
            parent = -1
            if level:
                parent = places[level - 1, int(levels[level - 1][inside[0]])]
                if len(nodes[parent].papers) == len(inside):
                    places[level, part] = parent
                    continue
            places[level, part] = len(nodes)
            nodes.append(Node(level, parent, ids[inside]))
    return nodes


def finest_of(ids: NDArray[np.int64], nodes: Sequence[Node]) -> NDArray[np.int64]:
    """The place of the finest topic of each paper, int64 (n,); -1 where it has none."""
    found = np.full(len(ids), -1, np.int64)
    for place, node in enumerate(nodes):  # parents come first, their parts over them
        found[np.searchsorted(ids, node.papers)] = place
    return found


def name_nodes(database: Database, nodes: Sequence[Node], ctx: JobContext) -> list[Name]:
    """Names for topics, from titles and abstracts of their papers.

    Of large libraries some papers of each topic are read, evenly spread.

    Raises:
        JobCancelledError: ``ctx`` was cancelled.
    """
    if not nodes:
        return []
    ids = np.unique(np.concatenate([node.papers for node in nodes]))
    finest = finest_of(ids, nodes)
    read, weight = _sample(finest)
    ctx.progress(0, 2, "Naming topics")
    texts: list[tuple[str | None, str | None]] = []
    known: list[int] = []
    with database.read() as conn:
        for paper, title, abstract in texts_for_embedding(conn, ids[read].tolist()):
            known.append(paper)
            texts.append((title, abstract))
    there = np.isin(ids[read], np.array(known, np.int64))
    read, weight = read[there], weight[there]
    ctx.check()
    terms = terms_of(Texts(texts))
    ctx.progress(1, 2, "Naming topics")
    levels, order = _levels(nodes, terms, finest[read], weight)
    names = names_of(terms, levels)
    return [names[level][place] for level, place in order]


def _sample(finest: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows of papers to read, ascending, and for how many papers each stands."""
    groups = np.unique(finest)
    most = max(_READ_OF_EACH, _READ // max(1, len(groups)))
    rows, weights = [], []
    spare = len(finest) <= _READ
    for group in groups.tolist():
        inside = np.flatnonzero(finest == group)
        if not spare and len(inside) > most:
            chosen = inside[np.linspace(0, len(inside) - 1, most).astype(np.int64)]
        else:
            chosen = inside
        rows.append(chosen)
        weights.append(np.full(len(chosen), len(inside) / len(chosen)))
    row, weight = np.concatenate(rows), np.concatenate(weights)
    order = np.argsort(row, kind="stable")
    return row[order], weight[order]


def _levels(
    nodes: Sequence[Node], terms: Terms, finest: NDArray[np.int64], weight: NDArray[np.float64]
) -> tuple[list[Level], list[tuple[int, int]]]:
    """The topics of each level as counts, and of each topic its level and place there."""
    levels: list[Level] = []
    order: list[tuple[int, int]] = [(0, 0)] * len(nodes)
    for level in range(1 + max(node.level for node in nodes)):
        here = [place for place, node in enumerate(nodes) if node.level == level]
        group = np.full(len(nodes) + 1, -1, np.int64)  # the last is for papers without a topic
        for number, place in enumerate(here):
            group[place] = number
            order[place] = (level, number)
        for place, node in enumerate(nodes):  # parts count for what they are parts of
            if node.level > level:
                group[place] = group[node.parent]
        parents = [order[nodes[p].parent][1] if nodes[p].parent >= 0 else -1 for p in here]
        levels.append(
            Level(
                terms.counts(group[finest], len(here), weight),
                np.array([len(nodes[place].papers) for place in here], np.float64),
                np.array(parents, np.int64),
            )
        )
    return levels, order
