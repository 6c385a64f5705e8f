"""The context menu of a place in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from litscape_app.window.tree import acts, topics

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape_app.window.tree.model import Node
    from litscape_app.window.tree.panel import TreePanel


def place_menu(panel: TreePanel, node: Node) -> QMenu:
    """What can be done to ``node``."""
    menu = QMenu(panel)

    def add(text: str, icon: str, act: Callable[[], None], *, enabled: bool = True) -> None:
        action = menu.addAction(text)
        panel.session.theme.set_icon(action, icon)
        action.setEnabled(enabled)
        action.triggered.connect(lambda _checked=False: act())

    kind = node.scope.kind if node.scope is not None else node.title
    if kind == "collection":
        if node.scope is not None and isinstance(node.scope.key, int):
            number, name = node.scope.key, node.title
            add("Papers like these", "similar", lambda: panel.similar_wanted.emit(number, name))
            add("New papers like this collection…", "inbox", lambda: panel.feed_wanted.emit(number))
            path = "/".join(acts.collection_path(node))
            add("Train on these…", "model", lambda: panel.train_wanted.emit(path))
        add("New collection inside…", "folder-plus", lambda: acts.new_collection(panel, node))
        add("Rename…", "edit", lambda: acts.rename(panel, node))
        if node.parent is not None and node.parent.scope is not None and node.scope is not None:
            key = node.scope.key
            if isinstance(key, int):
                add("Move to the top", "chevron-up", lambda: acts.move_collection(panel, key, None))
        menu.addSeparator()
        add("Delete collection", "trash", lambda: acts.delete(panel, node))
    elif kind == "tag":
        add("Rename…", "edit", lambda: acts.rename(panel, node))
        menu.addSeparator()
        add("Delete tag", "trash", lambda: acts.delete(panel, node))
    elif kind == "search":
        add("Rename…", "edit", lambda: acts.rename(panel, node))
        add("Change query…", "search", lambda: acts.change_query(panel, node))
        menu.addSeparator()
        add("Delete search", "trash", lambda: acts.delete(panel, node))
    elif kind == "topic":
        topics.add_acts(panel, menu, node, add)
    elif kind in ("Topics", "Find topics"):
        there = any(one.scope is not None for one in node.children)
        topics.add_general(panel, add, there=there)
    elif kind == "trash":
        number = node.count or 0
        add(
            "Empty the trash…", "trash", lambda: acts.empty_trash(panel, number), enabled=number > 0
        )
    else:
        add("New collection…", "folder-plus", lambda: acts.new_collection(panel))
    return menu
