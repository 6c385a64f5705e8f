"""Libraries, imports and exports."""

from __future__ import annotations

from litscape_app.actions.command import Command, Desk, Needs


def import_files(desk: Desk) -> None:
    """The page on which files are chosen, looked into and brought in."""
    desk.show_page("import")


def paste(desk: Desk) -> None:
    """Take records, files or an identifier from the clipboard."""
    from litscape_app.window.pages.import_page import paste as take

    take(desk)


def show_reports(desk: Desk) -> None:
    """What the last import did, and those before it."""
    desk.show_page("report")


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
    Command("file.zotero", "Import from Zotero", lambda desk: desk.show_page("zotero"), "File", 0,
            (), "connect"),
    Command("file.watch", "Watched files", lambda desk: desk.show_page("watch"), "File", 0,
            (), "inbox", Needs.LIBRARY),
    Command("file.add", "Add a paper…", lambda desk: desk.show_page("add"), "File", 0,
            ("Ctrl+N",), "plus"),
    Command("file.paste", "Import what was copied", paste, "File", 0, ("Ctrl+V",), "copy"),
    Command("file.reports", "Import reports", show_reports, "File", 0, ("Ctrl+Shift+I",), "inbox",
            Needs.LIBRARY),
    Command("file.export_all", "Export all…", export_all, "File", 1, ("Ctrl+E",), "export",
            Needs.LIBRARY),
    Command("file.new", "New library…", new_library, "File", 2, ("Ctrl+Shift+N",), "plus"),
    Command("file.open", "Open library…", open_library, "File", 2, ("Ctrl+O",), "library"),
    Command("file.libraries", "Libraries and backups", lambda desk: desk.show_page("libraries"),
            "File", 2, ("Ctrl+Shift+O",), "library"),
    Command("file.example", "Open the example library", open_example, "File", 2, (), "book"),
    Command("file.backup", "Back up…", back_up, "File", 3, (), "database", Needs.LIBRARY),
    Command("file.settings", "Settings", lambda desk: desk.show_page("settings"), "File", 4,
            ("Ctrl+,",), "settings"),
    Command("file.quit", "Quit", lambda desk: desk.close(), "File", 9, ("Ctrl+Q",)),
)  # fmt: skip
