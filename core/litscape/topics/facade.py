"""Topics of a library: made, asked for, and worked on; each act is one undo step."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from litscape import renaming
from litscape.errors import UserError
from litscape.importers.normalise import fold
from litscape.jobs import JobContext, null_context
from litscape.maps.material import gather
from litscape.maps.records import WHOLE_LIBRARY, MapScope
from litscape.store import edits
from litscape.store import topics as store
from litscape.store.history import NOBODYS, Recorder
from litscape.topics import acts
from litscape.topics.reading import covering, former, papers_in, tree_of
from litscape.topics.records import ALL_PAPERS, Method, Topic, TopicTree

if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from litscape.library import Library
    from litscape.paper import LibraryChanges

LONGEST_NAME = 80
"""Characters of a topic's name, at most."""
_NO_SIGNS = ("Cc", "Cs", "Zl", "Zp")


class Topics:
    """The topics of one library.

    There is at most one tree of a scope and model version; of the trees of a scope the newest is
    the one that searches and the window's tree go by.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._database = library.database

    def make(
        self,
        scope: MapScope = WHOLE_LIBRARY,
        method: Method = "leiden",
        seed: int = 0,
        ctx: JobContext | None = None,
        version: str | None = None,
    ) -> TopicTree:
        """Find topics in this process and keep them, instead of those of the same scope and model.

        Topics that are much the same as before keep their colours, and the names that a person
        gave them. Windows run this in a child (:func:`litscape.topics.tasks.make_topics`).

        Args:
            scope: which papers.
            method: ``leiden`` or ``hdbscan``.
            seed: the same one finds the same topics.
            ctx: hears of progress; cancelled, it leaves everything as it was.
            version: the model version; the active one by default.

        Raises:
            UserError: no such method, no or too few papers, or all have the same vector.
            NotReadyError: no paper has a vector.
            JobCancelledError: ``ctx`` was cancelled.
        """
        return self.find(scope, method, seed, ctx, version)[0]

    def find(
        self,
        scope: MapScope = WHOLE_LIBRARY,
        method: Method = "leiden",
        seed: int = 0,
        ctx: JobContext | None = None,
        version: str | None = None,
        *,
        undoable: bool = True,
    ) -> tuple[TopicTree, LibraryChanges]:
        """As :meth:`make`, with the change that it was.

        Topics that nobody asked for, and that take no other ones' place, are no step of Undo where
        they are not ``undoable``: Undo is for what the person did last.
        """
        from litscape.topics.making import make

        ctx = ctx or null_context()
        version = version or self._library.models.active().version
        tree = make(self._library, scope, version, method, seed, ctx)
        ctx.check()
        with self._database.write() as conn:
            old = former(conn, scope, papers_in(tree), version)
            title = f"Find the topics of {scope.title}"
            kept = undoable or old is not None
            recorder = edits.begin(conn, title) if kept else Recorder(conn, NOBODYS)
            key = store.write_tree(recorder, tree, [] if old is None else [old.key])
            changes = recorder.flush()
            return tree_of(conn, key), changes

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

    def of_papers(self, scope: str | None, ids: NDArray[np.int64]) -> TopicTree | None:
        """The topics by which to show some papers.

        Args:
            scope: title of the scope that they are; None: the whole library.
            ids: the papers, int64 (n,).

        Returns:
            The newest topics of the scope, else those of the whole library; None where neither
            knows half of the papers. For the whole library only topics of all papers count.
        """
        with self._database.read() as conn:
            key = covering(conn, scope, ids)
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
        title = _title(name)
        if not title:
            raise UserError("A topic needs a name.")
        _check_free(tree, topic.level, title, {topic.id})

        def act(recorder: Recorder) -> None:
            renaming.rename_topic(recorder, topic.id, title)

        return self._do(f"Rename the topic {topic.name} to {title}", act)

    def merge(self, keys: Sequence[int | str], name: str | None = None) -> LibraryChanges:
        """Make several topics of one level one, which keeps number and colour of the largest.

        Args:
            keys: the topics.
            name: what it is called; None: by the terms of all, or as a person called one of them.

        Raises:
            UserError: there is no such topic, fewer than two, of different levels, or the name is
                that of another one.
        """
        found = [self.topic(key) for key in keys]
        if len({tree.key for tree, _topic in found}) > 1:
            raise UserError("Topics of different sets can't be merged.")
        title = _title(name or "") or None
        mine = {topic.id for _tree, topic in found}
        if title and found:
            _check_free(found[0][0], found[0][1].level, title, mine)
        called = " and ".join(f"“{topic.name}”" for _tree, topic in found[:3])

        def act(recorder: Recorder) -> None:
            row = _row(store.read_tree(recorder.conn, found[0][0].key))
            keys = [topic.id for _tree, topic in found]
            kept = renaming.become_one(
                recorder, mine, lambda: acts.merge(recorder, row, keys, title)
            )
            store.mark_reshaped(recorder, row, [kept])

        if not found:
            raise UserError("It takes two topics at least to merge.")
        return self._do(f"Merge the topics {called}", act)

    def split(self, key: int | str, seed: int = 0, ctx: JobContext | None = None) -> LibraryChanges:
        """Part a topic into those that stand apart in it, at its own level.

        The largest part keeps number and colour, and a name that a person gave. Windows run this in
        a child (:func:`litscape.topics.tasks.split_topic`).

        Raises:
            UserError: there is no such topic, it has too few papers, or they don't part.
            JobCancelledError: ``ctx`` was cancelled.
        """
        from litscape.topics.parting import name_nodes

        ctx = ctx or null_context()
        tree, topic = self.topic(key)
        with self._database.read() as conn:
            row = _row(store.read_tree(conn, tree.key))
        papers = acts.papers_below(row, topic.id)
        material = gather(self._library.vector_store.snapshot(tree.version), papers)
        plan = acts.split(row, topic.id, material, seed, ctx)
        names = name_nodes(self._database, plan.nodes, ctx)
        ctx.check()

        def act(recorder: Recorder) -> None:
            now = _row(store.read_tree(recorder.conn, tree.key))
            if acts.state(now) != acts.state(row):
                raise UserError("The topics changed meanwhile; split it again.")
            parts = acts.write_split(recorder, row, topic.id, plan, names)
            store.mark_reshaped(recorder, now, parts)

        return self._do(f"Split the topic {topic.name}", act)

    def place_new(self, key: int | None = None, ctx: JobContext | None = None) -> LibraryChanges:
        """Give papers that came, or got a vector, since then the topic of their neighbours.

        Args:
            key: of the tree; None: the current one.
            ctx: hears of progress.

        Raises:
            UserError: there are no topics.
            JobCancelledError: ``ctx`` was cancelled.
        """
        ctx = ctx or null_context()
        with self._database.read() as conn:
            found = key or store.find_tree(conn, ALL_PAPERS) or store.find_tree(conn)
            row = _row(None if found is None else store.read_tree(conn, found))
            live = store.live_ids(conn)
        known = np.concatenate([row.rest, *[topic.members for topic in row.topics]])
        bare = np.array(row.told.get("bare", ()), np.int64)
        came = np.setdiff1d(live, known) if row.told.get("whole", True) else bare[:0]
        new = np.union1d(came, np.intersect1d(bare, np.intersect1d(live, row.rest)))
        material = gather(self._library.vector_store.snapshot(row.model), live)
        new = new[np.isin(new, material.ids)]
        places = acts.places_for(row, material, new, ctx)
        ctx.check()
        number = f"{len(new):,} new papers" if len(new) != 1 else "a new paper"
        return self._do(
            f"Find topics for {number}",
            lambda recorder: acts.write_places(recorder, row, places, new),
        )

    def to_collection(
        self, key: int | str, path: str | Sequence[str] | None = None
    ) -> LibraryChanges:
        """Put the papers of a topic into a collection, which has the topic's name if none is given.

        Args:
            key: the topic.
            path: ``Water/Rivers``, or names from the top, in which a stroke parts nothing.

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


def _title(name: str) -> str:
    """A name that a person gives a topic, tidied.

    Raises:
        UserError: it has signs that can't be seen or lines, or is too long.
    """
    if any(unicodedata.category(sign) in _NO_SIGNS for sign in name.strip()):
        raise UserError("The name of a topic is one line, without control characters.")
    title = fold(name)
    if len(title) > LONGEST_NAME:
        raise UserError(
            f"The name of a topic has at most {LONGEST_NAME} characters; this one has "
            f"{len(title):,}."
        )
    return title


def _check_free(tree: TopicTree, level: int, name: str, mine: set[int]) -> None:
    for other in tree.at(level):
        if other.id not in mine and other.name.casefold() == name.casefold():
            raise UserError(
                f"There is a topic “{other.name}” already; choose another name, or merge them."
            )


def _row(tree: store.TreeRow | None) -> store.TreeRow:
    if tree is None:
        raise UserError("This library has no topics yet; make them first.")
    return tree
