"""Topics as rows: trees, their topics, and the papers of each; written so that it can be undone.

A topic holds the ids of the papers of which it is the finest one. They are no foreign keys: ids are
never used twice, and a paper that comes back by undo has its topic again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.store.history import Recorder, change_row, create_row, remove_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.store.images import Image

IN_USE = "SELECT max(id) FROM topic_trees GROUP BY scope"
"""The trees that count: of each scope the newest."""


@dataclass(frozen=True, slots=True, eq=False)
class TopicRow:
    """A topic as it is stored.

    Attributes:
        key: its id; in rows that are to be written, any number that tells it from the others.
        parent: the key of the topic above it.
        level: 0 for the coarsest.
        name: what it is called.
        edited: whether a person called it so.
        colour: index into the palette.
        terms: the most telling first.
        members: ids of the papers of which it is the finest topic, int64, ascending.
    """

    key: int
    parent: int | None
    level: int
    name: str
    edited: bool
    colour: int
    terms: tuple[str, ...]
    members: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TreeRow:
    """A tree as it is stored; ``rest`` are papers that have no topic, ``told`` what to say."""

    key: int
    scope: str
    model: str
    method: str
    seed: int
    made_at: str
    rest: NDArray[np.int64]
    told: Mapping[str, Any]
    topics: tuple[TopicRow, ...]


_TREE = "id, scope, model, method, seed, made_at, rest, told"
_TOPIC = "id, parent_id, level, name, edited, colour, terms, members"


def find_tree(
    conn: sa.Connection, scope: str | None = None, model: str | None = None
) -> int | None:
    """The newest tree, of a scope and model version where these are given."""
    found: int | None = conn.exec_driver_sql(
        "SELECT max(id) FROM topic_trees WHERE scope = ifnull(?, scope)"
        " AND model = ifnull(?, model)",
        (scope, model),
    ).scalar()
    return found


def trees(conn: sa.Connection) -> list[tuple[int, str, str, str]]:
    """All trees as (id, scope, model version, when it was made), newest first."""
    rows = conn.exec_driver_sql(
        "SELECT id, scope, model, made_at FROM topic_trees ORDER BY id DESC"
    )
    return [(int(row[0]), row[1], row[2], row[3]) for row in rows]


def read_tree(conn: sa.Connection, key: int) -> TreeRow | None:
    """A tree with its topics; None where there is none of that id."""
    row = conn.exec_driver_sql(f"SELECT {_TREE} FROM topic_trees WHERE id = ?", (key,)).first()
    if row is None:
        return None
    topics = conn.exec_driver_sql(
        f"SELECT {_TOPIC} FROM topics WHERE tree_id = ? ORDER BY level, id", (key,)
    )
    return TreeRow(
        key=int(row[0]),
        scope=row[1],
        model=row[2],
        method=row[3],
        seed=int(row[4]),
        made_at=row[5],
        rest=_ids(row[6]),
        told=json.loads(row[7]),
        topics=tuple(_topic(tuple(one)) for one in topics),
    )


def _topic(row: Sequence[Any]) -> TopicRow:
    return TopicRow(
        key=int(row[0]),
        parent=row[1],
        level=int(row[2]),
        name=row[3],
        edited=bool(row[4]),
        colour=int(row[5]),
        terms=tuple(json.loads(row[6])),
        members=_ids(row[7]),
    )


def tree_of(conn: sa.Connection, topic: int) -> int | None:
    """The tree that a topic belongs to."""
    found: int | None = conn.exec_driver_sql(
        "SELECT tree_id FROM topics WHERE id = ?", (topic,)
    ).scalar()
    return found


def known_names(conn: sa.Connection) -> list[str]:
    """The names of all topics that count, the coarsest first."""
    rows = conn.exec_driver_sql(
        f"SELECT name FROM topics WHERE tree_id IN ({IN_USE}) ORDER BY level, id"
    )
    return list(dict.fromkeys(row[0] for row in rows))


def ids_named(conn: sa.Connection, names: Iterable[str]) -> tuple[int, ...]:
    """The topics of these names that count."""
    rows = conn.exec_driver_sql(
        f"SELECT id FROM topics WHERE tree_id IN ({IN_USE})"
        " AND name IN (SELECT value FROM json_each(?)) ORDER BY id",
        (json.dumps(list(names)),),
    )
    return tuple(int(row[0]) for row in rows)


def name_of(conn: sa.Connection, key: int) -> str:
    """What a topic is called."""
    name: str = conn.exec_driver_sql("SELECT name FROM topics WHERE id = ?", (key,)).scalar_one()
    return name


def sizes(conn: sa.Connection, tree: int) -> dict[int, int]:
    """How many papers outside the trash each topic of a tree is the finest one of."""
    rows = conn.exec_driver_sql(
        "SELECT t.id, count(p.id) FROM topics t LEFT JOIN json_each(t.members) m"
        " LEFT JOIN papers p ON p.id = m.value AND p.trashed_at IS NULL"
        " WHERE t.tree_id = ? GROUP BY t.id",
        (tree,),
    )
    return {int(row[0]): int(row[1]) for row in rows}


def live_ids(conn: sa.Connection) -> NDArray[np.int64]:
    """The papers that are not in the trash, ascending."""
    text = conn.exec_driver_sql(
        "SELECT group_concat(id) FROM (SELECT id FROM papers WHERE trashed_at IS NULL ORDER BY id)"
    ).scalar_one()
    return np.fromstring(text or "", dtype=np.int64, sep=",")


def write_tree(recorder: Recorder, tree: TreeRow, instead: Iterable[int] = ()) -> int:
    """Write a tree in the place of others, which are removed; returns its id.

    Parents have to stand before their parts.
    """
    for old in instead:
        remove_tree(recorder, old)
    image = {
        "scope": tree.scope,
        "model": tree.model,
        "method": tree.method,
        "seed": tree.seed,
        "made_at": tree.made_at,
        "rest": _text(tree.rest),
        "told": json.dumps(dict(tree.told), ensure_ascii=False),
    }
    key = create_row(recorder, "topic_tree", image)
    add_topics(recorder, key, tree.topics)
    return key


def add_topics(recorder: Recorder, tree: int, topics: Sequence[TopicRow]) -> dict[int, int]:
    """Write topics of a tree; returns the id of each by the key that it had.

    A parent is the key of a topic before it, or else the id of one that is there.
    """
    ids: dict[int, int] = {}
    for topic in topics:
        parent = None if topic.parent is None else ids.get(topic.parent, topic.parent)
        image = {"tree_id": tree, **_image(replace(topic, parent=parent))}
        ids[topic.key] = create_row(recorder, "topic", image)
    return ids


def change_topic(recorder: Recorder, topic: TopicRow) -> None:
    """Write a topic that is there anew; what is as it was is left alone."""
    change_row(recorder, "topic", topic.key, _image(topic))


def rename_topic(recorder: Recorder, key: int, name: str) -> None:
    """Give a topic a name that a person chose."""
    change_row(recorder, "topic", key, {"name": name, "edited": 1})


def remove_topic(recorder: Recorder, key: int) -> None:
    """Remove a topic alone."""
    remove_row(recorder, "topic", key)


def remove_tree(recorder: Recorder, key: int) -> None:
    """Remove a tree and its topics."""
    rows = recorder.conn.exec_driver_sql("SELECT id FROM topics WHERE tree_id = ?", (key,))
    for (topic,) in rows.fetchall():
        remove_row(recorder, "topic", topic)
    remove_row(recorder, "topic_tree", key)


def set_rest(recorder: Recorder, tree: int, rest: NDArray[np.int64]) -> None:
    """Set the papers of a tree that have no topic."""
    change_row(recorder, "topic_tree", tree, {"rest": _text(rest)})


def mark_reshaped(recorder: Recorder, tree: TreeRow, topics: Iterable[int]) -> None:
    """Note in a tree which topics a person merged or split."""
    known = {*tree.told.get("reshaped", ()), *topics}
    told = json.dumps({**tree.told, "reshaped": sorted(known)}, ensure_ascii=False)
    change_row(recorder, "topic_tree", tree.key, {"told": told})


def _image(topic: TopicRow) -> Image:
    return {
        "parent_id": topic.parent,
        "level": topic.level,
        "name": topic.name,
        "edited": int(topic.edited),
        "colour": topic.colour,
        "terms": json.dumps(topic.terms, ensure_ascii=False),
        "members": _text(topic.members),
    }


def _ids(text: str) -> NDArray[np.int64]:
    return np.fromstring(text.strip("[]"), dtype=np.int64, sep=",")


def _text(ids: NDArray[np.int64]) -> str:
    return f"[{','.join(map(str, np.sort(ids).tolist()))}]"
