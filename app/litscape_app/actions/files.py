"""Libraries, imports and exports."""

from __future__ import annotations

from litscape_app.actions.command import Command, Desk, Needs


def import_files(desk: Desk) -> None:
    """Choose files to bring in."""
    from litscape_app.window.importing import choose_and_import

    choose_and_import(desk)


def export_all(desk: Desk) -> None:
    """Write all papers to a file."""
    from litscape_app.window.exporting import ask_and_export

    ask_and_export(desk, None)


def new_library(desk: Desk) -> None:
    """Make a library in a folder that is chosen."""
    from litscape_app.window.libraries import ask_new

    ask_new(desk)


def open_library(desk: Desk) -> None:
    """Open the library in a folder that is chosen."""
    from litscape_app.window.libraries import ask_open

    ask_open(desk)


def open_example(desk: Desk) -> None:
    """Open the example library, made where it is not there yet."""
    from litscape_app.window.libraries import open_example as open_it

    open_it(desk)


def back_up(desk: Desk) -> None:
    """Copy the library to a file that is chosen."""
    from litscape_app.window.libraries import ask_backup

    ask_backup(desk)


COMMANDS = (
    Command("file.import", "Import…", import_files, "File", 0, ("Ctrl+I",), "import"),
    Command("file.export_all", "Export all…", export_all, "File", 1, ("Ctrl+E",), "export",
            Needs.LIBRARY),
    Command("file.new", "New library…", new_library, "File", 2, ("Ctrl+Shift+N",), "plus"),
    Command("file.open", "Open library…", open_library, "File", 2, ("Ctrl+O",), "library"),
    Command("file.example", "Open the example library", open_example, "File", 2, (), "book"),
    Command("file.backup", "Back up…", back_up, "File", 3, (), "database", Needs.LIBRARY),
    Command("file.quit", "Quit", lambda desk: desk.close(), "File", 9, ("Ctrl+Q",)),
)  # fmt: skip
