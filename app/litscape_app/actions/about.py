"""Help."""

from __future__ import annotations

from litscape_app.actions.command import Command, Desk


def show_keys(desk: Desk) -> None:
    """All keys on one page."""
    desk.show_page("keys")


def show_about(desk: Desk) -> None:
    """Version and licence."""
    from litscape_app.window.about import show

    show(desk)


def show_search(desk: Desk) -> None:
    """How to search."""
    desk.show_page("searching")


COMMANDS = (
    Command("help.search", "How to search", show_search, "Help", 0, (), "search"),
    Command("help.keys", "Keys", show_keys, "Help", 0, ("F1",), "keyboard"),
    Command("help.log", "Log and error report", lambda desk: desk.show_page("log"), "Help", 1, (),
            "log"),
    Command("help.about", "About Litscape", show_about, "Help", 1, (), "info"),
)  # fmt: skip
