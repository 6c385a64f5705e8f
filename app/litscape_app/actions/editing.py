"""Undo, redo, find and choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.actions.command import Command, Desk, Needs

if TYPE_CHECKING:
    from litscape.library import Library
    from litscape_app.window.listing import Request


def select_all(desk: Desk) -> None:
    """Choose all papers of the list."""
    desk.table.table.selectAll()


def save_search(desk: Desk) -> None:
    """Keep the search in the tree."""
    from litscape_app.window.ask import ask_name

    request = desk.table.request
    name = ask_name(desk.table, "Save this search", "Name", request.query.strip())
    if name:
        desk.session.write(
            "Save search",
            lambda library: library.edit.save_search(name, _whole(library, request), request.mode),
            f"Saved the search “{name}”",
        )


def _whole(library: Library, request: Request) -> str:
    """A query that finds later what is listed now, where its last word may be the start of one."""
    from litscape.search.query import finished

    query = request.query.strip()
    started = finished(request.query) if request.typing else query
    if started == query:
        return query
    same = library.searcher.count(query) == library.searcher.count(started)
    return query if same else started


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
