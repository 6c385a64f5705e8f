"""Moving about, and how the window looks."""

from __future__ import annotations

from dataclasses import replace

from litscape_app.actions.command import Command, Desk, Needs


def _theme(choice: str) -> Command:
    def choose(desk: Desk) -> None:
        desk.session.theme.choose(choice)
        desk.session.remember(replace(desk.session.settings, theme=choice))

    titles = {"system": "Theme of the system", "light": "Light theme", "dark": "Dark theme"}
    return Command(
        f"view.theme_{choice}", titles[choice], choose, "View", 3,
        state=lambda desk: desk.session.theme.choice == choice,
    )  # fmt: skip


def compact(desk: Desk) -> None:
    """One line a row, or two."""
    table = desk.table.table
    table.set_lines(1 if table.delegate.lines == 2 else 2)


def focus_tree(desk: Desk) -> None:
    """Put the keyboard into the tree."""
    desk.tree.tree.setFocus()


def focus_similar(desk: Desk) -> None:
    """Put the keyboard into the similar papers."""
    desk.similar.list.setFocus()


COMMANDS = (
    Command("view.papers", "Papers", lambda desk: desk.show_page("papers"), "View", 0,
            ("Ctrl+1",), "table", Needs.LIBRARY),
    Command("view.map", "Map", lambda desk: desk.show_page("map"), "View", 0,
            ("Ctrl+2",), "map", Needs.LIBRARY),
    Command("view.map_key", "Map", lambda desk: desk.show_page("map"), "", 0,
            ("M",), "map", Needs.LIBRARY, in_table=True),
    Command("view.citations", "Citation view", lambda desk: desk.show_page("network"), "View", 0,
            ("Ctrl+3",), "connect", Needs.LIBRARY),
    Command("view.evaluate", "Evaluate search", lambda desk: desk.show_page("evaluate"), "View", 0,
            ("Ctrl+4",), "half", Needs.LIBRARY),
    Command("view.separation", "Topic separation", lambda desk: desk.show_page("separation"),
            "View", 0, ("Ctrl+5",), "table", Needs.LIBRARY),
    Command("view.library", "Go to the library tree", focus_tree, "View", 1, ("Ctrl+L",),
            "library", Needs.LIBRARY),
    Command("view.similar", "Go to similar papers", focus_similar, "View", 1, ("Ctrl+D",),
            "similar", Needs.LIBRARY),
    Command("view.next", "Next paper", lambda desk: desk.table.table.step(1), "View", 1, ("J",),
            "chevron-down", Needs.LIBRARY, in_table=True),
    Command("view.previous", "Previous paper", lambda desk: desk.table.table.step(-1), "View", 1,
            ("K",), "chevron-up", Needs.LIBRARY, in_table=True),
    Command("view.left", "Library column", lambda desk: desk.toggle_column("left"), "View", 2,
            ("Ctrl+Shift+L",), "columns", Needs.LIBRARY),
    Command("view.right", "Details column", lambda desk: desk.toggle_column("right"), "View", 2,
            ("Ctrl+Shift+D",), "columns", Needs.LIBRARY),
    Command("view.preview", "Preview: show or hide details",
            lambda desk: desk.toggle_column("right"), "", 2, ("Space",), "", Needs.LIBRARY,
            in_table=True),
    Command("view.facets", "Facets", lambda desk: desk.table.toggle_facets(), "View", 2,
            ("Ctrl+Shift+F",), "filter", Needs.LIBRARY,
            state=lambda desk: not desk.table.facets.isHidden()),
    Command("view.jobs", "Jobs", lambda desk: desk.toggle_jobs(), "View", 2, ("Ctrl+J",), "jobs"),
    Command("view.compact", "Compact rows", compact, "View", 2, (), "",
            state=lambda desk: desk.table.table.delegate.lines == 1),
    _theme("system"),
    _theme("light"),
    _theme("dark"),
)  # fmt: skip
