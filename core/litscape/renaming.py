"""Tags, collections and topics under another name or in another place.

The saved searches that name them follow in the same change, so that they find what they found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.store import edits as store
from litscape.store import topics
from litscape.store.collections import collection_tree
from litscape.store.history import change_row
from litscape.store.saved import list_saved
from litscape.store.tags import tag_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from litscape.paper import Collection as Node
    from litscape.store.history import Recorder


def rename_tag(recorder: Recorder, old: str, new: str) -> None:
    """Rename a tag, or join it to the one that has the name; saved searches name it as it is now.

    Raises:
        UserError: there is no such tag.
    """
    conn = recorder.conn
    named = {text: tag_name(conn, text) for text in _values(recorder, "tag")}
    store.rename_tag(recorder, old, new)

    def now(field: str, value: str) -> Sequence[str]:
        return (new,) if field == "tag" and named.get(value) == old else (value,)

    _follow(recorder, now)


def rename_collection(recorder: Recorder, node: int, name: str) -> None:
    """Rename a collection; saved searches that name it, or lead through it, follow.

    Raises:
        UserError: there is none, or its place has one of that name.
    """
    _moved(recorder, lambda: store.rename_collection(recorder, node, name))


def move_collection(recorder: Recorder, node: int, parent: int | None) -> None:
    """Put a collection below another one, or at the top; saved searches follow.

    Raises:
        UserError: there is none, or the new place can't take it.
    """
    _moved(recorder, lambda: store.move_collection(recorder, node, parent))


def rename_topic(recorder: Recorder, topic: int, name: str) -> None:
    """Give a topic a name of its own; saved searches that name it follow."""

    def act() -> int:
        topics.rename_topic(recorder, topic, name)
        return topic

    become_one(recorder, {topic}, act)


def become_one(recorder: Recorder, before: Collection[int], act: Callable[[], int]) -> int:
    """Change topics; saved searches that name one of them name what became of it.

    Args:
        recorder: records the change.
        before: the topics.
        act: changes them, and gives the topic that they are then.

    Returns:
        That topic.
    """
    from litscape.search.marks import topics_named

    conn = recorder.conn
    named = {text: set(topics_named(conn, text)) for text in _values(recorder, "topic")}
    kept = act()
    name = topics.name_of(conn, kept)

    def now(field: str, value: str) -> Sequence[str]:
        meant = named.get(value, set()) if field == "topic" else set()
        if meant.isdisjoint(before):
            return (value,)
        wanted = meant.difference(before) | {kept}
        found = set(topics_named(conn, value))
        if found == wanted:
            return (value,)
        # Where topics of other scopes have the old name as well, both are asked for.
        return (value, name) if found & wanted else (name,)

    _follow(recorder, now)
    return kept


def _moved(recorder: Recorder, move: Callable[[], None]) -> None:
    from litscape.search.marks import collections_named, is_place

    fields = ("collection", "in")
    before = collection_tree(recorder.conn)
    named = {
        text: collections_named(before, text)
        for text in _values(recorder, *fields)
        if not is_place(text)
    }
    move()
    after = collection_tree(recorder.conn)

    def now(field: str, value: str) -> Sequence[str]:
        meant = named.get(value, ()) if field in fields else ()
        if not meant or set(collections_named(after, value)) == set(meant):
            return (value,)
        return [_shortest(after, one, value) for one in after if one.id in meant]

    _follow(recorder, now)


def _shortest(tree: Sequence[Node], one: Node, before: str) -> str:
    """The name of a collection, or its path where a path was named or several have the name."""
    from litscape.search.marks import collections_named

    alone = collections_named(tree, one.name) == (one.id,)
    return one.name if alone and "/" not in before else "/".join(one.path)


def _values(recorder: Recorder, *fields: str) -> set[str]:
    """The values that saved searches ask for in some fields."""
    saved = list_saved(recorder.conn)
    if not saved:
        return set()
    from litscape.search.clauses import values_within

    return {value for one in saved for name, value in values_within(one.query) if name in fields}


def _follow(recorder: Recorder, now: Callable[[str, str], Sequence[str]]) -> None:
    """Rewrite the saved searches in which values have become others."""
    saved = list_saved(recorder.conn)
    if not saved:
        return
    from litscape.search.clauses import revalued

    for one in saved:
        query = revalued(one.query, now)
        if query != one.query:
            change_row(recorder, "saved_search", one.id, {"query": query})
