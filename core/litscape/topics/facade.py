"""Topics of a library: made, asked for, and worked on; each act is one undo step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers.normalise import fold
from litscape.store import edits
from litscape.store import topics as store
from litscape.topics.reading import tree_of
from litscape.topics.records import ALL_PAPERS, Topic, TopicTree

if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape.store.history import Recorder


class Topics:
    """The topics of one library.

    There is at most one tree of a scope and model version; of the trees of a scope the newest is
    the one that searches and the window's tree go by.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._database = library.database

    def current(self, scope: str | None = None, version: str | None = None) -> TopicTree | None:
        """The newest topics of a scope.

        Args:
            scope: its title; None: the whole library, or else what has any.
            version: by which model version; None: by whichever.

        Returns:
            None where there are none.
        """
        with self._database.read() as conn:
            key = store.find_tree(conn, scope or ALL_PAPERS, version)
            if key is None and scope is None:
                key = store.find_tree(conn, None, version)
            return None if key is None else tree_of(conn, key)

    def list(self) -> tuple[TopicTree, ...]:
        """All trees, newest first."""
        with self._database.read() as conn:
            return tuple(tree_of(conn, key) for key, *_rest in store.trees(conn))

    def topic(self, key: int | str) -> tuple[TopicTree, Topic]:
        """A topic by its number, or by its name among the current ones, and its tree.

        Raises:
            UserError: there is no such topic.
        """
        with self._database.read() as conn:
            tree = store.tree_of(conn, key) if isinstance(key, int) else None
            if tree is not None:
                found = tree_of(conn, tree)
                return found, found.topic(key)
        current = self.current()
        if current is None:
            raise UserError("This library has no topics yet; make them first.")
        return current, current.topic(key)

    def papers_of(self, key: int | str) -> NDArray[np.int64]:
        """The papers of a topic that are not in the trash, ascending, int64 (n,).

        Raises:
            UserError: there is no such topic.
        """
        tree, topic = self.topic(key)
        papers: NDArray[np.int64] = tree.ids[tree.labels(topic.level) == topic.id]
        return papers

    def rename(self, key: int | str, name: str) -> LibraryChanges:
        """Give a topic another name; it stays when topics are made again of much the same papers.

        Raises:
            UserError: there is no such topic, the name is empty, or a topic beside it has it.
        """
        tree, topic = self.topic(key)
        title = fold(name)
        if not title:
            raise UserError("A topic needs a name.")
        for other in tree.at(topic.level):
            if other.id != topic.id and other.name.casefold() == title.casefold():
                raise UserError(
                    f"There is a topic “{other.name}” already; choose another name, or merge them."
                )

        def act(recorder: Recorder) -> None:
            store.rename_topic(recorder, topic.id, title)

        return self._do(f"Rename the topic {topic.name} to {title}", act)

    def to_collection(self, key: int | str, path: str | None = None) -> LibraryChanges:
        """Put the papers of a topic into a collection, which has the topic's name if none is given.

        Raises:
            UserError: there is no such topic, or it has no papers.
        """
        _tree, topic = self.topic(key)
        names = path if path else (topic.name,)
        return self._library.edit.add_to_collection(self._refs(topic), names)

    def to_tag(self, key: int | str, name: str | None = None) -> LibraryChanges:
        """Tag the papers of a topic, with the topic's name if none is given.

        Raises:
            UserError: there is no such topic, or it has no papers.
        """
        _tree, topic = self.topic(key)
        return self._library.edit.tag(self._refs(topic), name or topic.name)

    def remove(self, key: int) -> LibraryChanges:
        """Remove a tree of topics; the papers stay.

        Raises:
            UserError: there is no such tree.
        """
        with self._database.read() as conn:
            known = {one: scope for one, scope, *_rest in store.trees(conn)}
        if key not in known:
            raise UserError(f"There are no topics with the number {key}.")
        return self._do(
            f"Remove the topics of {known[key]}", lambda recorder: store.remove_tree(recorder, key)
        )

    def _refs(self, topic: Topic) -> builtins.list[int]:
        papers = self.papers_of(topic.id).tolist()
        if not papers:
            raise UserError(f"The topic “{topic.name}” has no papers any more.")
        return [int(paper) for paper in papers]

    def _do(self, title: str, act: Callable[[Recorder], object]) -> LibraryChanges:
        with self._database.write() as conn:
            recorder = edits.begin(conn, title)
            act(recorder)
            return recorder.flush()
