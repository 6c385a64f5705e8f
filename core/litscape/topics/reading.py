"""Trees of topics as they are read: rows of the store with sizes, without what is in the trash."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from litscape.errors import UserError
from litscape.store import topics as store
from litscape.topics.records import ALL_PAPERS, UNASSIGNED, Method, Topic, TopicTree

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.maps.records import MapScope


def tree_of(conn: sa.Connection, key: int) -> TopicTree:
    """The tree of an id, as it is now.

    Raises:
        UserError: there is none of that id (any more).
    """
    row = store.read_tree(conn, key)
    if row is None:
        raise UserError("These topics are not there any more; look at the list again.")
    return as_tree(row, store.live_ids(conn))


def places_of(conn: sa.Connection) -> tuple[tuple[Topic, ...], str]:
    """The topics of the library, else of what has any, and the sentence about them.

    Without the papers of each, so that a window's tree is read quickly.
    """
    key = store.find_tree(conn, ALL_PAPERS) or store.find_tree(conn)
    row = None if key is None else store.read_tree(conn, key)
    if row is None:
        return (), ""
    sizes = _summed(row, store.sizes(conn, row.key))
    said = str(row.told.get("sentence", ""))
    if row.scope != ALL_PAPERS:
        said = f"Topics of {row.scope} alone; those of all papers have not been found. {said}"
    return _topics(row, sizes), said


COVERS = 0.5
"""Share of some papers that topics have to know to be theirs."""


def papers_in(row: store.TreeRow) -> NDArray[np.int64]:
    """The papers that a tree was made of, with a topic or without, ascending."""
    return np.unique(np.concatenate([row.rest, *[topic.members for topic in row.topics]]))


def parted_papers(row: store.TreeRow) -> NDArray[np.int64]:
    """Those of :func:`papers_in` that could have had a topic: they had a vector, ascending."""
    bare = np.intersect1d(row.rest, np.array(row.told.get("bare", ()), np.int64))
    return np.setdiff1d(papers_in(row), bare)


def is_of(row: store.TreeRow, scope: MapScope, papers: NDArray[np.int64]) -> bool:
    """Whether a tree is of a scope as it was before.

    Two selections can have one title; a collection keeps most of its papers as it changes.

    Args:
        row: the tree.
        scope: the scope.
        papers: what papers that is now.
    """
    if row.scope != scope.title:
        return False
    if scope.ids is None:
        return True
    before = papers_in(row)
    common = len(np.intersect1d(before, papers))
    return common >= COVERS * min(len(before), len(papers))


def former(
    conn: sa.Connection, scope: MapScope, papers: NDArray[np.int64], version: str | None = None
) -> store.TreeRow | None:
    """The newest tree of a scope, by a model version where one is given; None without any."""
    for key, title, by, _at in store.trees(conn):
        if title == scope.title and version in (None, by):
            row = store.read_tree(conn, key)
            if row is not None and is_of(row, scope, papers):
                return row
    return None


def covering(conn: sa.Connection, scope: str | None, ids: NDArray[np.int64]) -> int | None:
    """The newest tree to show some papers by: of their scope, else of the whole library.

    Args:
        conn: read from.
        scope: title of the scope; None for the whole library, which has only topics of its own.
        ids: the papers, int64 (n,).

    Returns:
        Its id; None where no such tree knows most of the papers.
    """
    if scope is None:
        return store.find_tree(conn, ALL_PAPERS)
    keys = [key for key, title, *_rest in store.trees(conn) if title == scope]
    keys += [key for key in (store.find_tree(conn, ALL_PAPERS),) if key is not None]
    for key in keys:
        row = store.read_tree(conn, key)
        if row is not None and np.isin(ids, papers_in(row)).sum() >= COVERS * len(ids):
            return key
    return None


def as_tree(row: store.TreeRow, live: NDArray[np.int64]) -> TopicTree:
    """A stored tree as the program uses it.

    Args:
        row: the tree.
        live: the papers that are not in the trash, ascending, int64 (n,).
    """
    parts = [(topic.members, topic.key) for topic in row.topics]
    ids = np.concatenate([row.rest, *[members for members, _key in parts]])
    finest = np.concatenate(
        [
            np.full(len(row.rest), UNASSIGNED, np.int64),
            *[np.full(len(members), key, np.int64) for members, key in parts],
        ]
    )
    here = np.isin(ids, live)
    order = np.argsort(ids[here], kind="stable")
    ids, finest = ids[here][order], finest[here][order]
    return TopicTree(
        key=row.key,
        scope=row.scope,
        version=row.model,
        method=cast("Method", row.method),
        seed=row.seed,
        made_at=row.made_at,
        topics=_topics(row, _sizes(row, finest)),
        ids=ids,
        finest=finest,
        sentence=str(row.told.get("sentence", "")),
        reshaped=frozenset(row.told.get("reshaped", ())),
    )


def _sizes(row: store.TreeRow, finest: NDArray[np.int64]) -> dict[int, int]:
    keys, counts = np.unique(finest, return_counts=True)
    return _summed(row, dict(zip(keys.tolist(), counts.tolist(), strict=True)))


def _topics(row: store.TreeRow, sizes: Mapping[int, int]) -> tuple[Topic, ...]:
    """The topics of a tree, level by level, the largest first."""
    topics = [
        Topic(
            id=one.key,
            level=one.level,
            parent=one.parent,
            name=one.name,
            terms=one.terms,
            size=sizes[one.key],
            edited=one.edited,
            colour=one.colour,
        )
        for one in row.topics
    ]
    return tuple(sorted(topics, key=lambda topic: (topic.level, -topic.size, topic.id)))


def _summed(row: store.TreeRow, own: Mapping[int, int]) -> dict[int, int]:
    """Papers of each topic with those of its parts, from its own."""
    sizes = {topic.key: int(own.get(topic.key, 0)) for topic in row.topics}
    for topic in sorted(row.topics, key=lambda one: -one.level):
        if topic.parent in sizes:
            sizes[topic.parent] += sizes[topic.key]
    return sizes
