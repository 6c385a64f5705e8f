"""What can be done to a place of the tree; each is one undoable change of the library."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from litscape_app.window.ask import ask_name, confirm
from litscape_app.window.tree import topics
from litscape_app.window.words import count, sentence

if TYPE_CHECKING:
    from litscape.paper import LibraryChanges, PaperId
    from litscape_app.window.scope import Scope
    from litscape_app.window.tree.model import Node
    from litscape_app.window.tree.panel import TreePanel


def new_collection(panel: TreePanel, above: Node | None = None) -> None:
    """Make a collection, below ``above`` where that is one."""
    path = collection_path(above)
    title = f"New collection in {path[-1]}" if path else "New collection"
    name = ask_name(panel, title, "Name")
    if name:
        panel.session.write(
            "New collection", lambda library: library.edit.create_collection((*path, name))
        )


def collection_path(node: Node | None) -> tuple[str, ...]:
    """The names from the top to a collection's node; empty for other nodes."""
    names: list[str] = []
    while node is not None and node.scope is not None and node.scope.kind == "collection":
        names.insert(0, node.title)
        node = node.parent
    return tuple(names)


def rename(panel: TreePanel, node: Node) -> None:
    """Give a collection, tag or saved search another name."""
    scope = node.scope
    if scope is not None and scope.kind == "topic":
        topics.rename(panel, node)
    if scope is None or scope.kind not in ("collection", "tag", "search"):
        return
    name = ask_name(panel, f"Rename “{node.title}”", "New name", node.title)
    if not name or name == node.title:
        return
    if scope.kind == "collection" and isinstance(scope.key, int):
        key = scope.key
        panel.session.write(
            "Rename collection", lambda library: library.edit.rename_collection(key, name)
        )
    elif scope.kind == "search":
        _rename_search(panel, scope, name)
    else:
        old = node.title
        panel.session.write("Rename tag", lambda library: library.edit.rename_tag(old, name))


def _rename_search(panel: TreePanel, scope: Scope, name: str) -> None:
    def done(_changes: LibraryChanges) -> None:
        if panel.scope == scope:
            panel.scope = replace(scope, title=name, key=name)
            panel.chosen.emit(panel.scope)

    panel.session.write(
        "Rename search",
        lambda library: library.edit.change_saved_search(scope.title, name),
        done=done,
    )


def change_query(panel: TreePanel, node: Node) -> None:
    """Give a saved search another query."""
    from litscape.search.query import describe, parse

    scope = node.scope
    if scope is None or scope.kind != "search":
        return
    query = ask_name(
        panel,
        f"Change what “{node.title}” finds",
        "Query",
        scope.query,
        lambda text: sentence(f"Understood as: {describe(parse(text))}") if text else "",
    )
    if query and query != scope.query:
        panel.session.write(
            "Change search",
            lambda library: library.edit.change_saved_search(scope.title, query=query),
            f"Changed the search “{scope.title}”",
        )


def delete(panel: TreePanel, node: Node) -> None:
    """Delete a collection, tag or saved search; papers stay, and Undo brings it back."""
    scope = node.scope
    if scope is None:
        return
    title, key = node.title, scope.key
    if scope.kind == "collection" and isinstance(key, int):
        said = f"Deleted the collection “{title}”; its papers stay"
        panel.session.write(
            "Delete collection", lambda library: library.edit.delete_collection(key), said
        )
    elif scope.kind == "tag":
        said = f"Deleted the tag “{title}”"
        panel.session.write("Delete tag", lambda library: library.edit.delete_tag(title), said)
    elif scope.kind == "search":
        said = f"Deleted the search “{title}”"
        panel.session.write(
            "Delete search", lambda library: library.edit.delete_saved_search(title), said
        )


def empty_trash(panel: TreePanel, number: int) -> None:
    """Delete for ever what is in the trash; asked first, for it can't be taken back."""
    question = (
        f"Delete {count(number, 'paper')} for good? Their notes, tags and vectors go too, "
        "and this can't be undone."
    )
    if not number or not confirm(panel, "Empty the trash", question, "Delete for good"):
        return
    from litscape.paper import PaperFilter

    panel.session.write(
        "Empty the trash",
        lambda library: library.edit.delete_forever(
            library.papers.ids(PaperFilter(trashed=True)).tolist()
        ),
        f"Deleted {count(number, 'paper')} for good",
    )


def take_papers(panel: TreePanel, ids: tuple[PaperId, ...], scope: Scope) -> None:
    """Put dropped papers where they were dropped."""
    number, title = count(len(ids), "paper"), scope.title
    if scope.kind == "collection" and isinstance(scope.key, int):
        key = scope.key
        panel.session.write(
            "Add to collection",
            lambda library: library.edit.add_to_collection(ids, key),
            f"Put {number} into “{title}”",
        )
    elif scope.kind == "tag":
        panel.session.write(
            "Tag papers",
            lambda library: library.edit.tag(ids, [title]),
            f"Tagged {number} “{title}”",
        )
    elif scope.kind == "list":
        panel.session.write(
            "Add to the reading list",
            lambda library: library.edit.put_in_list(ids),
            f"Put {number} into the reading list",
        )
    elif scope.kind == "trash":
        panel.session.write(
            "Move to trash",
            lambda library: library.edit.trash(ids),
            f"Moved {number} to the trash",
        )


def move_collection(panel: TreePanel, collection: int, parent: int | None) -> None:
    """Nest a collection below another one, or put it at the top."""
    panel.session.write(
        "Move collection", lambda library: library.edit.move_collection(collection, parent)
    )
