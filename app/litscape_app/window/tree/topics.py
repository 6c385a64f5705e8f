"""What can be done to topics in the tree: found, named, merged, split, made a shelf or a tag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape.jobs.runners import Lane
from litscape_app.window.ask import ask_name, confirm
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape.topics.records import Method
    from litscape_app.window.tree.model import Node
    from litscape_app.window.tree.panel import TreePanel

    Add = Callable[..., None]
_SHOWN, _NAMED = 25, 3


def topic_id(node: Node) -> int | None:
    """The topic that a node stands for; None for other places, and for what has no topic."""
    scope = node.scope
    if scope is None or scope.kind != "topic" or not isinstance(scope.key, int):
        return None
    return scope.key or None


def find(panel: TreePanel, method: Method = "leiden") -> None:
    """Find the topics of all papers; what a person made of those there are is asked for first."""

    def worked_on(library: Library, _ctx: JobContext) -> tuple[Method, list[str]]:
        from litscape.topics.records import ALL_PAPERS

        tree = library.topics.current(ALL_PAPERS)
        return method, [] if tree is None else [one.name for one in tree.worked_on]

    panel.session.read(panel.worked_on, "Read the topics", worked_on)


def find_unless_kept(panel: TreePanel, method: Method, named: list[str]) -> None:
    """Find topics beside the window, unless the person keeps the ones that they worked on."""
    if named:
        shown = ", ".join(f"“{name}”" for name in named[:_NAMED])
        more = f" and {len(named) - _NAMED:,} more" if len(named) > _NAMED else ""
        question = (
            f"You named, merged or split {count(len(named), 'topic')}: {shown}{more}. New topics "
            "keep the names that you gave where the papers are much the same; merged and split "
            "ones are found as if for the first time. Undo brings the topics of now back."
        )
        if not confirm(panel, "Replace your topics?", question, "Find topics again"):
            return

    def act(library: Library, ctx: JobContext) -> Any:
        from litscape.maps.records import MapScope
        from litscape.topics.tasks import find_topics

        return library.analysis.run(library, find_topics, ctx, MapScope(), method=method)

    def done(found: Any) -> str:
        tree, changes = found
        said = f"Found {count(len(tree.at(0)), 'topic')}. {tree.sentence}"
        panel.session.announce(changes, said)
        return said

    panel.session.work("Find topics", act, Lane.COMPUTE, done=done)


def place_new(panel: TreePanel) -> None:
    """Give papers that came later the topic of their neighbours."""

    def act(library: Library, ctx: JobContext) -> Any:
        from litscape.topics.tasks import place_new as place

        return library.analysis.run(library, place, ctx)

    def done(changes: LibraryChanges) -> str:
        said = "New papers have a topic now" if changes else "There are no new papers to place"
        panel.session.announce(changes, said)
        return said

    panel.session.work("Give new papers a topic", act, Lane.COMPUTE, done=done)


def split(panel: TreePanel, node: Node) -> None:
    """Part a topic into those that stand apart in it, beside the window."""
    key = topic_id(node)
    if key is None:
        return

    def act(library: Library, ctx: JobContext) -> Any:
        from litscape.topics.tasks import split_topic

        return library.analysis.run(library, split_topic, ctx, key)

    def done(changes: LibraryChanges) -> str:
        said = f"Split the topic “{node.title}”"
        panel.session.announce(changes, said)
        return said

    panel.session.work(f"Split “{node.title}”", act, Lane.COMPUTE, done=done)


def rename(panel: TreePanel, node: Node) -> None:
    """Give a topic another name."""
    key = topic_id(node)
    name = ask_name(panel, f"Rename “{node.title}”", "New name", node.title) if key else ""
    if key is not None and name and name != node.title:
        panel.session.write("Rename topic", lambda library: library.topics.rename(key, name))


def merge(panel: TreePanel, node: Node, other: Node) -> None:
    """Make two topics one."""
    keys = [key for key in (topic_id(node), topic_id(other)) if key is not None]
    panel.session.write(
        "Merge topics",
        lambda library: library.topics.merge(keys),
        f"Merged “{node.title}” and “{other.title}”",
    )


def to_collection(panel: TreePanel, node: Node) -> None:
    """Put the papers of a topic into a collection."""
    key = topic_id(node)
    name = ask_name(panel, f"Collection of “{node.title}”", "Name", node.title) if key else ""
    if key is not None and name:
        panel.session.write(
            "Topic to collection",
            lambda library: library.topics.to_collection(key, (name,)),
            f"Put {count(node.count or 0, 'paper')} into “{name}”",
        )


def to_tag(panel: TreePanel, node: Node) -> None:
    """Tag the papers of a topic."""
    key = topic_id(node)
    name = ask_name(panel, f"Tag the papers of “{node.title}”", "Tag", node.title) if key else ""
    if key is not None and name:
        panel.session.write(
            "Topic to tag",
            lambda library: library.topics.to_tag(key, name),
            f"Tagged {count(node.count or 0, 'paper')} “{name}”",
        )


def remove(panel: TreePanel) -> None:
    """Remove all topics; the papers stay, and Undo brings the topics back."""

    def act(library: Library) -> LibraryChanges:
        from litscape.errors import UserError

        tree = library.topics.current()
        if tree is None:
            raise UserError("There are no topics to remove.")
        return library.topics.remove(tree.key)

    panel.session.write("Remove topics", act, "Removed the topics; their papers stay")


def add_acts(panel: TreePanel, menu: QMenu, node: Node, add: Add) -> None:
    """The lines of a topic's menu."""
    if topic_id(node) is not None:
        add("Rename…", "edit", lambda: rename(panel, node))
        others = [one for one in node.parent.children if one is not node] if node.parent else []
        others = [one for one in others if topic_id(one) is not None]
        if others:
            below = menu.addMenu("Merge with")
            panel.session.theme.set_icon(below.menuAction(), "connect")
            for one in others[:_SHOWN]:
                action = below.addAction(one.title.replace("&", "&&"))
                action.triggered.connect(lambda _checked=False, one=one: merge(panel, node, one))
        add("Split", "half", lambda: split(panel, node))
        menu.addSeparator()
        add("Put its papers into a collection…", "folder-plus", lambda: to_collection(panel, node))
        add("Tag its papers…", "tag", lambda: to_tag(panel, node))
        menu.addSeparator()
    add_general(panel, add, there=True)


def add_general(panel: TreePanel, add: Add, *, there: bool) -> None:
    """What can be done to topics as a whole."""
    add("Find topics again" if there else "Find topics", "refresh", lambda: find(panel))
    add("Find only dense topics (HDBSCAN)", "dot", lambda: find(panel, "hdbscan"))
    if there:
        add("Give new papers a topic", "plus", lambda: place_new(panel))
        add("Remove all topics", "trash", lambda: remove(panel))
