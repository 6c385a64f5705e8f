"""Undo, redo, find and choose."""

from __future__ import annotations

from litscape_app.actions.command import Command, Desk, Needs


def select_all(desk: Desk) -> None:
    """Choose all papers of the list."""
    desk.table.table.selectAll()


def save_search(desk: Desk) -> None:
    """Keep the search in the tree."""
    from litscape_app.window.ask import ask_name

    request = desk.table.request
    name = ask_name(desk.table, "Save this search", "Name", request.query)
    if name:
        desk.session.write(
            "Save search",
            lambda library: library.edit.save_search(name, request.query, request.mode),
            f"Saved the search “{name}”",
        )


COMMANDS = (
    Command("edit.undo", "Undo", lambda desk: desk.session.undo(), "Edit", 0, ("Ctrl+Z",), "undo",
            Needs.UNDO),
    Command("edit.redo", "Redo", lambda desk: desk.session.redo(), "Edit", 0,
            ("Ctrl+Shift+Z", "Ctrl+Y"), "redo", Needs.REDO),
    Command("edit.history", "History", lambda desk: desk.show_page("history"), "Edit", 0,
            ("Ctrl+H",), "restore", Needs.LIBRARY),
    Command("edit.find", "Search", lambda desk: desk.search.focus(), "Edit", 1,
            ("Ctrl+F", "Ctrl+K"), "search", Needs.LIBRARY),
    Command("edit.save_search", "Save this search…", save_search, "Edit", 1, ("Ctrl+S",),
            "bookmark", Needs.QUERY),
    Command("edit.all", "Choose all", select_all, "Edit", 1, ("Ctrl+A",), "", Needs.LIBRARY,
            in_table=True),
)  # fmt: skip
