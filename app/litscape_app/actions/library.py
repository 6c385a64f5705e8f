"""Collections, the trash, and computing similarity."""

from __future__ import annotations

from litscape_app.actions.command import Command, Desk, Needs


def new_collection(desk: Desk) -> None:
    """Make a collection, below the chosen one."""
    from litscape_app.window.tree.acts import new_collection as make

    node = desk.tree.current()
    inside = node.scope is not None and node.scope.kind == "collection"
    make(desk.tree, node if inside else None)


def empty_trash(desk: Desk) -> None:
    """Delete for good what is in the trash."""
    from litscape_app.window.tree.acts import empty_trash as empty

    trash = next(
        (
            n
            for n in desk.tree.model.root.children
            if n.scope is not None and n.scope.kind == "trash"
        ),
        None,
    )
    empty(desk.tree, (trash.count or 0) if trash is not None else 0)


def find_new(desk: Desk) -> None:
    """Look for new papers like those of the collection that is shown."""
    from litscape_app.window.pages.feed_page import find_new as find

    key = desk.scope.key
    find(desk, key if desk.scope.kind == "collection" and isinstance(key, int) else None)


COMMANDS = (
    Command("library.new_collection", "New collection…", new_collection, "Library", 0,
            ("Ctrl+Shift+K",), "folder-plus", Needs.LIBRARY),
    Command("library.duplicates", "Find duplicates", lambda desk: desk.show_page("duplicates"),
            "Library", 1, ("Ctrl+U",), "copy", Needs.LIBRARY),
    Command("library.citations", "Citations", lambda desk: desk.show_page("citations"), "Library",
            1, ("Ctrl+Shift+R",), "quote", Needs.LIBRARY),
    Command("library.lookup", "Look up citations…", lambda desk: desk.show_page("lookup"),
            "Library", 1, (), "quote", Needs.LIBRARY),
    Command("library.feed", "New papers like this collection…", find_new, "Library", 1, (), "inbox",
            Needs.LIBRARY),
    Command("library.fulltext", "Read the text of PDFs", lambda desk: desk.keeper.start(),
            "Library", 1, (), "file", Needs.LIBRARY),
    Command("library.empty_trash", "Empty the trash…", empty_trash, "Library", 1, (), "trash",
            Needs.LIBRARY),
    Command("model.models", "Models…", lambda desk: desk.show_page("models"), "Model", 0,
            ("Ctrl+M",), "model", Needs.LIBRARY),
    Command("model.train", "Fine-tune on your library…", lambda desk: desk.show_page("train"),
            "Model", 0, ("Ctrl+Alt+T",), "model", Needs.LIBRARY),
    Command("model.compare", "Models side by side", lambda desk: desk.show_page("compare"), "Model",
            0, (), "model", Needs.LIBRARY),
    Command("model.resume", "Compute similarity", lambda desk: desk.similarity.resume(), "Model", 0,
            (), "play", Needs.LIBRARY),
    Command("model.pause", "Pause computing", lambda desk: desk.similarity.pause(), "Model", 0, (),
            "pause", Needs.LIBRARY),
    Command("model.restart", "Restart helper processes", lambda desk: desk.similarity.restart(),
            "Model", 1, (), "refresh", Needs.LIBRARY),
)  # fmt: skip
